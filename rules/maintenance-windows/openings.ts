/** When a session's maintenance windows open and close: the one that is open or opens next, as instants. */
import type { MaintenanceWindow } from './maintenance-window';
import { lastDateOf, openingDays } from './opening-days';
import { type CalendarDay, dayAfter, dayAt, instantOf, isTimeZone } from './zoned-time';

export interface Opening {
  readonly opensAt: Date;
  /** Null: it does not close, since window follows window without a break. */
  readonly closesAt: Date | null;
  /** The time when the windows open again after that; null: they do not close, or this is the last time. */
  readonly opensAgainAt: Date | null;
  /** How long the longest opening is; null: it does not close. */
  readonly longestSeconds: number | null;
}

interface Interval {
  readonly fromMs: number;
  readonly toMs: number;
}

const dayMs = 86_400_000;
/** A window that began the day before yesterday may still be open: zones have skipped whole days. */
const lookBackDays = 2;
/** A week until it opens, a week that it is open, and a day for clocks that change. */
const weeklyDays = 16;
/** The fifth weekday of a month comes twice within these days. */
const monthlyDays = 220;
/** No date of a window lies farther ahead (api/parsing/check-steering.ts). */
export const mostDaysAhead = 1_100;

/** Windows that are alike in each week. */
const areWeekly = (windows: readonly MaintenanceWindow[]): boolean =>
  windows.every(({ nth, dates, except }) => nth === undefined && dates === undefined && except === undefined);

const daysUntilLastDate = (windows: readonly MaintenanceWindow[], fromMs: number): number => {
  const times = windows.flatMap((window) => lastDateOf(window) ?? []).map((date) => Date.parse(date));
  return Math.max(0, Math.ceil((Math.max(fromMs, ...times) - fromMs) / dayMs));
};

/** How far ahead to look, nearest first: what repeats is seen within the last of these numbers of days. */
const horizonsOf = (windows: readonly MaintenanceWindow[], now: Date): number[] => {
  if (areWeekly(windows)) return [weeklyDays];
  const datedDays = Math.min(mostDaysAhead, daysUntilLastDate(windows, now.getTime()));
  return [weeklyDays, monthlyDays, datedDays + monthlyDays];
};

interface OpeningsAhead {
  readonly openings: readonly Interval[];
  /** Whoever is open until then was not seen to close. */
  readonly seenUntilMs: number;
}

const openingsAhead = (windows: readonly MaintenanceWindow[], now: Date): OpeningsAhead => {
  let ahead: OpeningsAhead = { openings: [], seenUntilMs: now.getTime() };
  for (const days of horizonsOf(windows, now)) {
    const all = joined(windows.flatMap((window) => intervalsOf(window, now, days)));
    ahead = {
      openings: all.filter(({ toMs }) => toMs > now.getTime()),
      seenUntilMs: now.getTime() + (days - 1) * dayMs,
    };
    const [first] = ahead.openings;
    if (first !== undefined && first.toMs < ahead.seenUntilMs && ahead.openings.length > 1) break;
  }
  return ahead;
};

/**
 * Windows that overlap, or follow each other without a break, are one opening. Undefined: they do not open any more.
 *
 * @throws RangeError for a time zone that is not known here; `zoneProblemOf` says so before
 */
export const openingAt = (windows: readonly MaintenanceWindow[], now: Date): Opening | undefined => {
  const { openings, seenUntilMs } = openingsAhead(windows, now);
  const [first, second] = openings;
  if (first === undefined) return undefined;
  const isEndless = first.toMs >= seenUntilMs;
  return {
    opensAt: new Date(first.fromMs),
    closesAt: isEndless ? null : new Date(first.toMs),
    opensAgainAt: isEndless || second === undefined ? null : new Date(second.fromMs),
    longestSeconds: isEndless ? null : Math.max(...openings.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000)),
  };
};

/** Why nobody can work out here when the windows open; undefined: the zones are known. */
export const zoneProblemOf = (windows: readonly MaintenanceWindow[]): string | undefined => {
  const unknown = windows.map(({ timeZone }) => timeZone).find((name) => !isTimeZone(name));
  if (unknown === undefined) return undefined;
  return `Node.js ${process.versions.node} does not know the time zone ${unknown} of the maintenance windows`;
};

