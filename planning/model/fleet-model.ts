/**
 * The one model of the fleet that all decisions ask: a snapshot, looked up by name and counted, and kept up to date
 * change by change. It answers the same as a model of a later snapshot would: decisions must not depend on how the
 * facts came about.
 */
import { hostsHolding, hostWhenSettled, isInFlight, noTarget } from '../fleet/double-allocation';
import type { Claim, Fleet, Group, Host, HostPhase, Instance, Refusal } from '../fleet/fleet';
import { addOrForget } from '../fleet/host-load';
import { isTarget, rankOf, targetRanks } from '../fleet/host-work';
import { groupOfKey, limitKeysOf } from '../fleet/limit-keys';
import { compareText } from '../fleet/ordered';
import { groupsImpactedBy, isOpen, membersLeft } from '../limits/impact';
import { FleetCapacity } from './fleet-capacity';
import { stillHolds } from './reservations';

/** The vcpus of each of a host's largest instances, and the number of these instances. */
export interface Largest {
  readonly vcpus: number;
  readonly count: number;
}

export class FleetModel {
  /** By name, so that decisions do not depend on the order of the snapshot. */
  readonly hosts: Host[];
  readonly hostByName: Map<string, Host>;
  readonly instanceById: Map<string, Instance>;
  /** By ID within a host. */
  readonly instancesByHost = new Map<string, readonly Instance[]>();
  readonly groupByKey: ReadonlyMap<string, Group>;
  /** Open ones. */
  readonly claimByInstance = new Map<string, Claim>();
  /** Of hosts that the cloud refused to the instance. */
  readonly refusalsByInstance: ReadonlyMap<string, readonly Refusal[]>;
  /** Claims asked or moving. */
  readonly incomingByHost = new Map<string, readonly Claim[]>();
  readonly outgoingByHost = new Map<string, readonly Claim[]>();
  /** The load of every host now, with the places of reservations. Roll back whatever you try on it. */
  readonly capacity: FleetCapacity;
  /** Where instances that are not admitted yet will go, by their ID. */
  readonly reservedTarget = new Map<string, string>();
  readonly #positionOf: ReadonlyMap<string, number>;
  readonly #impacted = new Map<string, number>();
  /** Of each group, members that stay on hosts that are being drained. */
  readonly #queued = new Map<string, number>();
  /** Instances on each host that have no claim in flight and no reserved place. */
  readonly #placeless = new Map<string, number>();
  readonly #reservedByGroup = new Map<string, Set<string>>();
  readonly #reservedOnto = new Map<string, number>();
  /** Caches, each of which a change of the facts clears that it was made of. */
  readonly #hostsOf = new Map<string, readonly Host[]>();
  readonly #largestOn = new Map<string, Largest>();
  #settled: FleetCapacity | undefined;

  /**
   * Reservations that do not hold any more are left out, and claims whose recovery is over.
   *
   * @param nowMs left out: all claims of the snapshot are open
   */
  constructor(snapshot: Fleet, nowMs = -Infinity) {
    const { hosts, instances, groups, claims } = snapshot;
    this.hosts = hosts.toSorted((one, other) => compareText(one.name, other.name));
    this.hostByName = new Map(this.hosts.map((host) => [host.name, host]));
    this.#positionOf = new Map(this.hosts.map(({ name }, position) => [name, position]));
    this.groupByKey = new Map(groups.map((group) => [group.key, group]));
    this.refusalsByInstance = byInstance(snapshot.refusals ?? []);
    this.instanceById = new Map(instances.map((instance) => [instance.id, instance]));
    for (const claim of claims) if (isOpen(claim, nowMs)) this.claimByInstance.set(claim.instanceId, claim);
    this.capacity = new FleetCapacity(this.hosts);
    for (const id of new Set([...this.instanceById.keys(), ...this.claimByInstance.keys()])) this.#count(id, 1);
    for (const host of this.hosts.filter(isTarget)) this.capacity.setTarget(host);
    this.capacity.keep();
    for (const reservation of snapshot.reservations ?? []) {
      if (stillHolds(this, reservation)) this.reserve(reservation.instanceId, reservation.target);
    }
  }

  /** The same facts as data. */
  snapshot(): Fleet {
    return {
      hosts: this.hosts,
      instances: [...this.instanceById.values()],
      groups: [...this.groupByKey.values()],
      claims: [...this.claimByInstance.values()],
      reservations: [...this.reservedTarget].map(([instanceId, target]) => ({ instanceId, target })),
      refusals: [...this.refusalsByInstance.values()].flat(),
    };
  }

  /** By ID. */
  instancesOn(hostname: string): readonly Instance[] {
    return this.instancesByHost.get(hostname) ?? [];
  }

  /** The host's largest instances by vcpus. */
  largestOn(hostname: string): Largest {
    const largest = this.#largestOn.get(hostname) ?? largestOf(this.instancesOn(hostname));
    this.#largestOn.set(hostname, largest);
    return largest;
  }

