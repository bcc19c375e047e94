/**
 * Decides whether a session may begin anything at a time, by its maintenance windows and the freezes. The service,
 * virtual time and the answers of the API ask here. `recordActionStart` (prisma/moves/claims.ts) says the same in SQL.
 * When windows open and close: openings.ts.
 */

/** Milliseconds. */
export interface OpenSpan {
  readonly opensAtMs: number;
  /** Undefined: it does not close. */
  readonly closesAtMs?: number | undefined;
}

export const isOpenAt = ({ opensAtMs, closesAtMs = Infinity }: OpenSpan, nowMs: number): boolean =>
  opensAtMs <= nowMs && nowMs < closesAtMs;

/** The opening in the row of a session. */
export interface RecordedWindow {
  readonly windows: object | null;
  /** Null: nobody can say when it opens; or the session has no windows, and no freeze is there or to come. */
  readonly windowOpensAt: Date | null;
  /** Null: it does not close. */
  readonly windowClosesAt: Date | null;
  /** Why nobody can say when it opens. */
  readonly windowProblem: string | null;
}

/** False: the session may begin at any time. */
export const isBoundToTimes = ({ windows, windowOpensAt, windowProblem }: Omit<RecordedWindow, 'windowClosesAt'>) =>
  windows !== null || windowOpensAt !== null || windowProblem !== null;

export const isWindowOpen = (recorded: RecordedWindow, now: Date): boolean => {
  const { windowOpensAt, windowClosesAt } = recorded;
  if (!isBoundToTimes(recorded)) return true;
  if (windowOpensAt === null) return false;
  return isOpenAt({ opensAtMs: windowOpensAt.getTime(), closesAtMs: windowClosesAt?.getTime() }, now.getTime());
};
