/** When maintenance windows open and close: over midnight, over the week's end, and when clocks change. */
import fc from 'fast-check';
import {
  isClockTime,
  type MaintenanceWindow,
  weekdays,
} from '../../../../rules/maintenance-windows/maintenance-window';
import * as openings from '../../../../rules/maintenance-windows/openings';
import { isTimeZone } from '../../../../rules/maintenance-windows/zoned-time';

const openingAt = (windows: readonly MaintenanceWindow[], now: Date) => openings.openingAt({ windows }, now);
const problemOf = (windows: readonly MaintenanceWindow[], now: Date) => openings.problemOf({ windows }, now);
const openSecondsBetween = (windows: readonly MaintenanceWindow[], from: Date, to: Date) =>
  openings.openSecondsBetween({ windows }, from, to);
const whenOpenFor = (windows: readonly MaintenanceWindow[], from: Date) => openings.whenOpenFor({ windows }, from);

const aWindow = (fields: Partial<MaintenanceWindow>): MaintenanceWindow => ({
  days: weekdays,
  from: '02:00',
  to: '06:00',
  timeZone: 'UTC',
  ...fields,
});

/** Each day, all day, unless the fields say otherwise. */
const aCalendarWindow = (fields: Partial<MaintenanceWindow>): MaintenanceWindow => ({
  ...(fields.dates === undefined && { days: weekdays }),
  timeZone: 'UTC',
  ...((fields.nth ?? fields.days) && { from: '02:00', to: '06:00' }),
  ...fields,
});

const fridaysUntilMarch = Array.from({ length: 9 }, (_, week) =>
  new Date(Date.UTC(2026, 0, 2 + 7 * week)).toISOString().slice(0, 10),
);

const mondaysOfFourYears = Array.from({ length: 4 * 53 }, (_, week) =>
  new Date(Date.UTC(2026, 0, 5 + 7 * week)).toISOString().slice(0, 10),
);

interface WindowCase {
  readonly what: string;
  readonly now: string;
  readonly window: Partial<MaintenanceWindow>;
  readonly opens: string;
  readonly closes: string;
  readonly again: string;
}

const openingsOf = (windows: readonly MaintenanceWindow[], now: string) => {
  const { opensAt, closesAt, opensAgainAt } = openingAt(windows, new Date(now))!;
  return [opensAt, closesAt, opensAgainAt].map((time) => time?.toISOString().slice(0, 16) ?? null);
};

describe('one window', () => {
  it.each<WindowCase>([
    {
      what: 'is open',
      ...{ now: '2026-01-07T03:00Z', window: {}, opens: '2026-01-07T02:00', closes: '2026-01-07T06:00' },
      again: '2026-01-08T02:00',
    },
    {
      what: 'is closed from its end on',
      ...{ now: '2026-01-07T06:00Z', window: {}, opens: '2026-01-08T02:00', closes: '2026-01-08T06:00' },
      again: '2026-01-09T02:00',
    },
    {
      what: 'opens at its beginning',
      ...{ now: '2026-01-07T02:00Z', window: {}, opens: '2026-01-07T02:00', closes: '2026-01-07T06:00' },
      again: '2026-01-08T02:00',
    },
    {
      // Saturday 01:00 belongs to the window that opened on Friday.
      what: 'goes over midnight, by the day on which it opens',
      ...{ now: '2026-01-10T01:00Z', window: { days: ['mon', 'fri'], from: '22:00', to: '06:00' } },
      ...{ opens: '2026-01-09T22:00', closes: '2026-01-10T06:00', again: '2026-01-12T22:00' },
    },
    {
      // Monday 01:00 does not.
      what: 'is not open on the morning of its first day',
      ...{ now: '2026-01-12T01:00Z', window: { days: ['mon', 'fri'], from: '22:00', to: '06:00' } },
      ...{ opens: '2026-01-12T22:00', closes: '2026-01-13T06:00', again: '2026-01-16T22:00' },
    },
    {
      what: "goes over the week's end",
      ...{ now: '2026-01-11T23:30Z', window: { days: ['sun'], from: '23:00', to: '01:00' } },
      ...{ opens: '2026-01-11T23:00', closes: '2026-01-12T01:00', again: '2026-01-18T23:00' },
    },
    {
      what: 'opens once a week, and has just closed',
      ...{ now: '2026-01-12T01:00Z', window: { days: ['sun'], from: '23:00', to: '01:00' } },
      ...{ opens: '2026-01-18T23:00', closes: '2026-01-19T01:00', again: '2026-01-25T23:00' },
    },
    {
      what: 'counts its days by the calendar of its zone',
      ...{ now: '2026-01-07T12:00Z', window: { days: ['thu'], from: '02:00', to: '04:00', timeZone: 'Asia/Tokyo' } },
      ...{ opens: '2026-01-07T17:00', closes: '2026-01-07T19:00', again: '2026-01-14T17:00' },
    },
  ])('$what', ({ now, window, opens, closes, again }) => {
    expect(openingsOf([aWindow(window)], now)).toEqual([opens, closes, again]);
  });
});

