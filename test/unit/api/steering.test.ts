/** How a session is to be steered, where the fields contradict each other. */
import { checkEviction, checkSteering } from '../../../api/parsing/check-steering';
import { steeringIn } from '../../../api/parsing/steering';
import { serializeSteering } from '../../../api/showing/serialize-steering';
import { kubernetesActions } from '../../../clouds/kubernetes/actions';
import { noSteering, type SteeringChange } from '../../../prisma/session/session-steering';
import { simulatedActions } from '../../../rules/simulation/simulated-actions';

const known = { workflows: new Map([['vnf', []]]) };
/** The clock of the database, years ahead of this machine's. */
const now = new Date('2050-01-01T00:00:00Z');
const tomorrow = '2050-01-02';

it.each<{ situation: string; steering: SteeringChange; pointers: readonly string[] }>([
  { situation: 'nothing is said', steering: {}, pointers: [] },
  { situation: 'failed hosts are enabled', steering: { maxFailedHosts: 1, failedHosts: 'enable' }, pointers: [] },
  {
    situation: 'failed hosts are enabled, and none may fail',
    steering: { maxFailedHosts: 0, failedHosts: 'enable' },
    pointers: ['/failed_hosts'],
  },
  {
    situation: 'failed hosts are left, and no limit is given',
    steering: { failedHosts: 'leave_disabled' },
    pointers: ['/failed_hosts'],
  },
  {
    situation: 'a canary waits for a time and for the resume',
    steering: { canary: { hosts: 1, then: 'resume', waitSeconds: 5 } },
    pointers: ['/canary/wait_seconds'],
  },
  {
    situation: 'the deadline lies in the past by the clock of the database',
    steering: { deadline: new Date(now.getTime() - 1) },
    pointers: ['/deadline'],
  },
  { situation: 'the deadline lies ahead', steering: { deadline: new Date('2100-01-01') }, pointers: [] },
  {
    situation: 'a window has no time',
    steering: { windows: [{ days: ['mon'], from: '02:00', to: '02:00', timeZone: 'UTC' }] },
    pointers: ['/windows/0/to'],
  },
  {
    situation: 'windows have neither days nor dates, or both',
    steering: { windows: [{ timeZone: 'UTC' }, { days: ['mon'], dates: [tomorrow], timeZone: 'UTC' }] },
    pointers: ['/windows/0', '/windows/1'],
  },
  {
    situation: 'a window counts dates in their month, and has half of its times',
    steering: { windows: [{ dates: [tomorrow], nth: [2], to: '02:00', timeZone: 'UTC' }] },
    pointers: ['/windows/0/nth', '/windows/0/from'],
  },
  {
    situation: 'a date lies too far ahead',
    steering: { windows: [{ dates: [tomorrow, '9999-12-31'], from: '02:00', to: '03:00', timeZone: 'UTC' }] },
    pointers: ['/windows/0/dates/1'],
  },
  {
    situation: 'all dates are over, or excepted',
    steering: { windows: [{ dates: ['2020-01-01', tomorrow], except: [tomorrow], timeZone: 'UTC' }] },
    pointers: ['/windows'],
  },
  {
    situation: 'a window of whole days, but one, opens later',
    steering: { windows: [{ days: ['sat'], nth: [-1], except: [tomorrow], timeZone: 'UTC' }] },
    pointers: [],
  },
])('names $pointers where $situation', ({ steering, pointers }) => {
  const session = {
    workflow: 'vnf',
    rolling: null,
    steering,
    given: steering,
    begunAt: null,
    maintenanceAt: new Date(0),
    now,
  };
  expect(checkSteering(session, known).map(({ pointer }) => pointer)).toEqual(pointers);
});

it('the start is not moved any more once the session has begun', () => {
  const given = { maintenanceAt: new Date() };
  const pointersOf = (begunAt: Date | null) =>
    checkSteering(
      { workflow: 'vnf', rolling: null, steering: {}, given, begunAt, maintenanceAt: new Date(), now },
      known,
    ).map(({ pointer }) => pointer);
  expect(pointersOf(null)).toEqual([]);
  expect(pointersOf(new Date())).toEqual(['/maintenance_at']);
});

const facts = { hosts: ['a', 'b'], begun: [], before: null, endedAt: null };
const canary = { hosts: 1, then: 'continue', waitSeconds: 0 } as const;

it.each([
  { situation: 'it fits', change: canary, canary: facts, pointers: [] },
  { situation: 'it is too large', change: { ...canary, hosts: 3 }, canary: facts, pointers: ['/canary/hosts'] },
  {
    situation: 'it names a host of another session',
    change: { ...canary, hosts: ['a', 'x'] },
    canary: facts,
    pointers: ['/canary/hosts/1'],
  },
  { situation: 'work has begun', change: canary, canary: { ...facts, begun: ['a'] }, pointers: ['/canary/hosts'] },
  {
    situation: 'work has begun on the same ones',
    change: { ...canary, waitSeconds: 60 },
    canary: { ...facts, begun: ['a'], before: canary },
    pointers: [],
  },
  {
    situation: 'it is over',
    change: canary,
    canary: { ...facts, before: canary, endedAt: new Date() },
    pointers: ['/canary'],
  },
])('a change of the canary where $situation is refused at $pointers', ({ change, pointers, ...rest }) => {
  const steering = { canary: change };
  const session = { workflow: 'vnf', rolling: null, begunAt: null, maintenanceAt: new Date(), now, ...rest };
  const errors = checkSteering({ ...session, steering, given: steering }, known);
  expect(errors.map(({ pointer }) => pointer)).toEqual(pointers);
});

describe('what becomes of instances that the cloud keeps', () => {
  const body = { unmanaged_pods: 'delete', forced: 'keep', complete_within_seconds: 60 } as const;
  const { eviction } = steeringIn({ eviction: body });

  it('is shown as it was given', () => {
    expect(eviction).toEqual({ unmanagedPods: 'delete', forced: 'keep', completeWithinSeconds: 60 });
    expect(serializeSteering({ ...noSteering, eviction: eviction! }).eviction).toEqual(body);
  });

  it.each([
    { cloud: { name: 'kubernetes', actions: kubernetesActions }, given: { eviction: eviction! }, pointers: [] },
    { cloud: { name: 'simulated', actions: simulatedActions }, given: {}, pointers: [] },
    { cloud: { name: 'simulated', actions: simulatedActions }, given: { eviction: null }, pointers: [] },
    { cloud: { name: 'simulated', actions: simulatedActions }, given: { eviction: {} }, pointers: ['/eviction'] },
  ])('names $pointers where the cloud $cloud.name is given $given', ({ cloud, given, pointers }) => {
    expect(checkEviction(given, cloud).map(({ pointer }) => pointer)).toEqual(pointers);
  });
});
