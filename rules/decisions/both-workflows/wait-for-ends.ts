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
export const waitingForEnds = <Seen extends Pick<Fleet, 'hosts' | 'instances'>>(
  fleet: Seen,
  facts: WaitFacts,
): Seen => {
  if (!fleet.instances.some(({ endsByItself }) => endsByItself)) return fleet;
  const workOn = new Map(fleet.hosts.map(({ name, work }) => [name, work]));
  const instances = fleet.instances.map((instance) => {
    const work = workOn.get(instance.host);
    return work?.sessionId === facts.sessionId ? waitingForEnd(instance, work, facts) : instance;
  });
  return { ...fleet, instances };
};

/** The instance for decisions while the work on its host stands so. */
export const waitingForEnd = (instance: Instance, work: HostWork, facts: WaitFacts): Instance => {
  const { endsByItself } = instance;
  const sinceMs = sinceOf(instance, work, facts);
  if (endsByItself === undefined || sinceMs === undefined) return instance;
  const untilMs = sinceMs + endsByItself.waitSeconds * 1000;
  return untilMs <= facts.nowMs ? instance : { ...instance, cannotMoveNow: waits(endsByItself.because, untilMs) };
};

/** Undefined: it is not waited for. */
const sinceOf = (
  { cannotMoveNow, endsByItself }: Instance,
  { phase, drainingSinceMs }: HostWork,
  { begunAtMs, nowMs }: WaitFacts,
): number | undefined => {
  if (phase === 'emptying') return Math.max(drainingSinceMs ?? nowMs, endsByItself?.sinceMs ?? -Infinity);
  return cannotMoveNow && (begunAtMs ?? nowMs);
};

const waits = (because: string, passesAtMs: number): CannotMoveNow => ({
  because: `${because}: it is waited for until ${atTime(passesAtMs)}`,
  owner: 'project',
  help: 'let it end, or give the session a shorter time (eviction.complete_within_seconds)',
  passesAtMs,
});
