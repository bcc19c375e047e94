/**
 * A fleet that is kept up to date change by change instead of being looked up anew for every decision. It answers the
 * same as an index of the snapshot would: decisions must not depend on how the facts came about.
 */
import { groupsImpactedBy, isOpen, membersLeft } from '../limits/budget';
import { hostsHolding } from '../fleet/double-allocation';
import type { Claim, Fleet, Group, Host, HostPhase, Instance, Refusal } from '../fleet/fleet';
import {
  type FleetIndex,
  compareText,
  groupOfKey,
  instancesOn,
  isInFlight,
  limitKeysOf,
  refusalsByInstance,
} from '../fleet/fleet-index';
import type { GroupQueue, HostShare } from './group-queue';
import { type Largest, isVacated, largestOn } from '../fleet/host-content';
import { isTarget } from '../fleet/host-work';
import { Occupancy } from '../fleet/occupancy';
import { listOrUnlist } from './listing';
import { Memo } from './memo';
import { rankOf, worstLastingRank } from '../limits/placement';
import { stillHolds } from '../limits/reservations';
import { TargetIndex } from './target-index';
import { WorkIndex } from './work-index';

export class LiveFleet implements FleetIndex {
  readonly hosts: Host[];
  readonly hostByName: Map<string, Host>;
  readonly instanceById: Map<string, Instance>;
  readonly instancesByHost = new Map<string, readonly Instance[]>();
  readonly groupByKey: ReadonlyMap<string, Group>;
  readonly claimByInstance = new Map<string, Claim>();
  readonly refusalsByInstance: ReadonlyMap<string, readonly Refusal[]>;
  readonly incomingByHost = new Map<string, readonly Claim[]>();
  readonly outgoingByHost = new Map<string, readonly Claim[]>();
  /** What every host holds now; what is tried on it has to be rolled back. */
  readonly occupancy: Occupancy;
  /** Where instances that are not admitted yet will go, by their ID: room is held for them there. */
  readonly reservedTarget = new Map<string, string>();
  /** Groups with budget left and an instance that has a reserved place. */
  readonly readyGroups = new Set<string>();
  /** Hosts that may take instances, by the room they have left: one without any may still take what needs none. */
  readonly targets = new TargetIndex();
  /** The names of hosts that can be maintained: under work, disabled, and nothing is on them or on its way. */
  readonly vacated = new Set<string>();
  /** The names of hosts that are being emptied with an instance that stays there and has no reserved place. */
  readonly lackingPlaces = new Set<string>();
  readonly #work: WorkIndex;
  /** Instances on each host that have no claim in flight and no reserved place. */
  readonly #unplaced = new Map<string, number>();
  readonly #queues = new Map<string, CountedQueue>();
  /** By host, until its load changes. */
  readonly #sharesOn = new Memo((hostname: string) => this.#sharesOf(hostname));
  readonly #largestOn = new Memo((hostname: string) => largestOn(this, hostname));
  readonly #reservedByGroup = new Map<string, Set<string>>();
  readonly #reservedOnto = new Map<string, number>();
  readonly #positionOf: ReadonlyMap<string, number>;

  /**
   * Claims whose recovery is over at `nowMs` are left out, and reservations that do not hold any more.
   */
  constructor(fleet: Fleet, nowMs: number) {
    const { hosts, instances, groups, claims, reservations = [] } = fleet;
    this.refusalsByInstance = refusalsByInstance(fleet);
    this.hosts = hosts.toSorted((one, other) => compareText(one.name, other.name));
    this.hostByName = new Map(hosts.map((host) => [host.name, host]));
    this.#positionOf = new Map(this.hosts.map(({ name }, position) => [name, position]));
    this.groupByKey = new Map(groups.map((group) => [group.key, group]));
    this.occupancy = new Occupancy(hosts, (hostname) => {
      this.targets.noteLoad(hostname);
      this.#sharesOn.forget(hostname);
      this.#largestOn.forget(hostname);
    });
    this.#work = new WorkIndex(this.hosts);
    this.instanceById = new Map(instances.map((instance) => [instance.id, instance]));
    for (const claim of claims) if (isOpen(claim, nowMs)) this.claimByInstance.set(claim.instanceId, claim);
    const gone = [...this.claimByInstance.keys()].filter((id) => !this.instanceById.has(id));
    for (const id of [...this.instanceById.keys(), ...gone]) this.#count(id, 1);
    this.occupancy.keep();
    for (const { name } of hosts) this.#noteHost(name);
    for (const reservation of reservations) {
      if (stillHolds(this, this.occupancy, reservation)) this.reserve(reservation.instanceId, reservation.target);
    }
  }

