/**
 * The one model of the fleet that all decisions ask: a snapshot, looked up by name and counted, and kept up to date
 * change by change. It answers the same as a model of a later snapshot would: decisions must not depend on how the
 * facts came about.
 */
import type { Sized } from '../../cloud/amounts';
import { haveOwnerTimes } from '../../owner-times/release';
import type { Capacity } from '../fleet/capacity';
import { isInFlight } from '../fleet/double-allocation';
import type { Claim, Fleet, Group, Host, HostPhase, Instance, Refusal } from '../fleet/fleet';
import { isTarget } from '../fleet/host-work';
import { compareText, listOrDrop } from '../fleet/ordered';
import { Resources } from '../fleet/resources';
import { stillCounts } from '../limits/impact';
import { refusalClassOf } from '../limits/refusals';
import { Classes } from './classes';
import { FleetCapacity } from './fleet-capacity';
import { GroupCounts } from './group-counts';
import { HostsOfSessions } from './hosts-of-sessions';
import { drainFactsOf, type Hold, holdNow, holdWhenSettled, type InstanceNow, replaceHold } from './instance-hold';
import { Pools } from './pools';
import { stillHolds } from './reservations';
import { Unplaced } from './unplaced';

export class FleetModel {
  /** Hosts by name, so that decisions do not depend on the order of the snapshot. */
  readonly hosts: Host[];
  readonly hostByName: Map<string, Host>;
  readonly instanceById: Map<string, Instance>;
  /** Instances by host; by ID within one. */
  readonly instancesByHost = new Map<string, readonly Instance[]>();
  readonly groupByKey: ReadonlyMap<string, Group>;
  readonly groups: GroupCounts;
  /** Open ones. */
  readonly claimByInstance = new Map<string, Claim>();
  /** Which classes of instances and hosts go together. */
  readonly classes: Classes;
  /** The order of the amounts in every capacity of the model. */
  readonly resources = new Resources();
  /** The targets that the cloud refused, by the class of the instance. */
  readonly #refusalsByClass: ReadonlyMap<string, readonly Refusal[]>;
  /** Claims asked or moving. */
  readonly incomingByHost = new Map<string, readonly Claim[]>();
  readonly outgoingByHost = new Map<string, readonly Claim[]>();
  /** The load of every host now, with the places of reservations. Roll back whatever you try on it. */
  readonly capacity: FleetCapacity;
  /** The hosts to which instances that are not admitted yet will go, by the ID of the instance. */
  readonly reservedTarget = new Map<string, string>();
  readonly #positionOf: ReadonlyMap<string, number>;
  /** Instances under a spread, by its key, each by its ID. */
  readonly #spreadMembers = new Map<string, Map<string, Instance>>();
  /**
   * Facts by which a session found that it can drain no further host, by the session's ID: there is nothing to find
   * until a host changes, or an instance as far as `drainFactsOf` tells.
   */
  readonly searchedInVain = new Map<
    string,
    { readonly limits: object; readonly drainOrder: readonly string[] | undefined }
  >();
  /** True when members of some group should serve by now. */
  readonly isAnyOverdue: boolean;
  /** True when owners of instances have set times. */
  readonly hasOwnerTimes: boolean;
  /** Members for which the cloud finds no host. */
  readonly unplaced: Unplaced;
  readonly #ofSessions: HostsOfSessions;
  /** Caches, made when they are first asked for. */
  #pools: Pools | undefined;
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
    this.#ofSessions = new HostsOfSessions(this.hosts, snapshot.heldBack ?? []);
    this.groupByKey = new Map(groups.map((group) => [group.key, group]));
    this.groups = new GroupCounts(this.groupByKey);
    this.isAnyOverdue = groups.some(({ overdue }) => overdue !== undefined);
    this.hasOwnerTimes = haveOwnerTimes(instances);
    this.classes = new Classes(snapshot.misfits);
    this.#refusalsByClass = Map.groupBy(snapshot.refusals ?? [], ({ refusalClass }) => refusalClass);
    this.instanceById = new Map(instances.map((instance) => [instance.id, instance]));
    this.unplaced = new Unplaced(groups, instances);
    for (const claim of claims) if (stillCounts(claim, nowMs)) this.claimByInstance.set(claim.instanceId, claim);
    for (const id of this.#ids()) this.#count(this.#factsOf(id), 1);
    this.capacity = this.#capacityWith(holdNow);
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
      refusals: [...this.#refusalsByClass.values()].flat(),
      misfits: this.classes.misfits,
      heldBack: this.#ofSessions.heldBack,
    };
  }

  /** The instances under the spread of this key. */
  spreadMembers(key: string): Iterable<Instance> {
    return this.#spreadMembers.get(key)?.values() ?? [];
  }

  /** Lists the instances of a host, by ID. */
  instancesOn(hostname: string): readonly Instance[] {
    return this.instancesByHost.get(hostname) ?? [];
  }

