/** The days of a maintenance window as instants: this decides what a skipped or a repeated time means. */
import type { Interval } from './intervals';
import type { MaintenanceWindow } from './maintenance-window';
import { openingDays } from './opening-days';
import { type CalendarDay, dayAfter, dayAt, instantOf } from './zoned-time';

/** A window that began the day before yesterday may still be open: zones have skipped whole days. */
const lookBackDays = 2;

/**
 * When it opens within so many days from then on, or has opened lately.
 *
 * @throws RangeError for a time zone that is not known here
 */
export const intervalsOf = (window: MaintenanceWindow, from: Date, aheadDays: number): Interval[] =>
  openingDays(window, dayAt(from, window.timeZone).subtract({ days: lookBackDays }), lookBackDays + aheadDays)
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