describe('what calendars have', () => {
  it.each<WindowCase>([
    {
      what: 'the second Saturday of a month',
      ...{ now: '2026-01-11T00:00Z', window: { days: ['sat'], nth: [2] } },
      ...{ opens: '2026-02-14T02:00', closes: '2026-02-14T06:00', again: '2026-03-14T02:00' },
    },
    {
      what: 'the first Monday and the last Friday',
      ...{ now: '2026-01-06T00:00Z', window: { days: ['mon', 'fri'], nth: [1, -1] } },
      ...{ opens: '2026-01-26T02:00', closes: '2026-01-26T06:00', again: '2026-01-30T02:00' },
    },
    {
      what: 'the fifth Friday, which not each month has',
      ...{ now: '2026-02-01T00:00Z', window: { days: ['fri'], nth: [5] } },
      ...{ opens: '2026-05-29T02:00', closes: '2026-05-29T06:00', again: '2026-07-31T02:00' },
    },
    {
      what: 'the last day of February in a leap year, over midnight',
      ...{ now: '2028-02-20T00:00Z', window: { dates: ['2028-02-29', '2028-03-05'], from: '22:00', to: '02:00' } },
      ...{ opens: '2028-02-29T22:00', closes: '2028-03-01T02:00', again: '2028-03-05T22:00' },
    },
    {
      what: 'dates in any order, more than a year ahead',
      ...{
        now: '2026-01-07T03:00Z',
        window: { dates: ['2027-12-05', '2027-06-05', '2026-01-06'], from: '02:00', to: '06:00' },
      },
      ...{ opens: '2027-06-05T02:00', closes: '2027-06-05T06:00', again: '2027-12-05T02:00' },
    },
    {
      what: 'whole days, by the calendar of the zone',
      ...{
        now: '2026-01-07T03:00Z',
        window: { dates: ['2026-01-10', '2026-01-11', '2026-01-20'], timeZone: 'Asia/Tokyo' },
      },
      ...{ opens: '2026-01-09T15:00', closes: '2026-01-11T15:00', again: '2026-01-19T15:00' },
    },
    {
      what: 'each night but some',
      ...{ now: '2026-12-23T12:00Z', window: { except: ['2026-12-24', '2026-12-25'], from: '22:00', to: '04:00' } },
      ...{ opens: '2026-12-23T22:00', closes: '2026-12-24T04:00', again: '2026-12-26T22:00' },
    },
    {
      what: 'each Friday but those of two months',
      ...{ now: '2026-01-01T12:00Z', window: { days: ['fri'], except: fridaysUntilMarch } },
      ...{ opens: '2026-03-06T02:00', closes: '2026-03-06T06:00', again: '2026-03-13T02:00' },
    },
    {
      what: 'at all times but a day in months',
      ...{ now: '2026-01-07T03:00Z', window: { except: ['2026-06-01'] } },
      ...{ opens: '2026-01-05T00:00', closes: '2026-06-01T00:00', again: '2026-06-02T00:00' },
    },
  ])('$what', ({ now, window, opens, closes, again }) => {
    expect(openingsOf([aCalendarWindow(window)], now)).toEqual([opens, closes, again]);
  });

  it('is over after the last of its dates', () => {
    const windows = [aCalendarWindow({ dates: ['2026-01-06', '2026-01-07'] })];
    expect(openingsOf(windows, '2026-01-07T03:00Z')).toEqual(['2026-01-06T00:00', '2026-01-08T00:00', null]);
    expect(problemOf(windows, new Date('2026-01-07T23:59Z'))).toBeUndefined();
    expect(problemOf(windows, new Date('2026-01-08T00:00Z'))).toBe('all dates of the maintenance windows are over');
    expect(openSecondsBetween(windows, new Date('2026-01-08T00:00Z'), new Date('2026-02-08T00:00Z'))).toBe(0);
  });

  it.each([
    {
      what: 'whose days are excepted for years',
      window: { days: ['mon'], nth: [1], except: mondaysOfFourYears } as const,
    },
    { what: 'whose only date its clocks skip', window: { dates: ['2026-03-29'], from: '02:15', to: '02:45' } },
  ])('a window does not open any more $what', ({ window }) => {
    const windows = [aCalendarWindow({ timeZone: 'Europe/Berlin', ...window })];
    expect(openingAt(windows, new Date('2026-01-07T00:00Z'))).toBeUndefined();
    expect(whenOpenFor(windows, new Date('2026-01-07T00:00Z'))(1)).toBeUndefined();
  });

  it('a date of years ahead closes too', () => {
    const windows = [aCalendarWindow({ dates: ['2029-01-10'] })];
    expect(openingsOf(windows, '2026-01-07T00:00Z')).toEqual(['2029-01-10T00:00', '2029-01-11T00:00', null]);
  });

  it.each([
    { what: 'on its dates', hours: 40, at: '2026-06-11T16:00' },
    { what: 'never, since its dates do not suffice', hours: 49, at: undefined },
  ])('will have been open for so long $what', ({ hours, at }) => {
    const windows = [aCalendarWindow({ dates: ['2026-06-10', '2026-06-11'] })];
    const when = whenOpenFor(windows, new Date('2026-01-07T12:00Z'))(hours * 3600);
    expect(when?.toISOString().slice(0, 16)).toBe(at);
  });

  it('will have been open for so long in two years of second Saturdays', () => {
    const windows = [aCalendarWindow({ days: ['sat'], nth: [2], from: '00:00', to: '04:00' })];
    const when = whenOpenFor(windows, new Date('2026-01-01T00:00Z'))(4 * 24 * 3600);
    expect(when?.toISOString().slice(0, 7)).toBe('2027-12');
  });
});

