/** Shows when a session can be over at its deadline. */
import { expectedTimes, nothingSeen } from '../../../../rules/expectations/expected-times';
import { deadlineMissOf, leastSecondsLeft, leastSecondsOneByOne } from '../../../../rules/steering/deadline';
import { aFleet, aHostIn, anInstance, anotherSessionId, aSessionId } from '../../../builders/a-fleet';

const nowMs = Date.parse('2026-01-07T02:00:00Z');
const expected = expectedTimes(nothingSeen, { maintenanceSeconds: 600, moveSeconds: 60, answerSeconds: 30 });

describe('the least time that is left', () => {
  const hosts = [
    aHostIn('maintained', 'a'),
    aHostIn('maintaining', 'b', { work: { announcedAtMs: nowMs - 200_000 } }),
    aHostIn('emptying', 'c'),
    aHostIn('waiting', 'd'),
    aHostIn('waiting', 'e', { work: { sessionId: anotherSessionId }, expectedMaintenanceSeconds: 9_000 }),
  ];
  const fleet = aFleet({ hosts, instances: [anInstance({ host: 'd' })] });
  it.each([
    { maxParallelHosts: undefined, seconds: 690 },
    { maxParallelHosts: 2, seconds: 845 },
    { maxParallelHosts: 1, seconds: 1_690 },
  ])('is $seconds s with at most $maxParallelHosts hosts at once', ({ maxParallelHosts, seconds }) => {
    const cap = maxParallelHosts === undefined ? {} : { maxParallelHosts };
    expect(leastSecondsLeft({ fleet, sessionId: aSessionId, nowMs, replySeconds: 60, expected, ...cap })).toBe(seconds);
  });

  it('is nothing once all hosts are maintained', () => {
    const done = aFleet({ hosts: [aHostIn('maintained', 'a')] });
    expect(leastSecondsLeft({ fleet: done, sessionId: aSessionId, nowMs, replySeconds: 60 })).toBe(0);
  });
});

describe('the least time that is left where hosts are drained one by one', () => {
  const [inMaintenance, drained] = [{ announcedAtMs: nowMs - 200_000 }, { phase: 'emptying' }] as const;
  const controller = (name: string) => aHostIn('waiting', name, { type: 'controller', isCompute: false });
  it.each([
    { what: 'two with instances', hosts: [aHostIn('waiting', 'a'), aHostIn('waiting', 'b')], seconds: 1_380 },
    {
      what: 'one in maintenance, and the next with instances',
      ...{ hosts: [aHostIn('maintaining', 'z', { work: inMaintenance }), aHostIn('waiting', 'a')], seconds: 1_090 },
    },
    { what: 'empty ones, all at once', hosts: [aHostIn('waiting', 'c'), aHostIn('waiting', 'd')], seconds: 600 },
    {
      what: 'one under work, and an empty one',
      hosts: [aHostIn(drained.phase, 'z'), aHostIn('waiting', 'd')],
      seconds: 600,
    },
    { what: 'controllers one by one', hosts: [controller('c'), controller('d')], seconds: 1_200 },
  ])('is $seconds s: $what', ({ hosts, seconds }) => {
    const instances = ['a', 'b'].map((host) => anInstance({ id: `on-${host}`, host }));
    const fleet = aFleet({ hosts, instances });
    expect(leastSecondsOneByOne({ fleet, sessionId: aSessionId, nowMs, replySeconds: 60, expected })).toBe(seconds);
  });
});

it.each([
  { situation: 'enough time', deadlineMs: nowMs + 1, openSeconds: 10, leastSeconds: 10, miss: undefined },
  { situation: 'too little time', deadlineMs: nowMs + 1, openSeconds: 10, leastSeconds: 11, miss: 'expected' },
  { situation: 'no time any more', deadlineMs: nowMs, openSeconds: 0, leastSeconds: 0, miss: 'passed' },
])('with $situation the deadline is missed: $miss', ({ deadlineMs, openSeconds, leastSeconds, miss }) => {
  expect(deadlineMissOf(deadlineMs, { nowMs, openSeconds, leastSeconds })).toBe(miss);
});
