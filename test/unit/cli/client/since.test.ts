import { sinceTime } from '../../../../cli/client/since';

const nowMs = Date.parse('2026-04-15T12:00:00Z');

it.each([
  { given: '30m', time: '2026-04-15T11:30:00.000Z' },
  { given: '1h', time: '2026-04-15T11:00:00.000Z' },
  { given: '7d', time: '2026-04-08T12:00:00.000Z' },
  { given: '2026-04-14', time: '2026-04-14T00:00:00.000Z' },
  { given: '2026-04-14 22:00', time: '2026-04-14T22:00:00.000Z' },
  { given: '2026-04-14T22:00:00+02:00', time: '2026-04-14T20:00:00.000Z' },
])('$given is $time', ({ given, time }) => {
  expect(sinceTime(given, nowMs).toISOString()).toBe(time);
});

it.each(['yesterday', '1w', '-1h', ''])('%j is refused', (given) => {
  expect(() => sinceTime(given, nowMs)).toThrow('neither a time nor a length');
});