describe('clocks that change', () => {
  // Berlin and New York change by an hour, Lord Howe by half of one, UTC never.
  it.each([
    {
      what: 'forward: an hour less within the window',
      ...{ timeZone: 'Europe/Berlin', from: '01:00', to: '06:00' },
      ...{ opens: '2026-03-29T00:00', closes: '2026-03-29T04:00' },
    },
    {
      what: 'forward: from is skipped',
      ...{ timeZone: 'Europe/Berlin', from: '02:30', to: '06:00' },
      ...{ opens: '2026-03-29T01:00', closes: '2026-03-29T04:00' },
    },
    {
      what: 'forward: to is skipped',
      ...{ timeZone: 'Europe/Berlin', from: '00:30', to: '02:15' },
      ...{ opens: '2026-03-28T23:30', closes: '2026-03-29T01:00' },
    },
    {
      what: 'forward: all of it is skipped, so the next day opens',
      ...{ timeZone: 'Europe/Berlin', from: '02:15', to: '02:45' },
      ...{ opens: '2026-03-30T00:15', closes: '2026-03-30T00:45' },
    },
    {
      what: 'back: an hour more within the window',
      ...{ timeZone: 'Europe/Berlin', from: '01:00', to: '06:00' },
      ...{ opens: '2026-10-24T23:00', closes: '2026-10-25T05:00' },
    },
    {
      what: 'back: the first moment for from, the second for to',
      ...{ timeZone: 'Europe/Berlin', from: '02:15', to: '02:45' },
      ...{ opens: '2026-10-25T00:15', closes: '2026-10-25T01:45' },
    },
    {
      what: 'back: over midnight',
      ...{ timeZone: 'Europe/Berlin', from: '22:00', to: '02:30' },
      ...{ opens: '2026-10-24T20:00', closes: '2026-10-25T01:30' },
    },
    {
      what: 'forward, in another zone: from is skipped',
      ...{ timeZone: 'America/New_York', from: '02:30', to: '04:00' },
      ...{ opens: '2026-03-08T07:00', closes: '2026-03-08T08:00' },
    },
    {
      what: 'back, in another zone',
      ...{ timeZone: 'America/New_York', from: '01:30', to: '01:45' },
      ...{ opens: '2026-11-01T05:30', closes: '2026-11-01T06:45' },
    },
    {
      what: 'forward by half an hour: from is skipped',
      ...{ timeZone: 'Australia/Lord_Howe', from: '02:15', to: '03:00' },
      ...{ opens: '2026-10-03T15:30', closes: '2026-10-03T16:00' },
    },
    {
      what: 'back by half an hour: the second moment for to',
      ...{ timeZone: 'Australia/Lord_Howe', from: '01:00', to: '01:45' },
      ...{ opens: '2026-04-04T14:00', closes: '2026-04-04T15:15' },
    },
    {
      what: 'never',
      ...{ timeZone: 'UTC', from: '02:30', to: '06:00' },
      ...{ opens: '2026-03-29T02:30', closes: '2026-03-29T06:00' },
    },
  ])('$timeZone: $what', ({ timeZone, from, to, opens, closes }) => {
    const now = new Date(Date.parse(`${opens}Z`) - 60_000).toISOString();
    expect(openingsOf([aWindow({ timeZone, from, to })], now).slice(0, 2)).toEqual([opens, closes]);
  });
});