  /** Hosts that the cloud refused to the instance. */
  refusalsOf(instanceId: string): readonly Refusal[] {
    return this.refusalsByInstance.get(instanceId) ?? [];
  }

  /** The session's hosts in one of the phases, or in any where none is named; by name. */
  hostsOf(sessionId: string, ...phases: readonly HostPhase[]): readonly Host[] {
    const key = `${sessionId} ${phases.join()}`;
    const known = this.#hostsOf.get(key);
    if (known) return known;
    const isAmong = ({ work }: Host): boolean =>
      work?.sessionId === sessionId && (phases.length === 0 || phases.includes(work.phase));
    const hosts = this.hosts.filter(isAmong);
    this.#hostsOf.set(key, hosts);
    return hosts;
  }

  /** Members of the group with an open claim. */
  impactedMembers(groupKey: string): number {
    return this.#impacted.get(groupKey) ?? 0;
  }

  /** The number of further members of the group that may be impacted now. */
  membersLeft(groupKey: string): number {
    return membersLeft(groupOfKey(this, groupKey), this.impactedMembers(groupKey));
  }

  /** Members that are impacted, or wait for the budget of the group on hosts that are being drained. */
  queueLength(groupKey: string): number {
    return this.impactedMembers(groupKey) + (this.#queued.get(groupKey) ?? 0);
  }

  /** Groups with budget left that have members with a reserved place. */
  groupsReady(): readonly string[] {
    return [...this.#reservedByGroup.keys()].filter((key) => this.membersLeft(key) > 0).sort(compareText);
  }

  /** The group's instances that have a reserved place. */
  reservedOf(groupKey: string): readonly Instance[] {
    return [...(this.#reservedByGroup.get(groupKey) ?? [])].flatMap((id) => this.instanceById.get(id) ?? []);
  }

  /** True when capacity on the host is reserved for instances that are not admitted yet. */
  isReservedOnto(hostname: string): boolean {
    return this.#reservedOnto.has(hostname);
  }

  /** True when its reserved place is on a host that will be drained later. */
  movesAgain(instanceId: string): boolean {
    const target = this.hostByName.get(this.reservedTarget.get(instanceId) ?? '');
    return target !== undefined && rankOf(target) === targetRanks.toBeDrained;
  }

  /** True when an instance without a reserved place stays on the host. */
  lacksPlaces(hostname: string): boolean {
    return this.#placeless.has(hostname);
  }

  /** Neither admitted nor moving: it still has to be given leave to go. */
  isStaying(instanceId: string): boolean {
    const claim = this.claimByInstance.get(instanceId);
    return claim === undefined || !isInFlight(claim);
  }

  /** The load of every host when all moves and reservations have ended well. Roll back whatever you try on it. */
  get settled(): FleetCapacity {
    this.#settled ??= this.#capacityWhenSettled();
    return this.#settled;
  }

  /** @throws RangeError where the fleet has no host of that name: it knows all from the start */
  setHost(host: Host): void {
    const position = this.#positionOf.get(host.name);
    if (position === undefined) throw new RangeError(`host ${host.name} is not in the fleet`);
    this.#countAllQueued(host.name, -1);
    this.hosts[position] = host;
    this.hostByName.set(host.name, host);
    this.#countAllQueued(host.name, 1);
    if (isTarget(host)) this.capacity.setTarget(host);
    else this.capacity.removeTarget(host.name);
    this.#hostsOf.clear();
    if (isTarget(host)) this.#settled?.setTarget(host);
    else this.#settled?.removeTarget(host.name);
    this.#changed();
  }

  setInstance(instance: Instance): void {
    this.#change(instance.id, () => this.instanceById.set(instance.id, instance));
  }

  /** Admits it, if it was not: a reservation becomes the claim's. */
  setClaim(claim: Claim): void {
    this.#change(claim.instanceId, () => {
      this.claimByInstance.set(claim.instanceId, claim);
      if (isInFlight(claim)) this.reservedTarget.delete(claim.instanceId);
    });
  }

  removeClaim(instanceId: string): void {
    this.#change(instanceId, () => this.claimByInstance.delete(instanceId));
  }

  reserve(instanceId: string, target: string): void {
    this.#change(instanceId, () => this.reservedTarget.set(instanceId, target));
  }

  unreserve(instanceId: string): void {
    this.#change(instanceId, () => this.reservedTarget.delete(instanceId));
  }

  #change(instanceId: string, change: () => void): void {
    this.#count(instanceId, -1);
    change();
    this.#count(instanceId, 1);
    this.#changed();
  }

  #changed(): void {
    this.capacity.keep();
    this.#settled?.keep();
  }

