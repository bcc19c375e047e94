/** Shows what freezes leave of the times at which a session may begin: of its windows, and of any time. */
import fc from 'fast-check';
import type { Freeze } from '../../../../rules/maintenance-windows/freeze';
import { isOver, standingOf } from '../../../../rules/maintenance-windows/freeze-standing';
import { joined, without } from '../../../../rules/maintenance-windows/intervals';
import { type MaintenanceWindow, weekdays } from '../../../../rules/maintenance-windows/maintenance-window';
import { openingAt, openSecondsBetween, problemOf, whenOpenFor } from '../../../../rules/maintenance-windows/openings';
import { calendarOf, type SessionCalendar } from '../../../../rules/maintenance-windows/session-calendar';

const aRange = (from: string, until: string, name = 'christmas'): Freeze => ({
  name,
  reason: 'Nobody is on call',
  range: { fromMs: Date.parse(from), untilMs: Date.parse(until) },
});
const aFreeze = (times: Partial<MaintenanceWindow>, name = 'weekly'): Freeze => ({
  name,
  reason: 'Invoices are printed',
  times: [{ ...(times.dates === undefined && { days: weekdays }), timeZone: 'UTC', ...times }],
});
const christmas = aRange('2026-12-20T00:00Z', '2027-01-05T00:00Z');
const byChristmas = 'freeze christmas (Nobody is on call)';
const byWeekly = 'freeze weekly (Invoices are printed)';
const nightly: MaintenanceWindow[] = [{ days: weekdays, from: '22:00', to: '04:00', timeZone: 'UTC' }];

const seen = (calendar: SessionCalendar, now: string) => {
  const opening = openingAt(calendar, new Date(now));
  if (opening === undefined) return undefined;
  const { opensAt, closesAt, opensAgainAt, frozenBy, closedBy } = opening;
  const times = [opensAt, closesAt, opensAgainAt].map((time) => time?.toISOString().slice(0, 16) ?? null);
  return [...times, frozenBy, closedBy];
};