describe('several windows', () => {
  it.each([
    {
      what: 'that overlap are one opening',
      windows: [
        { from: '02:00', to: '04:00' },
        { from: '03:00', to: '06:00' },
      ],
      expected: ['2026-01-07T02:00', '2026-01-07T06:00', '2026-01-08T02:00'],
    },
    {
      what: 'that follow each other without a break are one opening, whatever their zones',
      windows: [
        { from: '02:00', to: '04:00' },
        { from: '05:00', to: '07:00', timeZone: 'Europe/Berlin' },
      ],
      expected: ['2026-01-07T02:00', '2026-01-07T06:00', '2026-01-08T02:00'],
    },
    {
      what: 'that lie apart are openings of their own',
      windows: [
        { from: '02:00', to: '04:00' },
        { from: '12:00', to: '13:00' },
      ],
      expected: ['2026-01-07T02:00', '2026-01-07T04:00', '2026-01-07T12:00'],
    },
    {
      what: 'that leave no time between them never close',
      windows: [
        { from: '00:00', to: '12:00' },
        { from: '12:00', to: '00:00' },
      ],
      expected: ['2026-01-05T00:00', null, null],
    },
  ])('$what', ({ windows, expected }) => {
    expect(openingsOf(windows.map(aWindow), '2026-01-07T03:00Z')).toEqual(expected);
  });
});

it.each([
  { what: 'within a window', from: '2026-01-07T03:00Z', to: '2026-01-07T05:00Z', hours: 2 },
  { what: 'over two nights', from: '2026-01-07T05:00Z', to: '2026-01-08T12:00Z', hours: 5 },
  { what: 'while none is open', from: '2026-01-07T06:00Z', to: '2026-01-08T02:00Z', hours: 0 },
])('$what windows are open for $hours hours', ({ from, to, hours }) => {
  expect(openSecondsBetween([aWindow({})], new Date(from), new Date(to))).toBe(hours * 3600);
});