  get fleet(): Fleet {
    return {
      hosts: this.hosts,
      instances: [...this.instanceById.values()],
      groups: [...this.groupByKey.values()],
      claims: [...this.claimByInstance.values()],
      reservations: [...this.reservedTarget].map(([instanceId, target]) => ({ instanceId, target })),
      refusals: [...this.refusalsByInstance.values()].flat(),
    };
  }

  /** Members of the group with an open claim. */
  impactedMembers(groupKey: string): number {
    return this.#queues.get(groupKey)?.impacted ?? 0;
  }

  /** How many more members of the group may be impacted now. */
  membersLeft(groupKey: string): number {
    return membersLeft(groupOfKey(this, groupKey), this.impactedMembers(groupKey));
  }

  /** The session's hosts in the phase, by name. The list changes with the fleet. */
  inPhase(sessionId: string, phase: HostPhase): readonly Host[] {
    return this.#work.inPhase(sessionId, phase);
  }

  /** How many of the session's hosts are in other phases than these. */
  countOutside(sessionId: string, ...phases: readonly HostPhase[]): number {
    return this.#work.countOutside(sessionId, phases);
  }

  /** The queue of the group, which changes with the fleet. */
  queue(groupKey: string): GroupQueue {
    return this.#queue(groupKey);
  }

  /** The host's instances, and places reserved there, by their groups' queues. */
  sharesOn(hostname: string): readonly HostShare[] {
    return this.#sharesOn.of(hostname);
  }

  /** The host's largest instances. */
  largestOn(hostname: string): Largest {
    return this.#largestOn.of(hostname);
  }

  /** Whether room on the host is reserved for instances that are not admitted yet. */
  isReservedOnto(hostname: string): boolean {
    return this.#reservedOnto.has(hostname);
  }

  /** Whether its reserved place is on a host that will be emptied later. */
  movesAgain(instanceId: string): boolean {
    const target = this.hostByName.get(this.reservedTarget.get(instanceId) ?? '');
    return target !== undefined && rankOf(target) > worstLastingRank;
  }

  /** The IDs of the group's instances that have a reserved place. */
  reservedOf(groupKey: string): Iterable<string> {
    return this.#reservedByGroup.get(groupKey) ?? [];
  }

  /** Neither admitted nor moving: it still has to be given leave to go. */
  isStaying(instanceId: string): boolean {
    const claim = this.claimByInstance.get(instanceId);
    return claim === undefined || !isInFlight(claim);
  }

  /** @throws RangeError where the fleet has no host of that name: it knows all from the start */
  setHost(host: Host): void {
    const position = this.#positionOf.get(host.name);
    if (position === undefined) throw new RangeError(`host ${host.name} is not in the fleet`);
    const before = this.hosts[position];
    this.#countQueued(host.name, -1);
    if (before) this.#work.remove(before);
    this.#work.add(host);
    this.hosts[position] = host;
    this.hostByName.set(host.name, host);
    this.#countQueued(host.name, 1);
    this.#noteHost(host.name);
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
    if (!this.reservedTarget.has(instanceId)) return;
    this.#change(instanceId, () => this.reservedTarget.delete(instanceId));
  }