describe('a session without windows', () => {
  it.each([
    {
      situation: 'may begin until a freeze begins, however far ahead that is',
      ...{ freezes: [christmas], now: '2026-03-01T00:00Z' },
      is: ['2026-03-01T00:00', '2026-12-20T00:00', '2027-01-05T00:00', null, byChristmas],
    },
    {
      situation: 'may not begin from the begin of a freeze on',
      ...{ freezes: [christmas], now: '2026-12-20T00:00Z' },
      is: ['2027-01-05T00:00', null, null, byChristmas, null],
    },
    {
      situation: 'may begin from its end on',
      ...{ freezes: [christmas], now: '2027-01-05T00:00Z' },
      is: ['2027-01-05T00:00', null, null, null, null],
    },
    {
      situation: 'waits for the end of the last of freezes that follow each other',
      freezes: [christmas, aRange('2027-01-05T00:00Z', '2027-01-08T12:00Z', 'audit')],
      now: '2027-01-01T00:00Z',
      is: ['2027-01-08T12:00', null, null, byChristmas, null],
    },
    {
      situation: 'may begin between two freezes',
      freezes: [christmas, aRange('2027-01-06T00:00Z', '2027-01-07T00:00Z', 'audit')],
      now: '2026-12-24T00:00Z',
      is: ['2027-01-05T00:00', '2027-01-06T00:00', '2027-01-07T00:00', byChristmas, 'freeze audit (Nobody is on call)'],
    },
    {
      situation: 'is frozen each Friday of a zone',
      freezes: [aFreeze({ days: ['fri'], timeZone: 'Europe/Berlin' })],
      now: '2026-06-10T12:00Z',
      is: ['2026-06-10T12:00', '2026-06-11T22:00', '2026-06-12T22:00', null, byWeekly],
    },
    {
      situation: 'is frozen on the last day of the quarter alone',
      freezes: [aFreeze({ dates: ['2026-12-31', '2026-09-30'] })],
      now: '2026-10-01T00:00Z',
      is: ['2026-10-01T00:00', '2026-12-31T00:00', '2027-01-01T00:00', null, byWeekly],
    },
    {
      situation: 'is frozen on the second Tuesday of a month',
      freezes: [aFreeze({ days: ['tue'], nth: [2], from: '08:00', to: '18:00' })],
      now: '2026-06-10T00:00Z',
      is: ['2026-06-10T00:00', '2026-07-14T08:00', '2026-07-14T18:00', null, byWeekly],
    },
    {
      situation: 'is frozen for the longer of two times in the night in which the clocks go back',
      freezes: [aFreeze({ days: ['sun'], from: '02:00', to: '03:00', timeZone: 'Europe/Berlin' })],
      now: '2026-10-25T00:30Z',
      is: ['2026-10-25T02:00', '2026-11-01T01:00', '2026-11-01T02:00', byWeekly, byWeekly],
    },
    {
      situation: 'is not frozen in an hour that the clocks skip',
      freezes: [aFreeze({ days: ['sun'], from: '02:00', to: '03:00', timeZone: 'Europe/Berlin' })],
      now: '2026-03-29T00:30Z',
      is: ['2026-03-29T00:30', '2026-04-05T00:00', '2026-04-05T01:00', null, byWeekly],
    },
  ])('$situation', ({ freezes, now, is }) => {
    expect(seen({ windows: null, freezes }, now)).toEqual(is);
  });

  it('may begin at any time where it ignores the freezes, or there are none', () => {
    expect(calendarOf({ windows: null, ignoreFreezes: 'a hole in the kernel' }, [christmas])).toBeUndefined();
    expect(calendarOf({ windows: null, ignoreFreezes: null }, [])).toBeUndefined();
    expect(calendarOf({ windows: null, ignoreFreezes: null }, [christmas])).toBeDefined();
  });
});

describe('a session with windows', () => {
  it.each([
    {
      situation: 'has its window cut by a freeze that begins in it',
      ...{ freezes: [aRange('2026-12-20T00:00Z', '2027-01-05T00:00Z')], now: '2026-12-19T23:00Z' },
      is: ['2026-12-19T22:00', '2026-12-20T00:00', '2027-01-05T00:00', null, byChristmas],
    },
    {
      situation: 'waits for its window after a freeze that ends by day',
      ...{ freezes: [aRange('2026-12-20T00:00Z', '2027-01-05T12:00Z')], now: '2026-12-30T12:00Z' },
      is: ['2027-01-05T22:00', '2027-01-06T04:00', '2027-01-06T22:00', byChristmas, null],
    },
    {
      situation: 'waits for its window, and not for a freeze that is over before',
      ...{ freezes: [aRange('2026-12-30T10:00Z', '2026-12-30T21:00Z')], now: '2026-12-30T12:00Z' },
      is: ['2026-12-30T22:00', '2026-12-31T04:00', '2026-12-31T22:00', null, null],
    },
    {
      situation: 'has two openings in a night with a freeze in its middle',
      ...{ freezes: [aFreeze({ from: '01:00', to: '02:00' })], now: '2026-12-30T23:00Z' },
      is: ['2026-12-30T22:00', '2026-12-31T01:00', '2026-12-31T02:00', null, byWeekly],
    },
  ])('$situation', ({ freezes, now, is }) => {
    expect(seen({ windows: nightly, freezes }, now)).toEqual(is);
  });

  it('knows how long its windows are behind a freeze that cuts all the next ones', () => {
    const freezes = [
      aRange('2026-12-19T23:00Z', '2026-12-20T22:00Z', 'audit'),
      aRange('2026-12-20T23:00Z', '2027-02-28T00:00Z'),
    ];
    expect(openingAt({ windows: nightly, freezes }, new Date('2026-12-19T22:30Z'))?.longestSeconds).toBe(6 * 3600);
  });
});