/** Why the windows do not open any more, or nobody knows when; undefined: they open. */
export const problemOf = (windows: readonly MaintenanceWindow[], now: Date): string | undefined =>
  zoneProblemOf(windows) ??
  (openingAt(windows, now) === undefined ? 'all dates of the maintenance windows are over' : undefined);

/** Counts the seconds between the two times for which a window is open. */
export const openSecondsBetween = (windows: readonly MaintenanceWindow[], from: Date, to: Date): number => {
  return lengthOf(openBetween(windows, from.getTime(), to.getTime())) / 1000;
};

const openBetween = (windows: readonly MaintenanceWindow[], fromMs: number, toMs: number): Interval[] => {
  const aheadDays = Math.ceil((toMs - fromMs) / dayMs) + 1;
  return joined(windows.flatMap((window) => intervalsOf(window, new Date(fromMs), aheadDays)))
    .map((one) => ({ fromMs: Math.max(one.fromMs, fromMs), toMs: Math.min(one.toMs, toMs) }))
    .filter((one) => one.fromMs < one.toMs);
};

const lengthOf = (intervals: readonly Interval[]): number =>
  intervals.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);

/**
 * Calendars and zones are read for this number of days. Windows repeat, so later days are like these: farther ahead, a
 * change of the clocks in between makes an hour's difference.
 */
const periodDays = 28;
/** The same where windows repeat by the month: the days of a year, in whole weeks. */
const longPeriodDays = 364;

/**
 * Tells when windows will have been open for so long in all. One look at the calendar serves all times asked for.
 *
 * @returns undefined for a time that they will never have been open for, since they open on dates alone
 */
export const whenOpenFor = (
  windows: readonly MaintenanceWindow[],
  from: Date,
): ((seconds: number) => Date | undefined) => {
  const fromMs = from.getTime();
  const opening = openingAt(windows, from);
  if (opening === undefined) return () => undefined;
  if (opening.closesAt === null) return (seconds) => new Date(fromMs + seconds * 1000);
  const days = areWeekly(windows) ? periodDays : longPeriodDays + daysUntilLastDate(windows, fromMs);
  const open = openBetween(windows, fromMs, fromMs + days * dayMs);
  const openMs = lengthOf(open);
  const isRepeated = windows.some((window) => window.days !== undefined);
  return (seconds) => {
    const ms = seconds * 1000;
    const periods = Math.max(0, Math.ceil(ms / openMs) - 1);
    if (periods > 0 && !isRepeated) return undefined;
    return new Date(afterOpenMs(open, ms - periods * openMs) + periods * days * dayMs);
  };
};

/** @param ms at most as long as they are open in all */
const afterOpenMs = (open: readonly Interval[], ms: number): number => {
  let leftMs = ms;
  for (const { fromMs, toMs } of open) {
    if (leftMs <= toMs - fromMs) return fromMs + leftMs;
    leftMs -= toMs - fromMs;
  }
  return open.at(-1)?.toMs ?? Infinity;
};

const intervalsOf = (window: MaintenanceWindow, now: Date, aheadDays: number): Interval[] =>
  openingDays(window, dayAt(now, window.timeZone).subtract({ days: lookBackDays }), lookBackDays + aheadDays)
    .map((day) => intervalOn(day, window))
    // A gap of the clocks may swallow a window.
    .filter(({ fromMs, toMs }) => fromMs < toMs);

const midnight = '00:00';

const intervalOn = (day: CalendarDay, { from = midnight, to = midnight, timeZone }: MaintenanceWindow): Interval => {
  const lastDay = to <= from ? dayAfter(day) : day;
  return {
    fromMs: instantOf(day, from, { timeZone, ofTwo: 'first' }).getTime(),
    toMs: instantOf(lastDay, to, { timeZone, ofTwo: 'second' }).getTime(),
  };
};

const joined = (intervals: readonly Interval[]): Interval[] => {
  const merged: Interval[] = [];
  for (const interval of [...intervals].sort((one, other) => one.fromMs - other.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || last.toMs < interval.fromMs) merged.push(interval);
    else merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, interval.toMs) };
  }
  return merged;
};
