import fc from 'fast-check';
import { weekdays } from '../../../../rules/maintenance-windows/maintenance-window';
import { hoursAhead, type HoursInSession, noticeEndsAtMs } from '../../../../rules/owner-times/hours-ahead';

const now = Date.parse('2026-01-05T12:00:00Z');
const nightly = { days: ['mon', 'sat'], from: '22:00', to: '02:00', timeZone: 'UTC' } as const;
const asked: HoursInSession = { hours: [nightly], ownerHours: null, calendar: undefined };

const ahead = (change: Partial<HoursInSession>, atMs = now) =>
  hoursAhead({ ...asked, ...change }, atMs)?.map(({ fromMs, toMs }) =>
    [fromMs, toMs].map((ms) => (ms === Infinity ? 'for ever' : new Date(ms).toISOString().slice(5, 16))),
  );

it('come back each week, for some weeks', () => {
  const hours = ahead({}) ?? [];
  expect(hours.slice(0, 2)).toEqual([
    ['01-05T22:00', '01-06T02:00'],
    ['01-10T22:00', '01-11T02:00'],
  ]);
  expect(hours).toHaveLength(20);
});

it('are the same object all day, and new on the next one', () => {
  const [first, again] = [hoursAhead(asked, now), hoursAhead({ ...asked }, now + 3_600_000)];
  expect(again).toBe(first);
  expect(hoursAhead(asked, now + 86_400_000)).not.toBe(first);
});

it('do not count where the session ignores them', () => {
  expect(ahead({ ownerHours: { mode: 'ignore' } })).toBeUndefined();
});

it('count until the time that the session names', () => {
  expect(ahead({ ownerHours: { mode: 'until', until: '2026-01-06T00:00:00Z' } })).toEqual([
    ['01-05T22:00', 'for ever'],
  ]);
  expect(ahead({ ownerHours: { mode: 'until', until: '2026-01-07T00:00:00Z' } })).toEqual([
    ['01-05T22:00', '01-06T02:00'],
    ['01-07T00:00', 'for ever'],
  ]);
});

it('count within the windows of the session', () => {
  const windows = [{ days: ['tue'], from: '00:00', to: '01:00', timeZone: 'UTC' }] as const;
  expect(ahead({ calendar: { windows } })?.slice(0, 2)).toEqual([
    ['01-06T00:00', '01-06T01:00'],
    ['01-13T00:00', '01-13T01:00'],
  ]);
  expect(ahead({ calendar: { windows: [{ ...windows[0], from: '03:00', to: '04:00' }] } })).toEqual([]);
});

it('are seen behind whatever keeps the session from them for months', () => {
  const untilMs = Date.parse('2026-06-01T00:00:00Z');
  const freezes = [{ name: 'season', reason: 'sales', range: { fromMs: now, untilMs } }];
  expect(ahead({ calendar: { windows: null, freezes } })?.[0]).toEqual(['06-01T22:00', '06-02T02:00']);
  const windows = [{ dates: ['2026-06-01'], timeZone: 'UTC' }];
  expect(ahead({ calendar: { windows } })).toEqual([['06-01T22:00', '06-02T00:00']]);
});

it('are seen for some weeks behind the notice', () => {
  const noticeMs = 200 * 86_400_000;
  const hours = hoursAhead({ ...asked, noticeSeconds: noticeMs / 1000 }, now) ?? [];
  expect(hours.filter(({ fromMs }) => fromMs > now + noticeMs)).toHaveLength(20);
});

it('on dates are seen however far they lie', () => {
  const hours = [{ dates: ['2027-03-01'], timeZone: 'Europe/Berlin' }];
  expect(ahead({ hours })).toEqual([['02-28T23:00', '03-01T23:00']]);
});

it('are none where nobody knows the time zone', () => {
  expect(ahead({ hours: [{ ...nightly, timeZone: 'Europe/Atlantis' }] })).toEqual([]);
});

describe('notice', () => {
  it.each([
    { seconds: undefined, ownerHours: null, ends: undefined },
    { seconds: 60, ownerHours: null, ends: 61_000 },
    { seconds: 60, ownerHours: { mode: 'ignore' }, ends: undefined },
    { seconds: 60, ownerHours: { mode: 'until', until: '1970-01-01T00:00:30Z' }, ends: 30_000 },
  ] as const)('of $seconds seconds ends at $ends', ({ seconds, ownerHours, ends }) => {
    expect(noticeEndsAtMs(seconds, ownerHours, 1_000)).toBe(ends);
  });
});

it('of whatever terms say are in their order, apart, and not over', () => {
  const minutes = fc.integer({ min: 0, max: 1439 });
  const clock = (value: number): string => new Date(value * 60_000).toISOString().slice(11, 16);
  const windows = fc.record({
    days: fc.uniqueArray(fc.constantFrom(...weekdays), { minLength: 1 }),
    from: minutes.map(clock),
    to: minutes.map(clock),
    timeZone: fc.constantFrom('Europe/Berlin', 'Australia/Lord_Howe', 'Pacific/Apia', 'America/Santiago'),
  });
  const times = fc.integer({ min: Date.parse('2024-01-01'), max: Date.parse('2030-01-01') });
  fc.assert(
    fc.property(fc.array(windows, { minLength: 1, maxLength: 20 }), times, (hours, atMs) => {
      const found = hoursAhead({ ...asked, hours }, atMs) ?? [];
      expect(found.every(({ fromMs, toMs }) => fromMs < toMs && toMs > atMs)).toBe(true);
      expect(found.every(({ fromMs }, at) => at === 0 || fromMs > (found[at - 1]?.toMs ?? Infinity))).toBe(true);
      expect(found.length).toBeGreaterThan(0);
    }),
    { numRuns: 20 },
  );
});
