/** Tells whether a freeze holds sessions at a time, or when it does so next. */
import type { Freeze } from './freeze';
import { openingAt, zoneProblemOf } from './openings';

export interface FreezeStanding {
  readonly isActive: boolean;
  /** Null: it is active, or over, or nobody knows. */
  readonly beginsAt: Date | null;
  /** Of the present or the next time. Null: it is over, it does not end, or nobody knows. */
  readonly endsAt: Date | null;
}

/** A freeze is over when it has dates alone, and they have passed. */
export const isOver = ({ isActive, beginsAt }: FreezeStanding): boolean => !isActive && beginsAt === null;

/** Of a freeze whose time zone is not known here, nobody knows when it begins; sessions keep still meanwhile. */
export const standingOf = (freeze: Freeze, now: Date): FreezeStanding => {
  const calendar = { windows: null, freezes: [freeze] };
  const opening = zoneProblemOf(calendar) === undefined ? openingAt(calendar, now) : undefined;
  if (opening === undefined) return { isActive: true, beginsAt: null, endsAt: null };
  const { opensAt, closesAt, opensAgainAt } = opening;
  if (opensAt > now) return { isActive: true, beginsAt: null, endsAt: opensAt };
  return { isActive: false, beginsAt: closesAt, endsAt: opensAgainAt };
};
