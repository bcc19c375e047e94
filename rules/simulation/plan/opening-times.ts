/** The times at which a planned session may begin, in milliseconds; without a calendar it may at any time. */
import { openingAt, openSecondsBetween, whenOpenFor } from '../../maintenance-windows/openings';
import type { SessionCalendar } from '../../maintenance-windows/session-calendar';
import type { OpenTimes } from '../../steering/work-in-maintenance-window';
import type { PlayedWindows } from '../steered-step';

type Calendar = SessionCalendar | undefined;

const daysInWeek = 7;

/** A freeze splits an opening in two. */
const openingsInWeek = ({ windows, freezes = [] }: SessionCalendar): number =>
  daysInWeek * ((windows?.length ?? 1) + freezes.reduce((sum, { times }) => sum + (times?.length ?? 1), 0));

export const playedWindowsOf = (calendar: SessionCalendar): PlayedWindows => {
  let known: OpenTimes | undefined;
  return {
    openTimesAt: (nowMs) => {
      if (known === undefined || nowMs >= (known.mayBeginUntilMs ?? Infinity)) known = openTimesAt(calendar, nowMs);
      return known;
    },
    openingsInWeek: openingsInWeek(calendar),
  };
};

/** The first time from then on at which something may begin; the time itself where nothing may any more. */
export const mayBeginAtMs = (calendar: Calendar, atMs: number): number => {
  const opensAtMs = calendar === undefined ? atMs : openTimesAt(calendar, atMs).opensAtMs;
  return opensAtMs === Infinity ? atMs : Math.max(atMs, opensAtMs);
};

/** The time by which it was allowed to begin for so long; undefined: it never will have been. */
export const afterOpenMs = (calendar: Calendar, fromMs: number, openMs: number): number | undefined =>
  calendar === undefined ? fromMs + openMs : whenOpenFor(calendar, new Date(fromMs))(openMs / 1000)?.getTime();

export const openMsBetween = (calendar: SessionCalendar, fromMs: number, toMs: number): number =>
  1000 * openSecondsBetween(calendar, new Date(fromMs), new Date(toMs));

export const openTimesAt = (calendar: SessionCalendar, nowMs: number): OpenTimes => {
  const opening = openingAt(calendar, new Date(nowMs));
  if (opening === undefined) return { opensAtMs: Infinity };
  const { opensAt, closesAt, opensAgainAt, longestSeconds, closedBy } = opening;
  return {
    opensAtMs: opensAt.getTime(),
    ...(closesAt !== null && { mayBeginUntilMs: closesAt.getTime() }),
    ...(opensAgainAt !== null && { opensAgainAtMs: opensAgainAt.getTime() }),
    ...(longestSeconds !== null && { longestSeconds }),
    ...(closedBy !== null && { closedBy }),
  };
};
