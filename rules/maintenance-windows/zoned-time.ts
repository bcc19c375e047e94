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
  const wanted = day.toPlainDateTime(Temporal.PlainTime.from(clockTime));
  const disambiguation = ofTwo === 'first' ? 'earlier' : 'later';
  const zoned = wanted.toZonedDateTime(timeZone, { disambiguation });
  if (zoned.toPlainDateTime().equals(wanted)) return new Date(zoned.epochMilliseconds);
  const before = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  const gap = before.getTimeZoneTransition('next') ?? zoned;
  return new Date(gap.epochMilliseconds);
};
