import { type EndFacts, endScale } from '../../../page/strip/end-scale';

const at = (minutes: number): string => new Date(Date.UTC(2026, 0, 1, 22, minutes)).toISOString();
const nowMs = Date.parse(at(10));

const facts = (given: Partial<EndFacts>): EndFacts => ({
  now: at(10),
  begun_at: at(0),
  maintenance_at: at(0),
  ended_at: null,
  ends_at: null,
  deadline: null,
  window_open: null,
  window_seconds_left: null,
  ...given,
});

const rounded = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value), (_, one: unknown) => (typeof one === 'number' ? Math.round(one) : one)) as unknown;

it.each<{ name: string; given: Partial<EndFacts>; scale: object }>([
  { name: 'no known end', given: {}, scale: { now: 98 } },
  {
    name: 'an end with its range, before a deadline',
    given: { ends_at: { earliest: at(30), expected: at(40), latest: at(60) }, deadline: at(100) },
    scale: { now: 10, end: { earliest: 29, expected: 39, latest: 59 }, deadline: 98 },
  },
  {
    name: 'a window that closes soon',
    given: { window_open: true, window_seconds_left: 600 },
    scale: { now: 49, turn: { at: 98, opens: false } },
  },
  {
    name: 'a window that opens',
    given: { window_open: false, window_seconds_left: 600 },
    scale: { now: 49, turn: { at: 98, opens: true } },
  },
  {
    name: 'a window that closes long after the rest',
    given: { window_open: true, window_seconds_left: 86_400 },
    scale: { now: 98 },
  },
  {
    name: 'a session that is over: nothing is to come',
    given: { ended_at: at(5), window_open: true, window_seconds_left: 60 },
    scale: { now: 98 },
  },
  {
    name: 'a session that is to begin, from the present on',
    given: { begun_at: null, maintenance_at: at(40), deadline: at(70) },
    scale: { now: 0, deadline: 98 },
  },
])('shows $name', ({ given, scale }) => {
  const { range, ...places } = endScale(facts(given), nowMs);
  expect(rounded(places)).toEqual(scale);
  expect(range.fromMs).toBeLessThan(range.toMs);
});
