/**
 * A fleet that is kept up to date change by change instead of being looked up anew for every decision. It answers the
 * same as an index of the snapshot would: decisions must not depend on how the facts came about.
 */
import { isOpen } from './budget';
import { hostsHolding } from './double-allocation';
import type { Claim, Fleet, Group, Host, Instance } from './fleet';
import { type FleetIndex, compareText, isInFlight } from './fleet-index';
import { Occupancy } from './occupancy';

export class LiveFleet implements FleetIndex {
  readonly hosts: Host[];
  readonly hostByName: Map<string, Host>;
  readonly instanceById = new Map<string, Instance>();
  readonly instancesByHost = new Map<string, readonly Instance[]>();
  readonly groupByKey: ReadonlyMap<string, Group>;
  readonly claimByInstance = new Map<string, Claim>();
  readonly incomingByHost = new Map<string, readonly Claim[]>();
  readonly outgoingByHost = new Map<string, readonly Claim[]>();
  /** What every host holds now; what is tried on it has to be rolled back. */
  readonly occupancy: Occupancy;
  readonly #impacted = new Map<string, number>();
  readonly #positionOf: ReadonlyMap<string, number>;

  /** Claims whose recovery is over at `nowMs` are left out. */
  constructor({ hosts, instances, groups, claims }: Fleet, nowMs: number) {
    this.hosts = hosts.toSorted((one, other) => compareText(one.name, other.name));
    this.hostByName = new Map(hosts.map((host) => [host.name, host]));
    this.#positionOf = new Map(this.hosts.map(({ name }, position) => [name, position]));
    this.groupByKey = new Map(groups.map((group) => [group.key, group]));
    this.occupancy = new Occupancy(hosts);
    for (const instance of instances) this.instanceById.set(instance.id, instance);
    for (const claim of claims) if (isOpen(claim, nowMs)) this.claimByInstance.set(claim.instanceId, claim);
    for (const id of new Set([...this.instanceById.keys(), ...this.claimByInstance.keys()])) this.#count(id, 1);
    this.occupancy.keep();
  }

  get fleet(): Fleet {
    return {
      hosts: this.hosts,
      instances: [...this.instanceById.values()],
      groups: [...this.groupByKey.values()],
      claims: [...this.claimByInstance.values()],
    };
  }

  /** Members of the group with an open claim. */
  impactedMembers(groupKey: string): number {
    return this.#impacted.get(groupKey) ?? 0;
  }

  /** @throws RangeError where the fleet has no host of that name: it knows all from the start */
  setHost(host: Host): void {
    const position = this.#positionOf.get(host.name);
    if (position === undefined) throw new RangeError(`host ${host.name} is not in the fleet`);
    this.hosts[position] = host;
    this.hostByName.set(host.name, host);
  }

  setInstance(instance: Instance): void {
    this.#change(instance.id, () => this.instanceById.set(instance.id, instance));
  }

  setClaim(claim: Claim): void {
    this.#change(claim.instanceId, () => this.claimByInstance.set(claim.instanceId, claim));
  }

  removeClaim(instanceId: string): void {
    this.#change(instanceId, () => this.claimByInstance.delete(instanceId));
  }

  #change(instanceId: string, change: () => void): void {
    this.#count(instanceId, -1);
    change();
    this.#count(instanceId, 1);
    this.occupancy.keep();
  }

  /** Counts an instance and its claim wherever they matter, or takes them out again. */
  #count(instanceId: string, times: 1 | -1): void {
    const instance = this.instanceById.get(instanceId);
    const claim = this.claimByInstance.get(instanceId);
    if (instance) this.#countInstance(instance, claim, times);
    if (claim) this.#countClaim(claim, instance, times);
  }

  #countInstance(instance: Instance, claim: Claim | undefined, times: 1 | -1): void {
    listOrUnlist(this.instancesByHost, { key: instance.host, item: instance, idOf: ({ id }) => id }, times);
    for (const hostname of hostsHolding(instance, claim)) this.#hold(hostname, instance, times);
  }

  #countClaim(claim: Claim, instance: Instance | undefined, times: 1 | -1): void {
    // An instance that was put into another group meanwhile counts in both.
    for (const key of new Set([claim.groupKey, instance?.groupKey ?? claim.groupKey])) {
      this.#impacted.set(key, this.impactedMembers(key) + times);
    }
    if (!isInFlight(claim)) return;
    const idOf = ({ instanceId }: Claim): string => instanceId;
    listOrUnlist(this.incomingByHost, { key: claim.target, item: claim, idOf }, times);
    listOrUnlist(this.outgoingByHost, { key: claim.source, item: claim, idOf }, times);
    // The project puts a new instance there in place of one that is gone.
    if (!instance) this.#hold(claim.target, claim, times);
  }

  #hold(hostname: string, holder: Instance | Claim, times: 1 | -1): void {
    if (times === 1) this.occupancy.hold(hostname, holder);
    else this.occupancy.drop(hostname, holder);
  }
}

interface Listing<Item> {
  readonly key: string;
  readonly item: Item;
  readonly idOf: (item: Item) => string;
}

/** Keeps the list of a key ordered by ID; a key without items is not there. */
function listOrUnlist<Item>(
  lists: Map<string, readonly Item[]>,
  { key, item, idOf }: Listing<Item>,
  times: 1 | -1,
): void {
  const others = (lists.get(key) ?? []).filter((other) => idOf(other) !== idOf(item));
  if (times === -1) {
    if (others.length === 0) lists.delete(key);
    else lists.set(key, others);
    return;
  }
  const after = others.findIndex((other) => compareText(idOf(other), idOf(item)) > 0);
  lists.set(key, others.toSpliced(after === -1 ? others.length : after, 0, item));
}
