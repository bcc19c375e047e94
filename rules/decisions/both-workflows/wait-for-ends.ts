/**
 * Instances that end by themselves: a session waits for that on a host that it drains, and moves everything else
 * meanwhile. The wait is counted from the recorded time at which the host was first drained, or from the start of the
 * instance where that was later. So it ends, however often a host is given back. Then the instance is moved like any
 * other. One that is kept besides is waited for in the same way, behind the disabled host, to which no others like it
 * come any more; when its time is over it keeps its host.
 */
import {
  type CannotMoveNow,
  expectedEndOf,
  heldBy,
  isNotMadeAgain,
  placedAt,
  released,
  whyHeld,
} from '../../cloud/departure';
import { atTime } from '../../obstacles/blocker';
import type { Fleet, HostWork, Instance } from '../fleet/fleet';
import type { ViewOfInstance } from '../fleet/seen-through';
import { isUnit } from '../limits/impact';

export interface WaitFacts {
  readonly sessionId: string;
  readonly nowMs: number;
}

/** In decisions about the session, nobody moves such an instance as long as it is waited for. Undefined: none is. */
export const heldUntilEnd = (
  fleet: Pick<Fleet, 'hosts' | 'instances' | 'groups'>,
  facts: WaitFacts,
): ViewOfInstance | undefined => {
  if (!fleet.instances.some(expectedEndOf)) return undefined;
  const workOn = new Map(fleet.hosts.map(({ name, work }) => [name, work]));
  const untilOf: UntilOf = (instance) => {
    const work = workOn.get(instance.host);
    return work?.sessionId === facts.sessionId ? endOfWait(instance, work, facts) : undefined;
  };
  const unitUntil = endsOfUnits(fleet, untilOf);
  return (instance) => {
    const ownMs = untilOf(instance);
    const untilMs = ownMs === undefined ? undefined : (unitUntil.get(instance.groupKey) ?? ownMs);
    return heldUntil(untilDrained(instance, workOn.get(instance.host), facts), untilMs, facts);
  };
};

/** The same for one instance, whatever else there is. */
export const waitingForEnd = (instance: Instance, work: HostWork, facts: WaitFacts): Instance =>
  heldUntil(instance, endOfWait(instance, work, facts), facts);

/** One that is kept keeps its host from being begun only once its time there is over. */
const untilDrained = (instance: Instance, work: HostWork | undefined, { sessionId, nowMs }: WaitFacts): Instance => {
  const end = expectedEndOf(instance);
  if (end === undefined || whyHeld(instance) === undefined) return instance;
  if (work?.sessionId !== sessionId || work.phase !== 'waiting') return instance;
  const { drainingSinceMs = nowMs } = work;
  if (nowMs >= drainingSinceMs + end.waitSeconds * 1000) return instance;
  return placedAt(released(instance), { kind: 'nowhere' });
};

/**
 * A plan expects that what is kept and waited for has ended when its time is over. All sessions of the plan see it so.
 * Undefined: there is no such instance.
 */
export const endingOnHosts = (fleet: Pick<Fleet, 'hosts' | 'instances'>, nowMs: number): ViewOfInstance | undefined => {
  if (!fleet.instances.some((instance) => whyHeld(instance) && expectedEndOf(instance))) return undefined;
  const workOn = new Map(fleet.hosts.map(({ name, work }) => [name, work]));
  return (instance) => {
    const work = workOn.get(instance.host);
    if (work === undefined || whyHeld(instance) === undefined) return instance;
    const facts = { sessionId: work.sessionId, nowMs };
    const isWaitedFor = (endOfWait(instance, work, facts) ?? nowMs) > nowMs;
    const seen = isWaitedFor ? released(instance) : untilDrained(instance, work, facts);
    return seen === instance ? instance : placedAt(seen, { kind: 'nowhere', endsThere: true });
  };
};

/** The end of the wait in milliseconds; undefined: it is not waited for. */
type UntilOf = (instance: Instance) => number | undefined;

/**
 * The earliest of the ends, by the key of the unit: the impact on one member is one on all, so the time of all is over
 * with that of the first.
 */
const endsOfUnits = (
  { instances, groups }: Pick<Fleet, 'instances' | 'groups'>,
  untilOf: UntilOf,
): ReadonlyMap<string, number> => {
  const units = new Set(groups.flatMap((group) => (isUnit(group) ? [group.key] : [])));
  const ends = new Map<string, number>();
  for (const instance of instances) {
    const { groupKey } = instance;
    const untilMs = units.has(groupKey) ? untilOf(instance) : undefined;
    if (untilMs !== undefined) ends.set(groupKey, Math.min(untilMs, ends.get(groupKey) ?? Infinity));
  }
  return ends;
};

const endOfWait = (
  instance: Instance,
  { phase, drainingSinceMs }: HostWork,
  { nowMs }: WaitFacts,
): number | undefined => {
  const end = expectedEndOf(instance);
  if (end === undefined || phase !== 'emptying') return undefined;
  const { waitSeconds, sinceMs = -Infinity } = end;
  return Math.max(drainingSinceMs ?? nowMs, sinceMs) + waitSeconds * 1000;
};

const heldUntil = (instance: Instance, untilMs: number | undefined, { nowMs }: WaitFacts): Instance => {
  const end = expectedEndOf(instance);
  if (end === undefined || untilMs === undefined || untilMs <= nowMs) return instance;
  // One that is kept ends there or nowhere: it needs no other place.
  const isKept = whyHeld(instance) !== undefined && !isNotMadeAgain(instance);
  return heldBy(isKept ? placedAt(instance, { kind: 'nowhere' }) : instance, waits(end.because, untilMs));
};

const waits = (because: string, passesAtMs: number): CannotMoveNow => ({
  because: `${because}: it is waited for until ${atTime(passesAtMs)}`,
  owner: 'project',
  help: 'let it end, or give the session a shorter time (eviction.complete_within_seconds)',
  passesAtMs,
});
