/**
 * Decides whether a maintenance window of a session is open at a time. The service, virtual time and the answers of the
 * API ask here. `recordActionStart` (prisma/moves/claims.ts) says the same in SQL. When windows open and close:
 * openings.ts.
 */

/** Milliseconds. */
export interface OpenSpan {
  readonly opensAtMs: number;
  /** Undefined: it does not close. */
  readonly closesAtMs?: number | undefined;
}

export const isOpenAt = ({ opensAtMs, closesAtMs = Infinity }: OpenSpan, nowMs: number): boolean =>
  opensAtMs <= nowMs && nowMs < closesAtMs;

/** The window in the row of a session. */
export interface RecordedWindow {
  /** Null: the session has no maintenance windows, and is always open. */
  readonly windows: object | null;
  /** Null: nobody can say when it opens. */
  readonly windowOpensAt: Date | null;
  /** Null: it does not close. */
  readonly windowClosesAt: Date | null;
}

export const isWindowOpen = ({ windows, windowOpensAt, windowClosesAt }: RecordedWindow, now: Date): boolean => {
  if (windows === null) return true;
  if (windowOpensAt === null) return false;
  return isOpenAt({ opensAtMs: windowOpensAt.getTime(), closesAtMs: windowClosesAt?.getTime() }, now.getTime());
};
