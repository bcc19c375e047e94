/** When a session's maintenance windows open and close: the one that is open or opens next, as instants. */
import type { MaintenanceWindow } from './maintenance-window';
import { type CalendarDay, dayAfter, daysAround, instantOf, isTimeZone, weekdayOf } from './zoned-time';

export interface Opening {
  readonly opensAt: Date;
  /** Null: it does not close, since window follows window without a break. */
  readonly closesAt: Date | null;
  /** The time when the windows open again after that; null: they do not close. */
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
const lookAheadDays = 16;
/** Windows repeat each week, so what stays open for longer than that never closes. */
const endlessMs = 7.5 * dayMs;

/** Windows that overlap, or follow each other without a break, are one opening. */
export const openingAt = (windows: readonly MaintenanceWindow[], now: Date): Opening => {
  const ahead = joined(windows.flatMap((window) => intervalsOf(window, now))).filter(
    ({ toMs }) => toMs > now.getTime(),
  );
  const [first, second] = ahead;
  if (first === undefined) throw new RangeError('these maintenance windows never open');
  const isEndless = first.toMs - Math.max(first.fromMs, now.getTime()) > endlessMs;
  return {
    opensAt: new Date(first.fromMs),
    closesAt: isEndless ? null : new Date(first.toMs),
    opensAgainAt: isEndless || second === undefined ? null : new Date(second.fromMs),
    longestSeconds: isEndless ? null : Math.max(...ahead.map(({ fromMs, toMs }) => (toMs - fromMs) / 1000)),
  };
};

/** Why it cannot be worked out here when the windows open, and what helps; undefined: it can. */
export const problemOf = (windows: readonly MaintenanceWindow[]): string | undefined => {
  const unknown = windows.map(({ timeZone }) => timeZone).find((name) => !isTimeZone(name));
  if (unknown === undefined) return undefined;
  return (
    `Node.js ${process.versions.node} does not know the time zone ${unknown} of the maintenance windows; ` +
    'update Node.js of workers and API, or change windows by PATCH'
  );
};

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
 * Time zones are read for this number of days. Windows repeat each week, so later days are like these: farther ahead, a
 * change of the clocks in between makes an hour's difference.
 */
const periodDays = 28;
const periodMs = periodDays * dayMs;

/** Tells when windows will have been open for so long in all. One look at the zones serves all times asked for. */
export const whenOpenFor = (windows: readonly MaintenanceWindow[], from: Date): ((seconds: number) => Date) => {
  const fromMs = from.getTime();
  if (openingAt(windows, from).closesAt === null) return (seconds) => new Date(fromMs + seconds * 1000);
  const open = openBetween(windows, fromMs, fromMs + periodMs);
  const openMs = lengthOf(open);
  return (seconds) => {
    const ms = seconds * 1000;
    const periods = Math.max(0, Math.ceil(ms / openMs) - 1);
    return new Date(afterOpenMs(open, ms - periods * openMs) + periods * periodMs);
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

const intervalsOf = (window: MaintenanceWindow, now: Date, aheadDays = lookAheadDays): Interval[] =>
  daysAround(now, window.timeZone, { before: lookBackDays, count: lookBackDays + aheadDays })
    .filter((day) => window.days.some((name) => name === weekdayOf(day)))
    .map((day) => intervalOn(day, window))
    // A gap of the clocks may swallow a window.
    .filter(({ fromMs, toMs }) => fromMs < toMs);

const intervalOn = (day: CalendarDay, { from, to, timeZone }: MaintenanceWindow): Interval => {
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