  /** Hosts that the cloud refused to the instance, or to another of its class. */
  refusalsOf(instance: Instance): readonly Refusal[] {
    if (this.#refusalsByClass.size === 0) return [];
    return this.#refusalsByClass.get(refusalClassOf(instance)) ?? [];
  }

  /**
   * The session's hosts in the phases, phase by phase, or in any where none is named; by name. It passes over those
   * that are held back.
   */
  hostsOf(sessionId: string, ...phases: readonly HostPhase[]): readonly Host[] {
    return this.#ofSessions.of(sessionId, phases);
  }

  /** The session's hosts with a failure, whatever their phase. */
  failedHostsOf(sessionId: string): readonly Host[] {
    return this.#ofSessions.failed(sessionId);
  }

  /** Neither admitted nor moving: it still has to be given leave to go. */
  isStaying(instanceId: string): boolean {
    const claim = this.claimByInstance.get(instanceId);
    return claim === undefined || !isInFlight(claim);
  }

  /** Pools as they were when first asked for: what is bound where changes little in the life of a model. */
  get pools(): Pools {
    const { classes, hosts, resources } = this;
    const sizeOf = (sized: Sized): Capacity => resources.capacityOf(sized);
    this.#pools ??= new Pools({ classes, hosts, instances: this.instanceById.values(), sizeOf });
    return this.#pools;
  }

  /** The load of every host when all moves and reservations have ended well. Roll back whatever you try on it. */
  get settled(): FleetCapacity {
    this.#settled ??= this.#capacityWith(holdWhenSettled);
    return this.#settled;
  }

  /** Lets sessions pass these hosts over from now on, and no others: see Fleet. */
  holdBack(names: readonly string[]): void {
    if (names.length + this.#ofSessions.heldBack.length > 0) this.searchedInVain.clear();
    this.#ofSessions.holdBack(names);
  }

  /** @throws RangeError where the fleet has no host of that name: it knows all from the start */
  setHost(host: Host): void {
    const position = this.#positionOf.get(host.name);
    const before = this.hostByName.get(host.name);
    if (position === undefined || !before) throw new RangeError(`host ${host.name} is not in the fleet`);
    this.searchedInVain.clear();
    this.#countAllQueued(host.name, -1);
    this.hosts[position] = host;
    this.hostByName.set(host.name, host);
    this.#ofSessions.replace(before, host);
    this.#countAllQueued(host.name, 1);
    if (isTarget(host)) this.capacity.setTarget(host);
    else this.capacity.removeTarget(host.name);
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
    const before = this.#factsOf(instanceId);
    const drainFacts = drainFactsOf(before, this.hostByName);
    this.#count(before, -1);
    change();
    const after = this.#factsOf(instanceId);
    this.#count(after, 1);
    replaceHold(this.capacity, holdNow(before), holdNow(after));
    if (this.#settled) replaceHold(this.#settled, holdWhenSettled(before), holdWhenSettled(after));
    if (drainFactsOf(after, this.hostByName) !== drainFacts) this.searchedInVain.clear();
    this.#changed();
  }

  #factsOf(instanceId: string): InstanceNow {
    return {
      instance: this.instanceById.get(instanceId),
      claim: this.claimByInstance.get(instanceId),
      reserved: this.reservedTarget.get(instanceId),
    };
  }

  #changed(): void {
    this.capacity.keep();
    this.#settled?.keep();
  }

  /** Counts an instance and its claim wherever they matter beside the capacity, or takes them out again. */
  #count({ instance, claim, reserved }: InstanceNow, times: 1 | -1): void {
    if (instance) this.#countInstance(instance, times);
    if (claim) this.#countClaim(claim, instance, times);
    if (instance && reserved !== undefined) this.groups.countReserved(instance, times);
  }

  #countInstance(instance: Instance, times: 1 | -1): void {
    listOrDrop(this.instancesByHost, { key: instance.host, item: instance, idOf: ({ id }) => id }, times);
    for (const { key } of instance.spreads ?? []) this.#countInSpread(key, instance, times);
    this.#countQueued(instance, times);
  }

  #countInSpread(key: string, instance: Instance, times: 1 | -1): void {
    const members = this.#spreadMembers.get(key) ?? new Map<string, Instance>();
    if (times === 1) members.set(instance.id, instance);
    else members.delete(instance.id);
    this.#spreadMembers.set(key, members);
  }

  #countClaim(claim: Claim, instance: Instance | undefined, times: 1 | -1): void {
    this.groups.countImpacted(claim, instance, times);
    if (!isInFlight(claim)) return;
    const idOf = ({ instanceId }: Claim): string => instanceId;
    listOrDrop(this.incomingByHost, { key: claim.target, item: claim, idOf }, times);
    listOrDrop(this.outgoingByHost, { key: claim.source, item: claim, idOf }, times);
  }

  #countAllQueued(hostname: string, times: 1 | -1): void {
    for (const instance of this.instancesOn(hostname)) this.#countQueued(instance, times);
  }

  /** Only members on hosts that are being drained wait for their group's budget. */
  #countQueued(instance: Instance, times: 1 | -1): void {
    if (this.hostByName.get(instance.host)?.work?.phase !== 'emptying' || !this.isStaying(instance.id)) return;
    this.groups.countQueued(instance, times);
  }

  #capacityWith(holdOf: (facts: InstanceNow) => Hold | undefined): FleetCapacity {
    const capacity = new FleetCapacity(this.hosts, this.resources);
    for (const id of this.#ids()) replaceHold(capacity, undefined, holdOf(this.#factsOf(id)));
    for (const host of this.hosts) if (isTarget(host)) capacity.setTarget(host);
    capacity.keep();
    return capacity;
  }

  /** The IDs of the instances, and of those that are gone and have a claim. */
  #ids(): ReadonlySet<string> {
    return new Set([...this.instanceById.keys(), ...this.claimByInstance.keys()]);
  }
}