  /** Counts an instance and its claim wherever they matter, or takes them out again. */
  #count(instanceId: string, times: 1 | -1): void {
    const instance = this.instanceById.get(instanceId);
    const claim = this.claimByInstance.get(instanceId);
    if (instance) this.#countInstance(instance, claim, times);
    if (claim) this.#countClaim(claim, instance, times);
    const target = this.reservedTarget.get(instanceId);
    if (instance && target !== undefined) this.#countReservation(instance, target, times);
    if (this.#settled) this.#countSettled(this.#settled, instanceId, times);
  }

  #countInstance(instance: Instance, claim: Claim | undefined, times: 1 | -1): void {
    this.#largestOn.delete(instance.host);
    list(this.instancesByHost, { key: instance.host, item: instance, idOf: ({ id }) => id }, times);
    if (this.isStaying(instance.id) && !this.reservedTarget.has(instance.id)) {
      addOrForget(this.#placeless, instance.host, times);
    }
    this.#countQueued(instance, times);
    for (const hostname of hostsHolding(instance, claim)) this.#hold(hostname, instance, times);
  }

  #countClaim(claim: Claim, instance: Instance | undefined, times: 1 | -1): void {
    for (const key of groupsImpactedBy(claim, instance)) addOrForget(this.#impacted, key, times);
    if (!isInFlight(claim)) return;
    const idOf = ({ instanceId }: Claim): string => instanceId;
    list(this.incomingByHost, { key: claim.target, item: claim, idOf }, times);
    list(this.outgoingByHost, { key: claim.source, item: claim, idOf }, times);
    // The project puts a new instance there in place of one that is gone.
    if (!instance) this.#hold(claim.target, claim, times);
  }

  #countReservation(instance: Instance, target: string, times: 1 | -1): void {
    this.#hold(target, instance, times);
    addOrForget(this.#reservedOnto, target, times);
    const reserved = this.#reservedByGroup.get(instance.groupKey) ?? new Set();
    if (times === 1) reserved.add(instance.id);
    else reserved.delete(instance.id);
    if (reserved.size > 0) this.#reservedByGroup.set(instance.groupKey, reserved);
    else this.#reservedByGroup.delete(instance.groupKey);
  }

  #countAllQueued(hostname: string, times: 1 | -1): void {
    for (const instance of this.instancesOn(hostname)) this.#countQueued(instance, times);
  }

  /** Only members on hosts that are being drained wait for their group's budget. */
  #countQueued(instance: Instance, times: 1 | -1): void {
    if (this.hostByName.get(instance.host)?.work?.phase !== 'emptying' || !this.isStaying(instance.id)) return;
    for (const key of limitKeysOf(instance)) addOrForget(this.#queued, key, times);
  }

  #hold(hostname: string, holder: Instance | Claim, times: 1 | -1): void {
    if (times === 1) this.capacity.hold(hostname, holder);
    else this.capacity.drop(hostname, holder);
  }

  #capacityWhenSettled(): FleetCapacity {
    const settled = new FleetCapacity(this.hosts);
    for (const id of new Set([...this.instanceById.keys(), ...this.claimByInstance.keys()])) {
      this.#countSettled(settled, id, 1);
    }
    for (const host of this.hosts) if (isTarget(host)) settled.setTarget(host);
    settled.keep();
    return settled;
  }

  /** The one host that holds the instance when all is over; of one that is gone, the target of its claim. */
  #countSettled(settled: FleetCapacity, instanceId: string, times: 1 | -1): void {
    const instance = this.instanceById.get(instanceId);
    const claim = this.claimByInstance.get(instanceId);
    const holder = instance ?? (claim && isInFlight(claim) ? claim : undefined);
    if (!holder) return;
    const host = instance
      ? (this.reservedTarget.get(instanceId) ?? hostWhenSettled(instance, claim))
      : (claim?.target ?? noTarget);
    if (times === 1) settled.hold(host, holder);
    else settled.drop(host, holder);
  }
}

interface Listing<Item> {
  readonly key: string;
  readonly item: Item;
  readonly idOf: (item: Item) => string;
}

/** Adds the item to the list of its key, by ID, or takes it out. A list that somebody holds stays as it was. */
const list = <Item>(lists: Map<string, readonly Item[]>, { key, item, idOf }: Listing<Item>, times: 1 | -1): void => {
  const others = (lists.get(key) ?? []).filter((other) => idOf(other) !== idOf(item));
  const listed = times === 1 ? [...others, item].sort((one, other) => compareText(idOf(one), idOf(other))) : others;
  if (listed.length > 0) lists.set(key, listed);
  else lists.delete(key);
};

const byInstance = (refusals: readonly Refusal[]): ReadonlyMap<string, readonly Refusal[]> => {
  const lists = new Map<string, Refusal[]>();
  for (const refusal of refusals) lists.set(refusal.instanceId, [...(lists.get(refusal.instanceId) ?? []), refusal]);
  return lists;
};

const largestOf = (instances: readonly Instance[]): Largest => {
  const vcpus = Math.max(0, ...instances.map((instance) => instance.vcpus));
  return { vcpus, count: instances.filter((instance) => instance.vcpus === vcpus).length };
};
