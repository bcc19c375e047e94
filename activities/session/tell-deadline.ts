/** Tells once that a session will not be over at its deadline, or was not: in its row, as an event and in the log. */
import type { ExpectedTimes } from '../../planning/fleet/expected-times';
import {
  type DeadlineMiss,
  deadlineMissOf,
  leastSecondsLeft,
  leastSecondsOneByOne,
  type WorkLeft,
} from '../../planning/rolling/deadline';
import { asksInstances } from '../../planning/rolling/ways-of-rolling';
import type { Transaction } from '../../prisma/database';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import type { FleetFacts } from '../../snapshot/load-fleet';
import { openSecondsBetween, problemOf } from '../../windows/openings';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from './tell-session';

interface Looked {
  /** The locked row. */
  readonly session: SessionProgress;
  readonly now: Date;
  /** Left out: it is not known how much is left to do. */
  readonly fleet?: FleetFacts['fleet'];
  /** Left out: as where nothing was seen yet. */
  readonly expected?: ExpectedTimes;
}

type Telling = Pick<Services, 'drafts' | 'logger' | 'limits'>;

export const tellOfDeadline = async (services: Telling, tx: Transaction, looked: Looked): Promise<void> => {
  const { id: sessionId, deadline, deadlineMissed, state } = looked.session;
  if (deadline === null || deadlineMissed !== null) return;
  const missed = missOf(services, deadline, looked);
  if (missed === undefined) return;
  await changeSession(tx, sessionId, { deadlineMissed: missed });
  await tellSession(services, tx, { sessionId, state, deadline: { at: deadline, missed } });
  logFact(services, tx, { what: `deadline missed, ${missed}`, level: 'warn', sessionId, deadline });
};

/**
 * A deadline that is farther away is compared with the time alone: decisions, for which others wait, would work out the
 * windows of years. In seconds: 31 days.
 */
const windowsAheadSeconds = 31 * 86_400;

const missOf = ({ limits }: Telling, deadline: Date, looked: Looked): DeadlineMiss | undefined => {
  const { session, now, fleet, expected } = looked;
  const nowMs = now.getTime();
  const expecting = expected === undefined ? {} : { expected };
  const leastSeconds = fleet === undefined ? 0 : leastSecondsOf(limits, session, { fleet, nowMs, ...expecting });
  const secondsLeft = (deadline.getTime() - nowMs) / 1000;
  const { windows } = session;
  const isTooFar = secondsLeft > windowsAheadSeconds;
  const isUnknown = windows !== null && problemOf(windows) !== undefined;
  const isOpenThroughout = windows === null || isUnknown || secondsLeft <= 0 || leastSeconds === 0 || isTooFar;
  // Work that fits into the time may still not fit into the windows.
  const openSeconds = isOpenThroughout ? secondsLeft : openSecondsBetween(windows, now, deadline);
  return deadlineMissOf(deadline.getTime(), { nowMs, openSeconds, leastSeconds });
};

const leastSecondsOf = (
  { projectReplySeconds: replySeconds }: Telling['limits'],
  session: SessionProgress,
  look: Pick<WorkLeft, 'fleet' | 'nowMs' | 'expected'>,
): number => {
  const work = { ...look, sessionId: session.id, replySeconds };
  if (!asksInstances(session)) return leastSecondsOneByOne(work);
  const { maxParallelHosts } = session;
  return leastSecondsLeft({ ...work, ...(maxParallelHosts !== null && { maxParallelHosts }) });
};
