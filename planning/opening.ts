/**
 * What is done on many hosts at once: which further hosts go under work, and which instances are admitted to which
 * target. Everything that still has to leave the hosts under work is given a place first, hosts with the fewest
 * instances left before others, so that hosts become empty one after the other; what is left over serves to begin with
 * a further host ahead of its time.
 */
import { actionOf } from './action-of';
import type { Admission, Reservation } from './decision';
import type { Host, Instance } from './fleet';
import { compareText, groupOfKey, instancesOn } from './fleet-index';
import { isEmpty } from './host-content';
import type { LiveFleet } from './live-fleet';
import { controllerUnderWork, isInPhase, isUnderWork } from './host-work';
import { type Target, bestTarget, largestFirst, place, targetsOf } from './placement';
import { shareOf } from './room';
import { type VnfFacts, membersLeft, ownHosts } from './vnf-facts';

export interface ParallelWork {
  readonly open: readonly Host[];
  readonly reserve: readonly Reservation[];
  readonly admit: readonly Admission[];
}

export const tune = { ahead: 1, aheadRank: 1, drain: 1, size: 0, load: 1, tries: 6, move: 60 };

export function planParallelWork(facts: VnfFacts): ParallelWork {
  const { live } = facts;
  if (live.roomGrew) {
    const mark = live.occupancy.mark();
    const { open, reserve } = new Planner(facts).plan();
    live.occupancy.rollBack(mark);
    if (open.length + reserve.length > 0) return { open, reserve, admit: [] };
    live.noMoreFits();
  }
  return { open: [], reserve: [], admit: admissionsOf(facts) };
}

class Planner {
  readonly #open: Host[] = [];
  readonly #reserve: Reservation[] = [];
  readonly #planned = new Set<string>();
  #targets: readonly Target[];
  #partial = 0;
  readonly #largest: number;
  readonly #queue: Map<string, number>;

