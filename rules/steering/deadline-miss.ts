/** Tells if a session will miss its deadline. The event and the plan both ask this, so that they agree. */
import { asksInstances, type RollingSession } from '../decisions/both-workflows/built-in-workflow';
import type { Fleet, Instance } from '../decisions/fleet/fleet';
import { isDone } from '../decisions/fleet/host-work';
import type { ExpectedTimes } from '../expectations/expected-times';
import type { Freeze } from '../maintenance-windows/freeze';
import { openSecondsBetween, zoneProblemOf } from '../maintenance-windows/openings';
import { calendarOf, type TimesOfSession } from '../maintenance-windows/session-calendar';
import { haveOwnerTimes, lastReleased, releasedAtMs } from '../owner-times/release';
import { type DeadlineMiss, deadlineMissOf, leastSecondsLeft, leastSecondsOneByOne } from './deadline';

/** Null: not given. */
export interface SessionWithDeadline extends RollingSession, TimesOfSession {
  readonly id: string;
  readonly deadline: Date | null;
  readonly maxParallelHosts: number | null;
}

export interface DeadlineLook {
  readonly nowMs: number;
  readonly freezes: readonly Freeze[];
  /** Left out: it is not known how much is left to do. */
  readonly fleet?: Fleet;
  /** Left out: as where nothing was seen yet. */
  readonly expected?: ExpectedTimes;
  /** Seconds that a project has for its reply where its constraints do not say. */
  readonly replySeconds: number;
  /** The end of the session in its plan, if one was made; Infinity: it does not end. */
  readonly plannedEndMs?: number;
}

/**
 * The seconds (31 days) from which a deadline is compared with the time alone: decisions, for which others wait, would
 * work out the windows of years.
 */
const windowsAheadSeconds = 31 * 86_400;

export const deadlineMissIn = (session: SessionWithDeadline, look: DeadlineLook): DeadlineMiss | undefined => {
  const { deadline } = session;
  if (deadline === null) return undefined;
  const { nowMs, freezes } = look;
  const calendar = calendarOf(session, freezes);
  const leastSeconds = leastSecondsOf(session, look);
  const secondsLeft = (deadline.getTime() - nowMs) / 1000;
  const isTooFar = secondsLeft > windowsAheadSeconds;
  const isUnknown = calendar !== undefined && zoneProblemOf(calendar) !== undefined;
  const isOpenThroughout = calendar === undefined || isUnknown || secondsLeft <= 0 || leastSeconds === 0 || isTooFar;
  // Work that fits into the time may still not fit into the windows, or between freezes.
  const openSeconds = isOpenThroughout ? secondsLeft : openSecondsBetween(calendar, new Date(nowMs), deadline);
  const last = lastPutOff(session.id, look);
  const releasedMs = last === undefined ? -Infinity : releasedAtMs(last, nowMs);
  const plannedEndMs = Math.max(look.plannedEndMs ?? -Infinity, releasedMs);
  return deadlineMissOf(deadline.getTime(), { nowMs, openSeconds, leastSeconds, plannedEndMs });
};

/** The instance whose owner has set the last time, after which alone the session ends; undefined: none has set one. */
export const lastPutOff = (
  sessionId: string,
  { fleet, nowMs }: Pick<DeadlineLook, 'fleet' | 'nowMs'>,
): Instance | undefined => {
  if (fleet === undefined || !haveOwnerTimes(fleet.instances)) return undefined;
  return lastReleased(instancesToLeave(fleet, sessionId), nowMs);
};

/** Those on the hosts that the session has not done yet. */
export const instancesToLeave = ({ hosts, instances }: Fleet, sessionId: string): readonly Instance[] => {
  const own = hosts.filter(({ work }) => work?.sessionId === sessionId && !isDone(work));
  const names = new Set(own.map(({ name }) => name));
  return instances.filter(({ host }) => names.has(host));
};

const leastSecondsOf = (session: SessionWithDeadline, look: DeadlineLook): number => {
  const { fleet, nowMs, replySeconds, expected } = look;
  if (fleet === undefined) return 0;
  const work = { fleet, sessionId: session.id, nowMs, replySeconds, ...(expected && { expected }) };
  if (!asksInstances(session)) return leastSecondsOneByOne(work);
  const { maxParallelHosts } = session;
  return leastSecondsLeft({ ...work, ...(maxParallelHosts !== null && { maxParallelHosts }) });
};
