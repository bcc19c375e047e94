/**
 * Tells whether a session misses its deadline, or is expected to. What follows: activities/session/tell-deadline.ts; in
 * a plan: api/services/deadline-blocker.ts.
 */
import type { Fleet } from '../decisions/fleet/fleet';
import { isDone } from '../decisions/fleet/host-work';
import { FleetModel } from '../decisions/model/fleet-model';
import { isEmpty } from '../decisions/model/host-content';
import { type Expectation, secondsUntilBack } from './host-times';

/** expected: the session is expected to miss its deadline. passed: it has missed it. */
export type DeadlineMiss = 'expected' | 'passed';

export interface WorkLeft extends Expectation {
  readonly fleet: Fleet;
  readonly sessionId: string;
  /** Hosts under work at once at most; undefined: as many as is safe. */
  readonly maxParallelHosts?: number;
}

/**
 * The least seconds that the remaining hosts are expected to take if every instance always had a place. At most
 * `maxParallelHosts` hosts are under work at once.
 */
export const leastSecondsLeft = (work: WorkLeft): number => {
  const { fleet, sessionId, nowMs, maxParallelHosts = Infinity } = work;
  const model = new FleetModel(fleet, nowMs);
  const left = model.hostsOf(sessionId).filter((host) => !isDone(host.work));
  const seconds = left.map((host) => secondsUntilBack(model, host, work));
  const sum = seconds.reduce((total, one) => total + one, 0);
  return Math.max(0, ...seconds, sum / maxParallelHosts);
};

/**
 * The same where computes are drained one by one, as in `default`: the next one only when no compute is under work any
 * more. Controllers go one by one beside them. Empty hosts begin at once.
 */
export const leastSecondsOneByOne = (work: WorkLeft): number => {
  const { fleet, sessionId, nowMs } = work;
  const model = new FleetModel(fleet, nowMs);
  const left = model
    .hostsOf(sessionId)
    .filter((host) => !isDone(host.work))
    .map((host) => ({ host, seconds: secondsUntilBack(model, host, work) }));
  const sumOf = (some: typeof left) => some.reduce((total, { seconds }) => total + seconds, 0);
  const longest = (some: typeof left) => Math.max(0, ...some.map(({ seconds }) => seconds));
  const computes = left.filter(({ host }) => host.isCompute && host.type !== 'controller');
  const begun = computes.filter(({ host }) => host.work?.phase !== 'waiting');
  const toDrain = computes.filter(({ host }) => host.work?.phase === 'waiting' && !isEmpty(model, host));
  const controllers = left.filter(({ host }) => host.type === 'controller');
  return Math.max(longest(left), longest(begun) + sumOf(toDrain), sumOf(controllers));
};

export interface DeadlineFacts {
  readonly nowMs: number;
  /** The time before the deadline in which new work may begin. */
  readonly openSeconds: number;
  readonly leastSeconds: number;
  /** The end of the session in its plan; left out: none was made. */
  readonly plannedEndMs?: number;
}

export const deadlineMissOf = (
  deadlineMs: number,
  { nowMs, openSeconds, leastSeconds, plannedEndMs = -Infinity }: DeadlineFacts,
): DeadlineMiss | undefined => {
  if (nowMs >= deadlineMs) return 'passed';
  return leastSeconds > openSeconds || plannedEndMs > deadlineMs ? 'expected' : undefined;
};