  constructor(private readonly facts: VnfFacts) {
    this.#targets = targetsOf(facts.live, facts.live.occupancy).filter(
      ({ load: { free } }) => free.vcpus > 0 && free.memoryMb > 0,
    );
    this.#largest = Math.max(1, ...facts.live.hosts.map(({ vcpus }) => vcpus));
    this.#queue = new Map();
    for (const { groupKey } of facts.live.claimByInstance.values()) this.#enqueue(groupKey);
  }

  plan(): Omit<ParallelWork, 'admit'> {
    const { live, limits } = this.facts;
    const own = ownHosts(this.facts);
    const emptying = own.filter((host) => isInPhase('emptying')(host) && !isEmpty(live, host));
    const work = emptying.map((host) => ({ host, left: stayingOn(live, host) }));
    work.sort((one, other) => one.left.length - other.left.length || compareText(one.host.name, other.host.name));
    for (const { left } of work) this.#reserveFor(left);
    let most = (limits.maxParallelHosts ?? Infinity) - own.filter(isUnderWork).length;
    const controller = controllerUnderWork(live)
      ? undefined
      : own.find((host) => host.type === 'controller' && isInPhase('waiting')(host));
    const waiting = own.filter(
      (host) => isInPhase('waiting')(host) && (host.type === 'compute' || host === controller),
    );
    for (const host of waiting) {
      if (most <= 0 || !isEmpty(live, host) || this.#isPlanned(host)) continue;
      this.#open.push(host);
      this.#targets = this.#targets.filter((target) => target.host !== host);
      most -= 1;
    }
    const toEmpty = waiting.filter((host) => !this.#open.includes(host) && !live.incomingByHost.has(host.name));
    most -= this.#partial > 0 ? 0 : this.#openWhole(toEmpty, most);
    this.#openAhead(toEmpty.filter((host) => !this.#open.includes(host)), most);
    return { open: this.#open, reserve: this.#reserve };
  }

  #isPlanned({ name }: Host): boolean {
    return this.#planned.has(name) || this.facts.live.isReservedOnto(name);
  }

  #reserveFor(left: readonly Instance[]): void {
    for (const { groupKey } of left) this.#enqueue(groupKey);
    const unplaced = left.filter(({ id }) => !this.facts.live.reservedTarget.has(id));
    if (unplaced.length === 0 || this.#placeAll(unplaced)) return;
    const placed = unplaced.filter((instance) => this.#placeOne(instance, tune.aheadRank));
    if (placed.length < unplaced.length) this.#partial += 1;
  }

  #placeAll(instances: readonly Instance[]): boolean {
    const { live } = this.facts;
    const placement = place({ index: live, instances, targets: this.#targets, occupancy: live.occupancy });
    if (placement.kind === 'lacking') return false;
    for (const [id, { name }] of placement.targetOf) this.#plan(id, name);
    return true;
  }

  #placeOne(instance: Instance, mostRank: number): boolean {
    const target = bestTarget(this.facts.live, instance, this.#targets);
    if (!target || target.rank > mostRank) return false;
    this.facts.live.occupancy.hold(target.host.name, instance);
    this.#plan(instance.id, target.host.name);
    return true;
  }

  #plan(instanceId: string, target: string): void {
    this.#reserve.push({ instanceId, target });
    this.#planned.add(target);
  }

  #enqueue(groupKey: string): void {
    this.#queue.set(groupKey, (this.#queue.get(groupKey) ?? 0) + 1);
  }

  /** How many were opened. */
  #openWhole(waiting: readonly Host[], most: number): number {
    let opened = 0;
    let failures = 0;
    let candidates = this.#byCost(waiting);
    while (opened < most && failures < tune.tries) {
      const next = candidates.shift();
      if (!next) break;
      if (this.#isPlanned(next)) continue;
      const before = this.#targets;
      this.#targets = before.filter(({ host }) => host !== next);
      const instances = stayingOn(this.facts.live, next);
      if (!this.#mayFit(instances) || !this.#placeAll(instances)) {
        this.#targets = before;
        failures += 1;
        continue;
      }
      this.#open.push(next);
      for (const { groupKey } of instances) this.#enqueue(groupKey);
      opened += 1;
      candidates = this.#byCost(candidates);
    }
    return opened;
  }

  #mayFit(instances: readonly Instance[]): boolean {
    const needed = instances.reduce((sum, { vcpus }) => sum + vcpus, 0);
    let free = 0;
    for (const { load } of this.#targets) free += load.free.vcpus;
    return free >= needed;
  }

  #byCost(hosts: readonly Host[]): Host[] {
    return hosts
      .map((host) => ({ host, cost: this.#costOf(host) }))
      .sort((one, other) => one.cost - other.cost)
      .map(({ host }) => host);
  }

  /** Begins with hosts that cannot be emptied wholly yet, where others that can be will be their targets. */
  #openAhead(waiting: readonly Host[], most: number): void {
    const goingOn = ownHosts(this.facts).some(isInPhase('maintaining'));
    if (!goingOn) return;
    let left = Math.min(most, tune.ahead - this.#partial);
    if (left <= 0) return;
    let failures = 0;
    for (const next of this.#byCost(waiting)) {
      if (left <= 0 || failures >= tune.tries) return;
      if (this.#isPlanned(next)) continue;
      const before = this.#targets;
      this.#targets = before.filter(({ host }) => host !== next);
      const placed = stayingOn(this.facts.live, next).filter((instance) => this.#placeOne(instance, tune.aheadRank));
      if (placed.length === 0) {
        this.#targets = before;
        failures += 1;
        continue;
      }
      this.#open.push(next);
      left -= 1;
    }
  }

  #costOf(host: Host): number {
    const { live } = this.facts;
    const instances = instancesOn(live, host.name);
    const members = new Map<string, number>();
    for (const { groupKey } of instances) members.set(groupKey, (members.get(groupKey) ?? 0) + 1);
    let drain = 0;
    for (const [key, count] of members) {
      const group = groupOfKey(live, key);
      const ahead = this.#queue.get(key) ?? 0;
      const rounds = (ahead + count) / group.maxImpactedMembers - 1;
      drain = Math.max(drain, rounds * (tune.move + group.recoveryTimeSeconds));
    }
    const load = instances.reduce((sum, instance) => sum + shareOf(instance, host), 0) / 2;
    return tune.load * load + (tune.drain * drain) / 900 + (tune.size * host.vcpus) / this.#largest;
  }
}

/** Instances of the host that are not admitted yet, largest first. */
function stayingOn(live: LiveFleet, { name }: Host): readonly Instance[] {
  return instancesOn(live, name)
    .filter(({ id }) => live.isStaying(id))
    .toSorted(largestFirst);
}

/** Of every group as many as its budget allows, those of the host with the fewest left first. */
function admissionsOf(facts: VnfFacts): readonly Admission[] {
  const { live } = facts;
  return [...live.readyGroups].sort(compareText).flatMap((key) => {
    const instances = [...live.reservedOf(key)].flatMap((id) => {
      const instance = live.instanceById.get(id);
      // A member that recovers from its last move has an open claim.
      const source = instance && live.hostByName.get(instance.host)?.work;
      const mayGo = source?.phase === 'emptying' && source.disabled && !live.claimByInstance.has(id);
      return instance && mayGo ? [{ instance, left: leftOn(live, instance.host) }] : [];
    });
    instances.sort((one, other) => one.left - other.left || compareText(one.instance.id, other.instance.id));
    return instances.slice(0, membersLeft(facts, key)).flatMap(({ instance }) => {
      const target = live.reservedTarget.get(instance.id);
      return target === undefined ? [] : [admissionOf(instance, target)];
    });
  });
}

function leftOn(live: LiveFleet, hostname: string): number {
  return instancesOn(live, hostname).filter(({ id }) => live.isStaying(id)).length;
}

function admissionOf(instance: Instance, target: string): Admission {
  return {
    kind: instance.leadTimeSeconds === 0 ? 'move' : 'ask',
    instanceId: instance.id,
    groupKey: instance.groupKey,
    source: instance.host,
    target,
    action: actionOf(instance),
  };
}
