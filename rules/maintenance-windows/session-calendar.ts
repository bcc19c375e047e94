/**
 * The times at which a session may begin anything: its maintenance windows, or any time, without the freezes. When that
 * is, as instants: openings.ts.
 */
import { type Freeze, freezeInWords } from './freeze';
import { type Interval, joined, without } from './intervals';
import type { MaintenanceWindow } from './maintenance-window';
import { lastDateOf } from './opening-days';
import { intervalsOf } from './window-intervals';
import { isTimeZone } from './zoned-time';

export interface SessionCalendar {
  /** Null: at any time. */
  readonly windows: readonly MaintenanceWindow[] | null;
  /** Left out: there are none. */
  readonly freezes?: readonly Freeze[];
}

/** The part of a session's steering that says when it may begin. */
export interface TimesOfSession {
  readonly windows: readonly MaintenanceWindow[] | null;
  /** The reason why the freezes do not count for the session; null: they count. */
  readonly ignoreFreezes: string | null;
}

/** Undefined: the session may begin at any time. */
export const calendarOf = (
  { windows, ignoreFreezes }: TimesOfSession,
  freezes: readonly Freeze[],
): SessionCalendar | undefined => {
  const kept = ignoreFreezes === null ? freezes : [];
  return windows === null && kept.length === 0 ? undefined : { windows, freezes: kept };
};

/** The windows, and the times of freezes, which have the same grammar. */
const grammarOf = ({ windows, freezes = [] }: SessionCalendar): readonly MaintenanceWindow[] => [
  ...(windows ?? []),
  ...freezes.flatMap(({ times = [] }) => times),
];

/** True where something in it repeats by the month, and not by the week alone. */
export const isMonthly = (calendar: SessionCalendar): boolean =>
  grammarOf(calendar).some(({ nth }) => nth !== undefined);

/** True where the session may begin again and again: at any time, or on weekdays. */
export const mayAlwaysBeginAgain = ({ windows }: SessionCalendar): boolean =>
  windows === null || windows.some(({ days }) => days !== undefined);

/** The last time that a date of windows, or a freeze, names; undefined: none names one. */
export const lastNamedMs = (calendar: SessionCalendar): number | undefined => {
  const dates = grammarOf(calendar).flatMap((window) => lastDateOf(window) ?? []);
  const ends = (calendar.freezes ?? []).flatMap(({ range }) => range?.untilMs ?? []);
  const times = [...dates.map((date) => Date.parse(date)), ...ends];
  return times.length === 0 ? undefined : Math.max(...times);
};

/** The last end, or date, of freezes that begin before this time and do not repeat; undefined: there are none. */
export const cutUntilMs = ({ freezes = [] }: SessionCalendar, beforeMs: number): number | undefined => {
  const begun = freezes.flatMap(({ range, times = [] }) => [
    ...(range && range.fromMs < beforeMs ? [range.untilMs] : []),
    ...times.flatMap(({ dates = [] }) => dates.map((date) => Date.parse(date)).filter((ms) => ms < beforeMs)),
  ]);
  return begun.length === 0 ? undefined : Math.max(...begun);
};

/** The name of a time zone that is not known here, with its owner in words; undefined: all are known. */
export const unknownZoneIn = ({ windows, freezes = [] }: SessionCalendar): string | undefined => {
  const zones = [
    ...(windows ?? []).map(({ timeZone }) => ({ timeZone, of: 'the maintenance windows' })),
    ...freezes.flatMap(({ name, times = [] }) => times.map(({ timeZone }) => ({ timeZone, of: `freeze ${name}` }))),
  ];
  const unknown = zones.find(({ timeZone }) => !isTimeZone(timeZone));
  return unknown && `${unknown.timeZone} of ${unknown.of}`;
};

/** The names of its freezes. */
export const freezeNamesIn = ({ freezes = [] }: SessionCalendar): string => freezes.map(({ name }) => name).join(', ');

export interface FrozenInterval extends Interval {
  /** The freeze, in words. */
  readonly by: string;
}

export interface CalendarDays {
  /** Intervals in which the session may begin. In their order, as the others are. */
  readonly open: readonly Interval[];
  /** The same without freezes. */
  readonly unfrozen: readonly Interval[];
  readonly frozen: readonly FrozenInterval[];
}

const dayMs = 86_400_000;

/** Days are read as calendars have them, so what begins within the last of so many days was not seen to end. */
export const seenUntilMs = (from: Date, days: number): number => from.getTime() + (days - 1) * dayMs;

/**
 * So many days from then on. A window or a freeze that has begun lately is there from its begin on.
 *
 * @throws RangeError for a time zone that is not known here
 */
export const daysOf = (calendar: SessionCalendar, from: Date, days: number): CalendarDays => {
  const { windows, freezes = [] } = calendar;
  const unfrozen = windows === null ? [anyTime(freezes, from, days)] : joinedWindows(windows, from, days);
  const frozen = freezes
    .flatMap((freeze) => frozenBy(freeze, from, days))
    .sort((one, other) => one.fromMs - other.fromMs);
  return { open: frozen.length === 0 ? unfrozen : without(unfrozen, joined(frozen)), unfrozen, frozen };
};

/** A freeze that repeats is seen only for so many days. */
const anyTime = (freezes: readonly Freeze[], from: Date, days: number): Interval => {
  const isEndless = freezes.every(({ times = [] }) => times.every((window) => window.days === undefined));
  return { fromMs: from.getTime(), toMs: isEndless ? Infinity : seenUntilMs(from, days) };
};

const joinedWindows = (windows: readonly MaintenanceWindow[], from: Date, days: number): readonly Interval[] =>
  joined(windows.flatMap((window) => intervalsOf(window, from, days)));

const frozenBy = (freeze: Freeze, from: Date, days: number): readonly FrozenInterval[] => {
  const by = freezeInWords(freeze);
  const { range, times = [] } = freeze;
  const ofRange = range === undefined ? [] : [{ fromMs: range.fromMs, toMs: range.untilMs }];
  return [...ofRange, ...joinedWindows(times, from, days)].map((interval) => ({ ...interval, by }));
};
