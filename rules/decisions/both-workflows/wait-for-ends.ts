/**
 * Instances that end by themselves: a session waits for that on a host that it drains, and moves everything else
 * meanwhile. The wait is counted from the recorded time at which the host was first drained, or from the start of the
 * instance where that was later. So it ends, however often a host is given back. Then the instance is moved like any
 * other. One that is kept besides keeps its host from being begun, and is waited for from the beginning of the session.
 */
import type { CannotMoveNow } from '../../cloud/cloud-facts';
import { atTime } from '../../obstacles/blocker';
import type { Fleet, HostWork, Instance } from '../fleet/fleet';

export interface WaitFacts {
  readonly sessionId: string;
  /** Left out: it has not begun. */
  readonly begunAtMs?: number;
  readonly nowMs: number;
}

/** The fleet for decisions about the session: nobody moves such an instance as long as it is waited for. */
export const waitingForEnds = <Seen extends Pick<Fleet, 'hosts' | 'instances' | 'groups'>>(
  fleet: Seen,
  facts: WaitFacts,
): Seen => {
  if (!fleet.instances.some(({ endsByItself }) => endsByItself)) return fleet;
  const workOn = new Map(fleet.hosts.map(({ name, work }) => [name, work]));
  const untilOf: UntilOf = (instance) => {
    const work = workOn.get(instance.host);
    return work?.sessionId === facts.sessionId ? endOfWait(instance, work, facts) : undefined;
  };
  const unitUntil = endsOfUnits(fleet, untilOf);
  const instances = fleet.instances.map((instance) => {
    const until = untilOf(instance);
    const untilMs = until?.isDrained ? (unitUntil.get(instance.groupKey) ?? until.ms) : until?.ms;
    return heldUntil(instance, untilMs, facts);
  });
  return { ...fleet, instances };
};

/** The same for one instance, whatever else there is. */
export const waitingForEnd = (instance: Instance, work: HostWork, facts: WaitFacts): Instance =>
  heldUntil(instance, endOfWait(instance, work, facts)?.ms, facts);

interface EndOfWait {
  readonly ms: number;
  /** False: its host is not begun, since it is kept besides. */
  readonly isDrained: boolean;
}

/** Undefined: it is not waited for. */
type UntilOf = (instance: Instance) => EndOfWait | undefined;

/**
 * The earliest of the ends, by the key of the unit: the impact on one member is one on all, so the time of all is over
 * with that of the first.
 */
const endsOfUnits = (
  { instances, groups }: Pick<Fleet, 'instances' | 'groups'>,
  untilOf: UntilOf,
): ReadonlyMap<string, number> => {
  const units = new Set(groups.flatMap(({ key, isOneUnit }) => (isOneUnit ? [key] : [])));
  const ends = new Map<string, number>();
  for (const instance of instances) {
    const { groupKey } = instance;
    const until = units.has(groupKey) ? untilOf(instance) : undefined;
    if (until?.isDrained) ends.set(groupKey, Math.min(until.ms, ends.get(groupKey) ?? Infinity));
  }
  return ends;
};

const endOfWait = (
  { cannotMoveNow, endsByItself }: Instance,
  { phase, drainingSinceMs }: HostWork,
  { begunAtMs, nowMs }: WaitFacts,
): EndOfWait | undefined => {
  if (endsByItself === undefined) return undefined;
  const { waitSeconds, sinceMs = -Infinity } = endsByItself;
  const waitMs = waitSeconds * 1000;
  if (phase === 'emptying') return { ms: Math.max(drainingSinceMs ?? nowMs, sinceMs) + waitMs, isDrained: true };
  return cannotMoveNow && { ms: (begunAtMs ?? nowMs) + waitMs, isDrained: false };
};

const heldUntil = (instance: Instance, untilMs: number | undefined, { nowMs }: WaitFacts): Instance => {
  const { endsByItself } = instance;
  if (endsByItself === undefined || untilMs === undefined || untilMs <= nowMs) return instance;
  return { ...instance, cannotMoveNow: waits(endsByItself.because, untilMs) };
};

const waits = (because: string, passesAtMs: number): CannotMoveNow => ({
  because: `${because}: it is waited for until ${atTime(passesAtMs)}`,
  owner: 'project',
  help: 'let it end, or give the session a shorter time (eviction.complete_within_seconds)',
  passesAtMs,
});
