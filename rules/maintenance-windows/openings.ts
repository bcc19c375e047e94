/** When a session may begin anything: the opening of its calendar that is there now or comes next, as instants. */
import { between, type Interval, lengthOf } from './intervals';
import {
  type CalendarDays,
  cutUntilMs,
  daysOf,
  freezeNamesIn,
  type FrozenInterval,
  isMonthly,
  lastNamedMs,
  mayAlwaysBeginAgain,
  seenUntilMs,
  type SessionCalendar,
  unknownZoneIn,
} from './session-calendar';

export interface Opening {
  readonly opensAt: Date;
  /** Null: it does not close, since window follows window without a break. */
  readonly closesAt: Date | null;
  /** The time when it opens again after that; null: it does not close, or this is the last time. */
  readonly opensAgainAt: Date | null;
  /** How long the longest opening is; null: it does not close. */
  readonly longestSeconds: number | null;
  /** The freeze without which it would open before, or be open; null: there is none. */
  readonly frozenBy: string | null;
  /** The freeze that begins when it closes; null: a window ends then, or it does not close. */
  readonly closedBy: string | null;
}

const dayMs = 86_400_000;
/** A week until it opens, a week that it is open, and a day for clocks that change. */
const weeklyDays = 16;
/** The fifth weekday of a month comes twice within these days. */
const monthlyDays = 220;
/** No date of a window, and no freeze, lies farther ahead (forms/check-window.ts). */
export const mostDaysAhead = 1_100;

const daysUntil = (ms: number | undefined, fromMs: number): number =>
  ms === undefined ? 0 : Math.min(mostDaysAhead, Math.max(0, Math.ceil((ms - fromMs) / dayMs)));

interface Ahead extends CalendarDays {
  readonly days: number;
  /** Those that have not closed yet. */
  readonly openings: readonly Interval[];
  /** Whatever is open until then was not seen to close. */
  readonly seenUntilMs: number;
}

const openingsAhead = (calendar: SessionCalendar, now: Date): Ahead => {
  const look = (days: number): Ahead => {
    const seen = daysOf(calendar, now, days);
    const openings = seen.open.filter(({ toMs }) => toMs > now.getTime());
    return { ...seen, days, openings, seenUntilMs: seenUntilMs(now, days) };
  };
  let ahead = look(weeklyDays);
  for (let days = daysNeeded(calendar, ahead, now); days > ahead.days; days = daysNeeded(calendar, ahead, now)) {
    ahead = look(days);
  }
  return ahead;
};

/** How far ahead to look, in days: until it was seen to close and to open again, also behind a freeze that cuts it. */
const daysNeeded = (calendar: SessionCalendar, { openings, days, seenUntilMs: seenMs }: Ahead, now: Date): number => {
  const [first, second] = openings;
  const repeatDays = isMonthly(calendar) ? monthlyDays : weeklyDays;
  const daysBehind = (ms: number | undefined): number => repeatDays + daysUntil(ms, now.getTime());
  if (first === undefined || second === undefined || first.toMs >= seenMs) {
    return days < repeatDays ? repeatDays : daysBehind(lastNamedMs(calendar));
  }
  const needed = daysBehind(cutUntilMs(calendar, seenMs));
  // Freeze may follow freeze: few looks shall do.
  return needed <= days ? days : Math.min(Math.max(needed, 2 * days), daysBehind(lastNamedMs(calendar)));
};

/**
 * Windows that overlap, or follow each other without a break, are one opening. Undefined: they do not open any more, or
 * only in freezes.
 *
 * @throws RangeError for a time zone that is not known here; `zoneProblemOf` says so before
 */
export const openingAt = (calendar: SessionCalendar, now: Date): Opening | undefined => {
  const ahead = openingsAhead(calendar, now);
  const [first, second] = ahead.openings;
  if (first === undefined) return undefined;
  const isEndless = first.toMs >= ahead.seenUntilMs;
  const longestMs = lengthOfLongest(ahead.openings);
  return {
    opensAt: new Date(first.fromMs),
    closesAt: isEndless ? null : new Date(first.toMs),
    opensAgainAt: isEndless || second === undefined ? null : new Date(second.fromMs),
    longestSeconds: isEndless || longestMs === Infinity ? null : longestMs / 1000,
    frozenBy: freezeBefore(first, ahead, now.getTime()),
    closedBy: isEndless ? null : freezeAfter(first, ahead),
  };
};

const lengthOfLongest = (openings: readonly Interval[]): number =>
  Math.max(...openings.map(({ fromMs, toMs }) => toMs - fromMs));

