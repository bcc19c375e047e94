/** Instants of clock times: by arithmetic on most days, and as the Temporal API has them on all. */
import { Temporal } from '@js-temporal/polyfill';
import fc from 'fast-check';
import { calendarDay, instantOf } from '../../../../rules/maintenance-windows/zoned-time';

/** Clocks that change by an hour, by half of one, for Ramadan, at midnight; that skipped a day; that never change. */
const zones = [
  ...['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Africa/Casablanca', 'America/Santiago'],
  ...['Pacific/Apia', 'Asia/Kolkata', 'UTC'],
];

interface ClockTime {
  readonly day: string;
  readonly clockTime: string;
  readonly timeZone: string;
  readonly ofTwo: 'first' | 'second';
}

const byTemporal = ({ day, clockTime, timeZone, ofTwo }: ClockTime): number => {
  const wanted = Temporal.PlainDateTime.from(`${day}T${clockTime}`);
  const zoned = wanted.toZonedDateTime(timeZone, { disambiguation: ofTwo === 'first' ? 'earlier' : 'later' });
  if (zoned.toPlainDateTime().equals(wanted)) return zoned.epochMilliseconds;
  const before = wanted.toZonedDateTime(timeZone, { disambiguation: 'earlier' });
  return (before.getTimeZoneTransition('next') ?? zoned).epochMilliseconds;
};

const twoDigits = (value: number): string => String(value).padStart(2, '0');
const clockTimes = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
  .map(([hours, minutes]) => `${twoDigits(hours)}:${twoDigits(minutes)}`);
const days = fc
  .integer({ min: Date.parse('2011-12-20') / 86_400_000, max: Date.parse('2030-01-01') / 86_400_000 })
  .map((day) => new Date(day * 86_400_000).toISOString().slice(0, 10));

const times: fc.Arbitrary<ClockTime> = fc.record({
  day: days,
  clockTime: clockTimes,
  timeZone: fc.constantFrom(...zones),
  ofTwo: fc.constantFrom('first', 'second'),
});

it('are those of the Temporal API, whenever the clocks of the zone change', () => {
  fc.assert(
    fc.property(times, (time) => {
      expect(instantOf(calendarDay(time.day), time.clockTime, time).getTime()).toBe(byTemporal(time));
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  { day: '2026-03-29', at: '2026-03-29T01:00:00Z', is: 'the end of the gap' },
  { day: '2026-10-25', at: '2026-10-25T00:30:00Z', is: 'the first of two' },
])('02:30 on $day in Berlin is $is', ({ day, at }) => {
  const instant = instantOf(calendarDay(day), '02:30', { timeZone: 'Europe/Berlin', ofTwo: 'first' });
  expect(instant).toEqual(new Date(at));
});
