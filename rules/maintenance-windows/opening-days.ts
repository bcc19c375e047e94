/** The days on which a maintenance window opens. A library works out what repeats, as calendars have it (RFC 5545). */
import { RRuleTemporal } from 'rrule-temporal';
import type { OpeningDays } from './maintenance-window';
import { type CalendarDay, calendarDay, midnightOf } from './zoned-time';

/** Days that a window opens on, from the first day on for so many days, in their order. */
export const openingDays = (window: OpeningDays, first: CalendarDay, count: number): CalendarDay[] => {
  const after = first.add({ days: count }).toString();
  const dates = window.dates?.toSorted() ?? repeatedDates(window, first, count);
  return dates
    .filter((date, index) => date >= first.toString() && date < after && date !== dates[index - 1])
    .filter((date) => window.except?.includes(date) !== true)
    .map(calendarDay);
};

/** YYYY-MM-DD. The time zone does not matter: the days of a calendar are meant. */
const repeatedDates = ({ days = [], nth }: OpeningDays, first: CalendarDay, count: number): string[] => {
  const weekdays = days.map((day) => day.slice(0, 2).toUpperCase());
  const dtstart = midnightOf(first);
  const rule = new RRuleTemporal({
    dtstart,
    ...(nth === undefined
      ? { freq: 'WEEKLY', byDay: weekdays }
      : { freq: 'MONTHLY', byDay: nth.flatMap((place) => weekdays.map((day) => `${String(place)}${day}`)) }),
  });
  return rule.between(dtstart, dtstart.add({ days: count }), true).map((day) => day.toPlainDate().toString());
};

/** The last date that the window names; undefined: it names none. */
export const lastDateOf = ({ dates = [], except = [] }: OpeningDays): string | undefined =>
  [...dates, ...except].toSorted().at(-1);
