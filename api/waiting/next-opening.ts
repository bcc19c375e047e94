/** When a session that may begin nothing now may begin again, by its row: also before a worker has looked. */
import type { StoredOpening } from '../../prisma/session/session-opening';

export interface NextOpening {
  /** Null: nobody knows, or there is none. */
  readonly opensAt: Date | null;
  /** The freeze that keeps the session from beginning now, in words; null: there is none. */
  readonly frozenBy: string | null;
}

export const nextOpening = (opening: StoredOpening, now: Date): NextOpening => {
  const { windowOpensAt, windowClosesAt, windowOpensAgainAt, windowFrozenBy, windowClosedBy } = opening;
  const hasClosed = windowClosesAt !== null && windowClosesAt <= now;
  return hasClosed
    ? { opensAt: windowOpensAgainAt, frozenBy: windowClosedBy }
    : { opensAt: windowOpensAt, frozenBy: windowFrozenBy };
};
