/**
 * Decides from the row of a session whether it may begin anything now: no pause, abort or end is in the way, and a
 * maintenance window is open. Activities ask here at the last moment; on which hosts work begins is decided before, in
 * rules/steering/work-now.ts. `recordActionStart` (prisma/moves/claims.ts) decides the same in SQL, in the transaction
 * of the beginning.
 */
import { untilNextLook } from '../../rules/decisions/look-again';
import { isWindowOpen, type RecordedWindow } from '../../rules/maintenance-windows/is-window-open';
import { databaseNow, type Queryable } from '../database';
import { findSessionProgress, isToBeAborted, type SessionProgress } from './session-progress';

/** False while the session is paused, to be aborted or ending: then nothing is even prepared. */
export const mayPrepare = (session: SessionProgress): boolean =>
  session.pausedAt === null && session.stopping === null && !isToBeAborted(session);

/** The time until a session that waits for a window looks again. Whatever else it waits for wakes it. */
export const untilOpenMs = (session: RecordedWindow, now: Date): number => {
  const { windowOpensAt } = session;
  return untilNextLook(
    isWindowOpen(session, now) || windowOpensAt === null ? [] : [windowOpensAt.getTime() - now.getTime()],
  );
};

/**
 * False while the session may prepare nothing, or no maintenance window of it is open: then no host is disabled and
 * drained, and nothing is asked, moved or maintained. `recordActionStart` says the same in SQL (`isWindowOpen`).
 */
export const mayBegin = (session: SessionProgress, now: Date): boolean =>
  mayPrepare(session) && isWindowOpen(session, now);

/** The same, from the session's present row. A session that is gone begins nothing. */
export const mayBeginIn = async (db: Queryable, sessionId: string): Promise<boolean> => {
  const session = await findSessionProgress(db, sessionId);
  return session !== null && mayBegin(session, await databaseNow(db));
};
