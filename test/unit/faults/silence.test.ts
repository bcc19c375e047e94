import { longestIdleMs, wentOnAfterMs } from '../../integration/faults/silence';

const at = (seconds: number): Date => new Date(Date.UTC(2026, 0, 1, 12, 0, seconds));
const outage = { victim: 'worker', at: at(10), until: at(14) };

it.each([
  { situation: 'nothing was away', signs: [at(1), at(5), at(12)], outages: [], ms: 7_000 },
  { situation: 'something was away within', signs: [at(9), at(20)], outages: [outage], ms: 7_000 },
  { situation: 'something was away at the beginning', signs: [at(12), at(20)], outages: [outage], ms: 6_000 },
  {
    situation: 'two were away at once',
    signs: [at(9), at(20)],
    outages: [outage, { ...outage, at: at(12) }],
    ms: 7_000,
  },
  { situation: 'something was away before', signs: [at(15), at(20)], outages: [outage], ms: 5_000 },
  { situation: 'nothing happened', signs: [], outages: [outage], ms: 0 },
])('counts idle time without outages when $situation', ({ signs, outages, ms }) => {
  expect(longestIdleMs(signs, outages)).toBe(ms);
});

const next = { victim: 'kafka', at: at(16), until: at(20) };

it.each([
  { situation: 'work goes on', signs: [at(9), at(12), at(17), at(30)], outages: [outage], ms: 3_000 },
  { situation: 'something else is away meanwhile', signs: [at(9), at(21)], outages: [outage, next], ms: 3_000 },
  { situation: 'all was done before', signs: [at(9), at(12)], outages: [outage], ms: 0 },
])('measures from when the victim is up again when $situation', ({ signs, outages, ms }) => {
  expect(wentOnAfterMs(signs, outage, outages)).toBe(ms);
});