  #sharesOf(hostname: string): readonly HostShare[] {
    const { membersByGroup } = this.occupancy.loadOf(hostname);
    const shares = Array.from(membersByGroup, ([key, members]) => ({ queue: this.#queue(key), members }));
    // Nobody queues for a limit that has no budget.
    return shares.filter(({ queue }) => queue.group.maxImpactedMembers < Infinity);
  }

  #change(instanceId: string, change: () => void): void {
    const touched = this.#hostsOf(instanceId);
    this.#count(instanceId, -1);
    change();
    this.#count(instanceId, 1);
    this.occupancy.keep();
    for (const hostname of new Set([...touched, ...this.#hostsOf(instanceId)])) this.#noteHost(hostname);
  }

  #hostsOf(instanceId: string): readonly string[] {
    const instance = this.instanceById.get(instanceId);
    const claim = this.claimByInstance.get(instanceId);
    const target = this.reservedTarget.get(instanceId);
    return [instance?.host, claim?.source, claim?.target, target].filter((name) => name !== undefined);
  }

  #noteHost(hostname: string): void {
    const host = this.hostByName.get(hostname);
    if (!host) return;
    const isEmptying = host.work?.phase === 'emptying' && host.work.disabled;
    setMember(this.vacated, hostname, isEmptying && isVacated(this, host));
    setMember(this.lackingPlaces, hostname, this.#isEmptying(hostname) && (this.#unplaced.get(hostname) ?? 0) > 0);
    const load = this.occupancy.loadOf(hostname);
    const position = this.#positionOf.get(hostname) ?? 0;
    if (isTarget(host)) this.targets.set({ target: { host, rank: rankOf(host), load }, position });
    else this.targets.delete(hostname);
  }

  /** Counts what stays on a host in the queues of its groups, if it is being emptied. */
  #countQueued(hostname: string, times: 1 | -1): void {
    if (!this.#isEmptying(hostname)) return;
    for (const instance of instancesOn(this, hostname)) this.#countInQueues(instance, times);
  }

  #countInQueues(instance: Instance, times: 1 | -1): void {
    if (!this.#isEmptying(instance.host) || !this.isStaying(instance.id)) return;
    for (const key of limitKeysOf(instance)) this.#queue(key).waiting += times;
  }

  #isEmptying(hostname: string): boolean {
    return this.hostByName.get(hostname)?.work?.phase === 'emptying';
  }

  /** Counts an instance and its claim wherever they matter, or takes them out again. */
  #count(instanceId: string, times: 1 | -1): void {
    const instance = this.instanceById.get(instanceId);
    const claim = this.claimByInstance.get(instanceId);
    if (instance) this.#countInstance(instance, claim, times);
    if (claim) this.#countClaim(claim, instance, times);
    const target = this.reservedTarget.get(instanceId);
    if (instance && target !== undefined) this.#countReservation(instance, target, times);
    if (instance) this.#noteReady(instance.groupKey);
    if (claim && claim.groupKey !== instance?.groupKey) this.#noteReady(claim.groupKey);
  }

  #countReservation(instance: Instance, target: string, times: 1 | -1): void {
    this.#hold(target, instance, times);
    addOrForget(this.#reservedOnto, target, times);
    const reserved = this.#reservedByGroup.get(instance.groupKey) ?? new Set();
    this.#reservedByGroup.set(instance.groupKey, reserved);
    if (times === 1) reserved.add(instance.id);
    else reserved.delete(instance.id);
  }

  #noteReady(groupKey: string): void {
    const reserved = this.#reservedByGroup.get(groupKey)?.size ?? 0;
    if (reserved > 0 && this.membersLeft(groupKey) > 0) this.readyGroups.add(groupKey);
    else this.readyGroups.delete(groupKey);
  }

  #countInstance(instance: Instance, claim: Claim | undefined, times: 1 | -1): void {
    listOrUnlist(this.instancesByHost, { key: instance.host, item: instance, idOf: ({ id }) => id }, times);
    if (this.isStaying(instance.id)) {
      if (!this.reservedTarget.has(instance.id)) add(this.#unplaced, instance.host, times);
      this.#countInQueues(instance, times);
    }
    for (const hostname of hostsHolding(instance, claim)) this.#hold(hostname, instance, times);
  }

  #countClaim(claim: Claim, instance: Instance | undefined, times: 1 | -1): void {
    for (const key of groupsImpactedBy(claim, instance)) this.#queue(key).impacted += times;
    if (!isInFlight(claim)) return;
    const idOf = ({ instanceId }: Claim): string => instanceId;
    listOrUnlist(this.incomingByHost, { key: claim.target, item: claim, idOf }, times);
    listOrUnlist(this.outgoingByHost, { key: claim.source, item: claim, idOf }, times);
    // The project puts a new instance there in place of one that is gone.
    if (!instance) this.#hold(claim.target, claim, times);
  }

  #queue(groupKey: string): CountedQueue {
    const known = this.#queues.get(groupKey);
    if (known) return known;
    const queue = new CountedQueue(groupOfKey(this, groupKey));
    this.#queues.set(groupKey, queue);
    return queue;
  }

  #hold(hostname: string, holder: Instance | Claim, times: 1 | -1): void {
    if (times === 1) this.occupancy.hold(hostname, holder);
    else this.occupancy.drop(hostname, holder);
  }
}

class CountedQueue implements GroupQueue {
  impacted = 0;
  waiting = 0;

  constructor(readonly group: Group) {}

  get length(): number {
    return this.impacted + this.waiting;
  }
}

function setMember(names: Set<string>, name: string, isMember: boolean): void {
  if (isMember) names.add(name);
  else names.delete(name);
}

/** A count that is 0 is not kept: few are looked up quickly. */
function addOrForget(counts: Map<string, number>, key: string, times: 1 | -1): void {
  add(counts, key, times);
  if (counts.get(key) === 0) counts.delete(key);
}

function add(counts: Map<string, number>, key: string, times: 1 | -1): void {
  counts.set(key, (counts.get(key) ?? 0) + times);
}
