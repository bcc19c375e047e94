/** The days on which a maintenance window opens, by the calendar of its time zone. */
import { RRuleTemporal } from 'rrule-temporal';
import { type OpeningDays, type Weekday, weekdays } from './maintenance-window';
import { type CalendarDay, calendarDay, midnightOf } from './zoned-time';

/** Days in a row: the first one, and their number. */
interface DaysInRow {
  readonly first: CalendarDay;
  readonly count: number;
}

/** Days that a window opens on, from the first day on for so many days, in their order. */
export const openingDays = (window: OpeningDays, first: CalendarDay, count: number): CalendarDay[] => {
  const days = daysIn(window, { first, count });
  return window.except === undefined ? days : days.filter((day) => window.except?.includes(day.toString()) !== true);
};

const daysIn = ({ dates, days = [], nth }: OpeningDays, span: DaysInRow): CalendarDay[] => {
  if (dates !== undefined) return listedDays(dates, span);
  return nth === undefined ? daysOfWeek(days, span) : nthDaysOfMonth(days, nth, span);
};

const listedDays = (dates: readonly string[], { first, count }: DaysInRow): CalendarDay[] => {
  const [from, until] = [first.toString(), first.add({ days: count }).toString()];
  return [...new Set(dates)]
    .filter((date) => date >= from && date < until)
    .sort()
    .map(calendarDay);
};

const daysOfWeek = (days: readonly Weekday[], { first, count }: DaysInRow): CalendarDay[] =>
  Array.from({ length: count }, (_, index) => first.add({ days: index })).filter((day) =>
    days.some((name) => name === weekdays[day.dayOfWeek - 1]),
  );

/** A library knows the rules of months (RFC 5545). The time zone does not matter: the days of a calendar are meant. */
const nthDaysOfMonth = (
  days: readonly Weekday[],
  nth: readonly number[],
  { first, count }: DaysInRow,
): CalendarDay[] => {
  const dtstart = midnightOf(first);
  const byDay = days.flatMap((day) => nth.map((place) => `${String(place)}${day.slice(0, 2).toUpperCase()}`));
  const rule = new RRuleTemporal({ dtstart, freq: 'MONTHLY', byDay });
  return rule
    .between(dtstart, dtstart.add({ days: count - 1 }), true)
    .map((day) => calendarDay(day.toPlainDate().toString()));
};

/** The last date that the window names; undefined: it names none. */
export const lastDateOf = ({ dates = [], except = [] }: OpeningDays): string | undefined =>
  [...dates, ...except].sort().at(-1);
