/** Tells once that a session will not be over at its deadline, or was not: in its row, as an event and in the log. */
import { type DeadlineMiss, deadlineMissOf, leastSecondsLeft } from '../../planning/rolling/deadline';
import { asksInstances } from '../../planning/rolling/ways-of-rolling';
import type { Transaction } from '../../prisma/database';
import { changeSession, type SessionProgress } from '../../prisma/session/session-progress';
import type { FleetFacts } from '../../snapshot/load-fleet';
import { openSecondsBetween } from '../../windows/openings';
import { logFact } from '../log-facts';
import type { Services } from '../services';
import { tellSession } from './tell-session';

interface Looked {
  /** The locked row. */
  readonly session: SessionProgress;
  readonly now: Date;
  /** Left out: it is not known how much is left to do. */
  readonly fleet?: FleetFacts['fleet'];
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

const missOf = ({ limits }: Telling, deadline: Date, { session, now, fleet }: Looked): DeadlineMiss | undefined => {
  const nowMs = now.getTime();
  const leastSeconds = fleet === undefined ? 0 : leastSecondsOf(limits, session, { fleet, nowMs });
  const secondsLeft = (deadline.getTime() - nowMs) / 1000;
  const { windows } = session;
  const isTooFar = secondsLeft > windowsAheadSeconds;
  const isOpenThroughout = windows === null || secondsLeft <= 0 || leastSeconds === 0 || isTooFar;
  // Work that fits into the time may still not fit into the windows.
  const openSeconds = isOpenThroughout ? secondsLeft : openSecondsBetween(windows, now, deadline);
  return deadlineMissOf(deadline.getTime(), { nowMs, openSeconds, leastSeconds });
};

/** `default` has its controllers beside the one host that it drains, so no number of hosts at once is known of it. */
const leastSecondsOf = (
  { projectReplySeconds: replySeconds }: Telling['limits'],
  session: SessionProgress,
  { fleet, nowMs }: { readonly fleet: FleetFacts['fleet']; readonly nowMs: number },
): number => {
  const atOnce = asksInstances(session) ? session.maxParallelHosts : null;
  const cap = atOnce === null ? {} : { maxParallelHosts: atOnce };
  return leastSecondsLeft({ fleet, sessionId: session.id, nowMs, replySeconds, ...cap });
};
