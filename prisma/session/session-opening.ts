/**
 * When a session may begin anything, in its row: the opening that is there or comes next, as instants. It is worked out
 * from the session's windows and the freezes whenever one of them changes, and once it has closed
 * (docs/design/maintenance-windows.md).
 */
import type { Freeze } from '../../rules/maintenance-windows/freeze';
import { openingAt, problemOf, zoneProblemOf } from '../../rules/maintenance-windows/openings';
import {
  calendarOf,
  type SessionCalendar,
  type TimesOfSession,
} from '../../rules/maintenance-windows/session-calendar';
import { databaseNow, type Transaction } from '../database';

/** All null: the session may begin at any time, and no freeze is there or to come. */
export interface StoredOpening {
  readonly windowOpensAt: Date | null;
  /** Null: it does not close. */
  readonly windowClosesAt: Date | null;
  readonly windowOpensAgainAt: Date | null;
  /** How long the longest opening is; null: one does not close, or none was worked out. */
  readonly windowLongestSeconds: number | null;
  /** Why the worker that looked last cannot work out when it opens; null: it can. Nothing begins meanwhile. */
  readonly windowProblem: string | null;
  /** The freeze without which it would open before, or be open, in words. */
  readonly windowFrozenBy: string | null;
  /** The freeze that begins when it closes, in words; null: a window ends then. */
  readonly windowClosedBy: string | null;
}

export const noOpening: StoredOpening = {
  windowOpensAt: null,
  windowClosesAt: null,
  windowOpensAgainAt: null,
  windowLongestSeconds: null,
  windowProblem: null,
  windowFrozenBy: null,
  windowClosedBy: null,
};

export const storedOpeningOf = (calendar: SessionCalendar | undefined, now: Date): StoredOpening => {
  if (calendar === undefined) return noOpening;
  const opening = zoneProblemOf(calendar) === undefined ? openingAt(calendar, now) : undefined;
  if (opening === undefined) return { ...noOpening, windowProblem: problemOf(calendar, now) ?? null };
  const { opensAt, closesAt, opensAgainAt, longestSeconds, frozenBy, closedBy } = opening;
  if (calendar.windows === null && opensAt <= now && closesAt === null) return noOpening;
  return {
    windowOpensAt: opensAt,
    windowClosesAt: closesAt,
    windowOpensAgainAt: opensAgainAt,
    windowLongestSeconds: longestSeconds,
    windowProblem: null,
    windowFrozenBy: frozenBy,
    windowClosedBy: closedBy,
  };
};

interface OpeningToRecord {
  readonly sessionId: string;
  readonly freezes: readonly Freeze[];
}

/** Works out the opening from the present row, and writes it down. */
export const recordOpening = async (
  tx: Transaction,
  { sessionId, freezes }: OpeningToRecord,
): Promise<StoredOpening> => {
  const select = { windows: true, ignoreFreezes: true } as const;
  const row = await tx.session.findUniqueOrThrow({ where: { id: sessionId }, select });
  // The columns hold what the API's parsers let in.
  const opening = storedOpeningOf(calendarOf(row as unknown as TimesOfSession, freezes), await databaseNow(tx));
  await tx.session.update({ where: { id: sessionId }, data: opening });
  return opening;
};

/**
 * The same for all unfinished sessions, under their rows' locks, which are taken in one order: nothing that a freeze
 * forbids begins after the commit, because every beginning waits for the lock. A session that is being created waits
 * for the lock of the freezes.
 */
export const recordOpenings = async (tx: Transaction, freezes: readonly Freeze[]): Promise<void> => {
  // The locked rows tell which sessions ignore freezes: another request may just have changed that.
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM session WHERE deleted_at IS NULL AND state <> 'MAINTENANCE_DONE' ORDER BY id FOR UPDATE`;
  for (const { id: sessionId } of rows) await recordOpening(tx, { sessionId, freezes });
};
