/**
 * The rest of a session as a rehearsal plays it: hosts, instances and groups by position, with the times that are
 * expected. What really lies ahead is not in it: nobody knows that.
 */
import { secondsOfAction } from './action-pace';
import { hostsHolding } from '../fleet/double-allocation';
import type { Claim, Group, Host, Instance } from '../fleet/fleet';
import { isInFlight } from '../fleet/fleet-index';
import { maintenanceSecondsLeft } from './host-pace';
import { isEmpty } from '../fleet/host-content';
import { becomesTarget, isTarget } from '../fleet/host-work';
import type { Room } from '../fleet/room';
import { limitsOf } from '../limits/limits-of-instance';
import type { LiveFleet } from '../live/live-fleet';
import type { VnfFacts } from '../live/vnf-facts';

/**
 * - out: takes no part.
 * - kept: takes instances, and nobody maintains it.
 * - waiting: takes instances, and is still to be emptied, by this session or another.
 * - others: as the phase of a host of the session.
 */
export type Part = 'out' | 'kept' | 'waiting' | 'emptying' | 'maintaining' | 'maintained';

export interface PlayedHost extends Room {
  readonly part: Part;
  /** Not held by anybody now. */
  readonly free: Room;
  /** From the beginning of its maintenance, or from now where that has begun. */
  readonly maintenanceSeconds: number;
  /** Whether it takes instances when it is back. */
  readonly becomesTarget: boolean;
}

/** An instance, the largest first. Hosts and groups are positions. */
export interface PlayedInstance extends Room {
  readonly host: number;
  readonly group: number;
  /** Groups with anti-affinity that it counts in. */
  readonly apart: readonly number[];
  /** From its question to the end of its move. */
  readonly actionSeconds: number;
  /** Where it is going, or has a reserved place. */
  readonly target?: number;
  /** Seconds until it has arrived: it is on its way. */
  readonly arrivesIn?: number;
  /** Seconds until it has recovered from its last move. */
  readonly recoversIn?: number;
}

export interface PlayedGroup {
  readonly maxImpactedMembers: number;
  readonly recoverySeconds: number;
  /** Infinity without anti-affinity. */
  readonly maxInstancesPerHost: number;
}

export interface Script {
  readonly hosts: readonly PlayedHost[];
  readonly instances: readonly PlayedInstance[];
  readonly groups: readonly PlayedGroup[];
  /** Hosts that may be under work at once. */
  readonly mostUnderWork: number;
}

export function scriptOf(facts: VnfFacts): Script {
  const { live, limits } = facts;
  const groups = [...live.groupByKey.values()];
  const positions: Positions = {
    host: new Map(live.hosts.map(({ name }, position) => [name, position])),
    group: new Map(groups.map(({ key }, position) => [key, position])),
  };
  const held = roomHeld(facts);
  const instances = live.instancesBySize().filter(({ host }) => live.hostByName.has(host));
  return {
    hosts: live.hosts.map((host) => playedHost(facts, host, held.get(host.name) ?? noRoom)),
    instances: instances.map((instance) => playedInstance(facts, instance, positions)),
    groups: groups.map(playedGroup),
    mostUnderWork: limits.maxParallelHosts ?? Infinity,
  };
}

/** Of an action of which only the phase is known, not when it began. */
const shareLeft = { asked: 2 / 3, moving: 1 / 3 } as const;

interface Positions {
  readonly host: ReadonlyMap<string, number>;
  readonly group: ReadonlyMap<string, number>;
}

const noRoom: Room = { vcpus: 0, memoryMb: 0 };

/** Counted anew, because a decision that is being made holds room tentatively. */
function roomHeld({ live }: VnfFacts): ReadonlyMap<string, Room> {
  const held = new Map<string, Room>();
  const hold = (hostname: string, { vcpus, memoryMb }: Room): void => {
    const before = held.get(hostname) ?? noRoom;
    held.set(hostname, { vcpus: before.vcpus + vcpus, memoryMb: before.memoryMb + memoryMb });
  };
  for (const instance of live.instanceById.values()) {
    for (const hostname of hostsHolding(instance, live.claimByInstance.get(instance.id))) hold(hostname, instance);
    const reserved = live.reservedTarget.get(instance.id);
    if (reserved !== undefined) hold(reserved, instance);
  }
  for (const claim of live.claimByInstance.values()) {
    if (isInFlight(claim) && !live.instanceById.has(claim.instanceId)) hold(claim.target, claim);
  }
  return held;
}

function playedHost(facts: VnfFacts, host: Host, held: Room): PlayedHost {
  const { vcpus, memoryMb } = host;
  return {
    vcpus,
    memoryMb,
    free: { vcpus: vcpus - held.vcpus, memoryMb: memoryMb - held.memoryMb },
    part: partOf(facts, host),
    maintenanceSeconds: maintenanceSecondsLeft(host, facts.nowMs),
    becomesTarget: becomesTarget(host),
  };
}

function partOf({ live, sessionId }: VnfFacts, host: Host): Part {
  const { work } = host;
  if (!work) return isTarget(host) ? 'kept' : 'out';
  const isOwn = work.sessionId === sessionId;
  if (isOwn && (work.phase === 'emptying' || work.phase === 'maintaining')) return work.phase;
  if (!isTarget(host)) return 'out';
  if (work.phase === 'maintained') return 'maintained';
  return isOwn && goesAtOnce(live, host) ? 'emptying' : 'waiting';
}

/** With nothing on it, it goes under work before all others (parallel-work.ts). */
function goesAtOnce(live: LiveFleet, host: Host): boolean {
  return isEmpty(live, host) && !live.isReservedOnto(host.name);
}

function playedInstance(facts: VnfFacts, instance: Instance, { host, group }: Positions): PlayedInstance {
  const { vcpus, memoryMb } = instance;
  const claim = facts.live.claimByInstance.get(instance.id);
  const reserved = facts.live.reservedTarget.get(instance.id);
  const target = claim && isInFlight(claim) ? claim.target : reserved;
  const targetPosition = target === undefined ? undefined : host.get(target);
  return {
    vcpus,
    memoryMb,
    host: positionOf(instance, claim, host),
    group: group.get(instance.groupKey) ?? 0,
    apart: limitsOf(facts.live, instance).flatMap(({ key, maxInstancesPerHost }) =>
      maxInstancesPerHost === undefined ? [] : (group.get(key) ?? []),
    ),
    actionSeconds: secondsOfAction(instance),
    ...(targetPosition !== undefined && { target: targetPosition }),
    ...(claim && impactOf(claim, instance, facts.nowMs)),
  };
}

/** As on its source, where a move was seen to have come to its end before its claim has: both hosts are still held. */
function positionOf({ host }: Instance, claim: Claim | undefined, positions: ReadonlyMap<string, number>): number {
  const hasLanded = claim?.phase === 'moving' && host === claim.target;
  return (hasLanded ? positions.get(claim.source) : undefined) ?? positions.get(host) ?? 0;
}

function impactOf(
  { phase, recoversAtMs = 0 }: Claim,
  instance: Instance,
  nowMs: number,
): Pick<PlayedInstance, 'arrivesIn' | 'recoversIn'> {
  if (phase !== 'recovering') return { arrivesIn: shareLeft[phase] * secondsOfAction(instance) };
  return { recoversIn: Math.max(0, recoversAtMs - nowMs) / 1000 };
}

function playedGroup({ maxImpactedMembers, recoveryTimeSeconds, maxInstancesPerHost = Infinity }: Group): PlayedGroup {
  return { maxImpactedMembers, recoverySeconds: recoveryTimeSeconds, maxInstancesPerHost };
}