const freezeBefore = ({ fromMs }: Interval, { unfrozen, frozen }: CalendarDays, nowMs: number): string | null => {
  const ownMs = Math.max(nowMs, unfrozen.find(({ toMs }) => toMs > nowMs)?.fromMs ?? Infinity);
  return fromMs <= ownMs ? null : lastOf(frozen.filter((one) => one.fromMs <= ownMs && ownMs < one.toMs));
};

const freezeAfter = ({ toMs }: Interval, { unfrozen, frozen }: CalendarDays): string | null =>
  unfrozen.some((one) => one.toMs === toMs) ? null : lastOf(frozen.filter(({ fromMs }) => fromMs === toMs));

/** Of several freezes the one that ends last. */
const lastOf = (frozen: readonly FrozenInterval[]): string | null =>
  [...frozen].sort((one, other) => other.toMs - one.toMs)[0]?.by ?? null;

/** Why nobody can work out here when the session may begin; undefined: the zones are known. */
export const zoneProblemOf = (calendar: SessionCalendar): string | undefined => {
  const unknown = unknownZoneIn(calendar);
  return unknown && `Node.js ${process.versions.node} does not know the time zone ${unknown}`;
};

/** Why the session may not begin any more, or nobody knows when; undefined: it may, now or later. */
export const problemOf = (calendar: SessionCalendar, now: Date): string | undefined =>
  zoneProblemOf(calendar) ?? (openingAt(calendar, now) === undefined ? neverOpens(calendar, now) : undefined);

const neverOpens = (calendar: SessionCalendar, now: Date): string => {
  const { windows } = calendar;
  if (windows === null) return `freezes (${freezeNamesIn(calendar)}) leave no time`;
  return openingAt({ windows }, now) === undefined
    ? 'all dates of the maintenance windows are over'
    : `freezes (${freezeNamesIn(calendar)}) leave no time of the maintenance windows`;
};

/** The intervals between the two times in which the session may begin. In milliseconds, in their order. */
export const openingsBetween = (calendar: SessionCalendar, { fromMs, toMs }: Interval): readonly Interval[] =>
  openBetween(calendar, fromMs, toMs);

/** Counts the seconds between the two times in which the session may begin. */
export const openSecondsBetween = (calendar: SessionCalendar, from: Date, to: Date): number =>
  lengthOf(openBetween(calendar, from.getTime(), to.getTime())) / 1000;

const openBetween = (calendar: SessionCalendar, fromMs: number, toMs: number): Interval[] => {
  if (toMs <= fromMs) return [];
  // The first of these days has begun already.
  const aheadDays = Math.ceil((toMs - fromMs) / dayMs) + 1;
  return between(daysOf(calendar, new Date(fromMs), aheadDays).open, { fromMs, toMs });
};

/**
 * A calendar that repeats is read for this number of days: later days are like these. Farther ahead, a change of the
 * clocks in between makes an hour's difference.
 */
const periodDays = 28;
/** The same where something repeats by the month: the days of a year, in whole weeks. */
const longPeriodDays = 364;
/** A date may still be open so long after its begin in UTC. */
const dateDays = 3;

/**
 * Tells when the session will have been allowed to begin for so long in all. One look at the calendar serves all times
 * asked for.
 *
 * @returns undefined for a time that it will never have been allowed for, since windows open on dates alone
 */
export const whenOpenFor = (calendar: SessionCalendar, from: Date): ((seconds: number) => Date | undefined) => {
  const opening = openingAt(calendar, from);
  if (opening === undefined) return () => undefined;
  if (opening.closesAt === null) {
    const beginMs = Math.max(from.getTime(), opening.opensAt.getTime());
    return (seconds) => new Date(beginMs + seconds * 1000);
  }
  return whenOpenInDays(calendar, from.getTime());
};

const whenOpenInDays = (calendar: SessionCalendar, fromMs: number): ((seconds: number) => Date | undefined) => {
  const namedDays = daysUntil(lastNamedMs(calendar), fromMs);
  const repeatsFromMs = fromMs + (namedDays === 0 ? 0 : namedDays + dateDays) * dayMs;
  const periodMs = (isMonthly(calendar) ? longPeriodDays : periodDays) * dayMs;
  const open = openBetween(calendar, fromMs, repeatsFromMs + periodMs);
  const period = between(open, { fromMs: repeatsFromMs, toMs: Infinity });
  const [openMs, openInPeriodMs] = [lengthOf(open), lengthOf(period)];
  const isRepeated = mayAlwaysBeginAgain(calendar) && openInPeriodMs > 0;
  return (seconds) => {
    const leftMs = seconds * 1000 - openMs;
    if (leftMs <= 0) return new Date(afterOpenMs(open, seconds * 1000));
    if (!isRepeated) return undefined;
    const periods = Math.ceil(leftMs / openInPeriodMs);
    return new Date(afterOpenMs(period, leftMs - (periods - 1) * openInPeriodMs) + periods * periodMs);
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