describe('what never opens', () => {
  it.each([
    { what: 'freezes without a break', windows: null, freezes: [aFreeze({})], says: 'freezes (weekly) leave no time' },
    {
      what: 'freezes that leave no time together',
      windows: null,
      freezes: [
        aFreeze({ days: ['mon', 'tue', 'wed', 'thu'] }, 'one'),
        aFreeze({ days: ['fri', 'sat', 'sun'] }, 'other'),
      ],
      says: 'freezes (one, other) leave no time',
    },
    {
      what: 'freezes over all windows',
      windows: nightly,
      freezes: [aFreeze({ from: '21:00', to: '05:00' })],
      says: 'freezes (weekly) leave no time of the maintenance windows',
    },
    {
      what: 'windows that are over',
      windows: [{ dates: ['2026-01-01'], timeZone: 'UTC' }],
      freezes: [christmas],
      says: 'all dates of the maintenance windows are over',
    },
  ])('is told of $what', ({ windows, freezes, says }) => {
    const now = new Date('2026-06-01T00:00Z');
    expect(openingAt({ windows, freezes }, now)).toBeUndefined();
    expect(problemOf({ windows, freezes }, now)).toBe(says);
    expect(whenOpenFor({ windows, freezes }, now)(1)).toBeUndefined();
  });

  it('names the freeze whose zone is not known', () => {
    const freezes = [christmas, aFreeze({ timeZone: 'Mars/Olympus' })];
    expect(problemOf({ windows: nightly, freezes }, new Date())).toMatch(
      /^Node.js .* does not know the time zone Mars\/Olympus of freeze weekly$/,
    );
  });
});

describe('the time that freezes leave', () => {
  const from = '2026-12-19T00:00Z';

  it.each([
    { windows: null, seconds: 86_400, opens: '2026-12-20T00:00:00.000Z' },
    { windows: null, seconds: 86_401, opens: '2027-01-05T00:00:01.000Z' },
    { windows: null, seconds: 400 * 86_400, opens: '2028-02-08T00:00:00.000Z' },
    { windows: nightly, seconds: 6 * 3600, opens: '2026-12-20T00:00:00.000Z' },
    { windows: nightly, seconds: 6 * 3600 + 1, opens: '2027-01-05T00:00:01.000Z' },
    // Twelve more whole nights and one begun after the freeze's last night; each of a year of them is as long.
    { windows: nightly, seconds: 10 * 3600 + 365 * 6 * 3600, opens: '2028-01-05T04:00:00.000Z' },
  ])('has been $seconds s in all at $opens', ({ windows, seconds, opens }) => {
    const calendar = { windows, freezes: [christmas] };
    const at = whenOpenFor(calendar, new Date(from))(seconds);
    expect(at?.toISOString()).toBe(opens);
    expect(openSecondsBetween(calendar, new Date(from), at!)).toBe(seconds);
  });

  it('is that of the windows without the freezes, whatever they are', () => {
    const hour = (n: number) => Date.UTC(2026, 5, 1) + n * 3_600_000;
    const ranges = fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 1, max: 40 })), {
      minLength: 1,
      maxLength: 6,
    });
    const test = (spans: [number, number][], atHour: number) => {
      const freezes = spans.map(([begin, length], at): Freeze => {
        return { name: `f${at}`, reason: 'r', range: { fromMs: hour(begin), untilMs: hour(begin + length) } };
      });
      const now = new Date(hour(atHour));
      const { opensAt, closesAt, opensAgainAt } = openingAt({ windows: nightly, freezes }, now)!;
      const isFrozen = (ms: number) => spans.some(([begin, length]) => hour(begin) <= ms && ms < hour(begin + length));
      const isOpen = (ms: number) => [22, 23, 0, 1, 2, 3].includes(new Date(ms).getUTCHours()) && !isFrozen(ms);
      const open = Array.from({ length: 400 }, (_, n) => n + atHour).filter((n) => isOpen(hour(n)));
      const first = open[0]!;
      expect(Math.max(opensAt.getTime(), now.getTime())).toBe(hour(first));
      let end = first;
      while (isOpen(hour(end))) end += 1;
      expect(closesAt?.getTime()).toBe(hour(end));
      expect(opensAgainAt?.getTime()).toBe(hour(open.find((n) => n > end)!));
      expect(openSecondsBetween({ windows: nightly, freezes }, now, new Date(hour(atHour + 100)))).toBe(
        3600 * open.filter((n) => n < atHour + 100).length,
      );
    };
    fc.assert(fc.property(ranges, fc.integer({ min: 0, max: 200 }), test), { numRuns: 60 });
  });
});