const aClockTime = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 45))
  .map(([hours, minutes]) => `${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`);

const someWindow = fc
  .record({
    days: fc.subarray([...weekdays], { minLength: 1 }),
    from: aClockTime,
    to: aClockTime,
    timeZone: fc.constantFrom('UTC', 'Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'),
  })
  .filter(({ from, to }) => from !== to);

it('an opening holds until it closes, and the next one follows where it says', () => {
  const someTime = fc.date({ min: new Date('2026-01-01'), max: new Date('2027-01-01'), noInvalidDate: true });
  fc.assert(
    fc.property(fc.array(someWindow, { minLength: 1, maxLength: 2 }), someTime, (windows, now) => {
      const { opensAt, closesAt, opensAgainAt } = openingAt(windows, now)!;
      if (closesAt === null) return;
      expect(closesAt.getTime()).toBeGreaterThan(Math.max(now.getTime(), opensAt.getTime()));
      const later = openingAt(windows, new Date((Math.max(now.getTime(), opensAt.getTime()) + closesAt.getTime()) / 2));
      expect(later?.closesAt).toEqual(closesAt);
      expect(openingAt(windows, closesAt)?.opensAt).toEqual(opensAgainAt);
    }),
    { numRuns: 25 },
  );
});

it.each(['Europe/Berlin', 'UTC', 'Etc/GMT+3'])('%s is a time zone', (name) => {
  expect(isTimeZone(name)).toBe(true);
});

it.each(['Europe/Berln', '+02:00', 'Z', '', '../../etc', 'CET/CEST'])('%p is none', (name) => {
  expect(isTimeZone(name)).toBe(false);
});

it.each(['24:00', '2:00', '02:60', '02:00:00', ''])('%p is no time of a window', (text) => {
  expect(isClockTime(text)).toBe(false);
});

describe('when windows will have been open for a time', () => {
  it.each([
    { what: 'within the window that is open', now: '2026-01-07T03:00Z', hours: 2, at: '2026-01-07T05:00' },
    { what: 'in the next one', now: '2026-01-07T03:00Z', hours: 4, at: '2026-01-08T03:00' },
    { what: 'some windows later, from outside', now: '2026-01-07T12:00Z', hours: 10, at: '2026-01-10T04:00' },
    { what: 'a month later', now: '2026-01-07T12:00Z', hours: 4 * 28, at: '2026-02-04T06:00' },
    { what: 'more than a year later', now: '2026-01-07T12:00Z', hours: 4 * 399 + 1, at: '2027-02-11T03:00' },
  ])('$what', ({ now, hours, at }) => {
    const when = whenOpenFor([aWindow({})], new Date(now))(hours * 3600);
    expect(when?.toISOString().slice(0, 16)).toBe(at);
  });

  it('is a time away where they never close', () => {
    const always = aWindow({ from: '00:00', to: '00:00' });
    const at = whenOpenFor([always], new Date('2026-01-07T12:00Z'))(86_400 * 30);
    expect(at?.toISOString()).toBe('2026-02-06T12:00:00.000Z');
  });
});

it.each([
  { what: 'one each day', windows: [aWindow({})], hours: 4 },
  {
    what: 'a longer one later',
    windows: [aWindow({}), aWindow({ days: ['sun'], from: '10:00', to: '20:00' })],
    hours: 10,
  },
  { what: 'two that are one', windows: [aWindow({}), aWindow({ from: '06:00', to: '07:00' })], hours: 5 },
])('the longest opening of $what has $hours hours', ({ windows, hours }) => {
  expect(openingAt(windows, new Date('2026-01-05T00:00Z'))?.longestSeconds).toBe(hours * 3600);
});

it('says which zone is unknown here', () => {
  const now = new Date('2026-01-07T03:00Z');
  expect(problemOf([aWindow({})], now)).toBeUndefined();
  expect(problemOf([aWindow({}), aWindow({ timeZone: 'Mars/Olympus' })], now)).toMatch(
    /^Node\.js \d.* does not know the time zone Mars\/Olympus of the maintenance windows$/,
  );
});
