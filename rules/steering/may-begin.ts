/**
 * Decides from the row of a session whether it may begin anything now: no pause, abort or end is in the way, and a
 * maintenance window is open. Activities ask here at the last moment; on which hosts work begins is decided before, in
 * work-now.ts. `recordActionStart` (prisma/moves/claims.ts) decides the same in SQL, in the transaction of the
 * beginning.
 */
import { untilNextLook } from '../decisions/look-again';
import { isWindowOpen, type RecordedWindow } from '../maintenance-windows/is-window-open';

/** The requests of admins to end a session, in its row. */
export interface RequestedEnd {
  readonly state: string;
  readonly abortRequestedAt: Date | null;
  readonly deleteRequestedAt: Date | null;
}

/**
 * True when an abort or a deletion is still to be carried out. A failed session's abort has been carried out, and a
 * session that is done ended first.
 */
export const isToBeAborted = ({ state, abortRequestedAt, deleteRequestedAt }: RequestedEnd): boolean =>
  deleteRequestedAt !== null || (abortRequestedAt !== null && !isOver(state));

const isOver = (state: string): boolean => state === 'MAINTENANCE_FAILED' || state === 'MAINTENANCE_DONE';

/** The columns of a session that may forbid all preparation. */
export interface PreparingSession extends RequestedEnd {
  readonly pausedAt: Date | null;
  /** Null: it is not ending. */
  readonly stopping: string | null;
}

/** False while the session is paused, to be aborted or ending: then nothing is even prepared. */
export const mayPrepare = (session: PreparingSession): boolean =>
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
export const mayBegin = (session: PreparingSession & RecordedWindow, now: Date): boolean =>
  mayPrepare(session) && isWindowOpen(session, now);
