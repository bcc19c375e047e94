/**
 * Clock times of time zones as instants: the only module that knows the Temporal API, here as a polyfill. Node.js 26
 * has it built in; then the import goes. Zone rules come from Node.js, so that versions of it may answer differently:
 * whoever needs one answer keeps the instant.
 */
import { Temporal } from '@js-temporal/polyfill';

/** A day of a calendar. */
export type CalendarDay = Temporal.PlainDate;

/** IANA names only: an offset such as +02:00 knows no daylight saving. */
export const isTimeZone = (name: string): boolean => {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Temporal.Now.zonedDateTimeISO(name);
    return true;
  } catch {
    return false;
  }
};

/** The day that the zone has at that time. */
export const dayAt = (now: Date, timeZone: string): CalendarDay =>
  Temporal.Instant.fromEpochMilliseconds(now.getTime()).toZonedDateTimeISO(timeZone).toPlainDate();

/** @param date YYYY-MM-DD */
export const calendarDay = (date: string): CalendarDay => Temporal.PlainDate.from(date);

/** True for YYYY-MM-DD of a day that the calendar has. */
export const isCalendarDate = (text: string): boolean => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  try {
    Temporal.PlainDate.from(text, { overflow: 'reject' });
    return true;
  } catch {
    return false;
  }
};

/** The begin of the day in UTC, for who reckons with days alone. */
export const midnightOf = (day: CalendarDay): Temporal.ZonedDateTime => day.toZonedDateTime('UTC');

export const dayAfter = (day: CalendarDay): CalendarDay => day.add({ days: 1 });

/** A stretch of time in which the clocks of a zone do not change. Milliseconds. */
interface SteadySpan {
  readonly fromMs: number;
  readonly toMs: number;
  readonly offsetMs: number;
}

/** A cache, because zones are slow to ask, and terms ask for the same days again and again. */
const steadySpans = new Map<string, SteadySpan[]>();

const steadySpanAt = (ms: number, timeZone: string): SteadySpan => {
  const known = steadySpans.get(timeZone) ?? [];
  const found = known.find(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
  if (found) return found;
  const zoned = Temporal.Instant.fromEpochMilliseconds(ms).toZonedDateTimeISO(timeZone);
  const next = zoned.getTimeZoneTransition('next');
  const before = zoned.add({ nanoseconds: 1 }).getTimeZoneTransition('previous');
  const span = {
    fromMs: before?.epochMilliseconds ?? -Infinity,
    toMs: next?.epochMilliseconds ?? Infinity,
    offsetMs: zoned.offsetNanoseconds / 1e6,
  };
  steadySpans.set(timeZone, [...known, span]);
  return span;
};

const dayMs = 86_400_000;

/** Undefined: clocks change within two days of then. */
const instantOnSteadyDay = (day: CalendarDay, clockTime: string, timeZone: string): Date | undefined => {
  const asUtcMs = Date.parse(`${day.toString()}T${clockTime}Z`);
  const { fromMs, toMs, offsetMs } = steadySpanAt(asUtcMs, timeZone);
  const isSteady = fromMs < asUtcMs - 2 * dayMs && asUtcMs + 2 * dayMs < toMs;
  return isSteady ? new Date(asUtcMs - offsetMs) : undefined;
};

/**
 * When the zone's clock shows the time on that day. A time that its clocks skip is the first moment after the gap.
 *
 * @param ofTwo which of two moments counts where the clocks go through the time twice
 */
export const instantOf = (
  day: CalendarDay,
  clockTime: string,
  { timeZone, ofTwo }: { readonly timeZone: string; readonly ofTwo: 'first' | 'second' },
): Date => {
  const onSteadyDay = instantOnSteadyDay(day, clockTime, timeZone);
  if (onSteadyDay) return onSteadyDay;
  const wanted = day.toPlainDateTime(Temporal.PlainTime.from(clockTime));
  const disambiguation = ofTwo === 'first' ? 'earlier' : 'later';
  const zoned = wanted.toZonedDateTime(timeZone, { disambiguation });
  if (zoned.toPlainDateTime().equals(wanted)) return new Date(zoned.epochMilliseconds);
  const before = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const gap = before.getTimeZoneTransition('next') ?? zoned;
  return new Date(gap.epochMilliseconds);
};