describe('how a freeze stands', () => {
  it.each([
    { freeze: christmas, now: '2026-12-01T00:00Z', is: [false, '2026-12-20', '2027-01-05'] },
    { freeze: christmas, now: '2026-12-25T00:00Z', is: [true, null, '2027-01-05'] },
    { freeze: christmas, now: '2027-02-01T00:00Z', is: [false, null, null], over: true },
    { freeze: aFreeze({ days: ['fri'] }), now: '2026-12-01T00:00Z', is: [false, '2026-12-04', '2026-12-05'] },
    { freeze: aFreeze({ dates: ['2026-01-01'] }), now: '2026-12-01T00:00Z', is: [false, null, null], over: true },
    { freeze: aFreeze({ timeZone: 'Mars/Olympus' }), now: '2026-12-01T00:00Z', is: [true, null, null] },
  ])('$freeze.name at $now: $is', ({ freeze, now, is, over = false }) => {
    const standing = standingOf(freeze, new Date(now));
    const day = (date: Date | null) => date?.toISOString().slice(0, 10) ?? null;
    expect([standing.isActive, day(standing.beginsAt), day(standing.endsAt)]).toEqual(is);
    expect(isOver(standing)).toBe(over);
  });
});

it('takes intervals away from others', () => {
  const anInterval = fc.tuple(fc.nat(60), fc.nat(20)).map(([fromMs, ms]) => ({ fromMs, toMs: fromMs + ms + 1 }));
  const some = fc.array(anInterval, { maxLength: 8 }).map(joined);
  const isIn = (intervals: ReturnType<typeof joined>, ms: number) =>
    intervals.some(({ fromMs, toMs }) => fromMs <= ms && ms < toMs);
  const test = (intervals: ReturnType<typeof joined>, taken: ReturnType<typeof joined>) => {
    const left = without(intervals, taken);
    for (let ms = 0; ms < 90; ms += 1) expect(isIn(left, ms)).toBe(isIn(intervals, ms) && !isIn(taken, ms));
    expect(left.every(({ fromMs, toMs }) => fromMs < toMs)).toBe(true);
  };
  fc.assert(fc.property(some, some, test), { numRuns: 500 });
});

it.each([
  { what: 'a date of the year 9999', window: { days: weekdays, except: ['9999-12-31'], timeZone: 'UTC' } },
  {
    what: '1100 dates',
    window: {
      dates: Array.from({ length: 1_100 }, (_, n) => new Date(Date.UTC(2026, 0, n)).toISOString().slice(0, 10)),
      timeZone: 'UTC',
    },
  },
])('is worked out soon with $what', ({ window }) => {
  const calendar = {
    windows: nightly,
    freezes: [{ name: 'f', reason: 'r', times: [{ ...window, from: '01:00', to: '02:00' }] }],
  };
  const startedMs = performance.now();
  expect(openingAt(calendar, new Date('2026-01-05T00:00Z'))).toBeDefined();
  expect(whenOpenFor(calendar, new Date('2026-01-05T00:00Z'))(1e9)).toBeDefined();
  expect(performance.now() - startedMs).toBeLessThan(20_000);
});
