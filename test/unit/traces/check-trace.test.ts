import { violationsIn } from '../../traces/check-trace';
import type { Trace, TracedGroup, TracedInstance, TracedMove } from '../../traces/trace';

const anInstance = (id: string, given: Partial<TracedInstance> = {}): TracedInstance => ({
  id,
  groupKey: 'web',
  vcpus: 2,
  memoryMb: 10,
  host: 'host-1',
  ...given,
});

const aMove = (instanceId: string, given: Partial<TracedMove> = {}): TracedMove => ({
  instanceId,
  source: 'host-1',
  target: 'host-2',
  startedMs: 100,
  endedMs: 200,
  arrived: true,
  ...given,
});

const web: TracedGroup = { key: 'web', maxImpactedMembers: 1, recoveryTimeMs: 50 };

const aTrace = (given: Partial<Trace> = {}): Trace => ({
  hosts: [1, 2, 3].map((n) => ({ name: `host-${n}`, vcpus: 4, memoryMb: 20 })),
  groups: [web],
  instances: [anInstance('a'), anInstance('b')],
  moves: [],
  maintenances: [],
  ...given,
});

it.each<{ situation: string; trace: Partial<Trace> }>([
  { situation: 'nothing moved', trace: {} },
  {
    situation: 'the second member moved when the first had recovered',
    trace: { moves: [aMove('a'), aMove('b', { startedMs: 250, endedMs: 300 })] },
  },
  {
    situation: 'a move failed and was forced, which is the same member',
    trace: {
      moves: [aMove('a', { arrived: false }), aMove('a', { startedMs: 201, endedMs: 300 })],
    },
  },
  {
    situation: 'a host was maintained after its last instance had left and before another came back',
    trace: {
      instances: [anInstance('a')],
      moves: [aMove('a'), aMove('a', { source: 'host-2', target: 'host-1', startedMs: 300, endedMs: 400 })],
      maintenances: [{ host: 'host-1', fromMs: 200, untilMs: 300 }],
    },
  },
  {
    situation: 'an instance took the room of one that had vanished',
    trace: {
      instances: [
        anInstance('a', { vanishedMs: 90 }),
        anInstance('b'),
        anInstance('c', { host: 'host-2' }),
        anInstance('d', { appearedMs: 95 }),
      ],
    },
  },
])('finds nothing wrong when $situation', ({ trace }) => {
  expect(violationsIn(aTrace(trace))).toEqual([]);
});

it.each<{ situation: string; trace: Partial<Trace>; said: RegExp }>([
  {
    situation: 'two members moved at once',
    trace: { moves: [aMove('a'), aMove('b', { startedMs: 150 })] },
    said: /group web: 2 members impacted/,
  },
  {
    situation: 'a member moved before the group had recovered',
    trace: { moves: [aMove('a'), aMove('b', { startedMs: 249, endedMs: 300 })] },
    said: /group web: 2 members impacted/,
  },
  {
    situation: 'a move never ended and another began',
    trace: {
      moves: [{ instanceId: 'a', source: 'host-1', target: 'host-2', startedMs: 1, arrived: false }, aMove('b')],
    },
    said: /group web: 2 members impacted/,
  },
  {
    situation: 'an instance was on its way to a full host',
    trace: {
      instances: [anInstance('a'), anInstance('c', { host: 'host-2' }), anInstance('d', { host: 'host-2' })],
      moves: [aMove('a', { arrived: false })],
    },
    said: /host host-2: 6 of 4 vcpus and 30 of 20 MB/,
  },
  {
    situation: 'members of an anti-affinity group met',
    trace: {
      groups: [{ ...web, maxInstancesPerHost: 1 }],
      instances: [anInstance('a'), anInstance('b', { host: 'host-2' })],
      moves: [aMove('a')],
    },
    said: /host host-2: 2 members of group web, 1 allowed/,
  },
  {
    situation: 'something was still on a host in maintenance',
    trace: { maintenances: [{ host: 'host-1', fromMs: 10, untilMs: 20 }] },
    said: /host host-1 is in maintenance, and holds instance a/,
  },
  {
    situation: 'an instance came to a host in maintenance',
    trace: {
      instances: [anInstance('a')],
      moves: [aMove('a')],
      maintenances: [{ host: 'host-2', fromMs: 10, untilMs: 120 }],
    },
    said: /host host-2 is in maintenance, and holds instance a/,
  },
  {
    situation: 'an instance was in two moves at once',
    trace: { instances: [anInstance('a')], moves: [aMove('a', { arrived: false }), aMove('a', { startedMs: 150 })] },
    said: /instance a: two moves at once/,
  },
  {
    situation: 'an instance left a host that it was not on',
    trace: { instances: [anInstance('a')], moves: [aMove('a', { source: 'host-3' })] },
    said: /instance a: moved from host-3, but it is on host-1/,
  },
])('says so when $situation', ({ trace, said }) => {
  expect(violationsIn(aTrace(trace))).toContainEqual(expect.stringMatching(said));
});
