/** How a session is to be steered, where the fields contradict each other. */
import { checkSteering } from '../../../api/steering';
import type { SteeringChange } from '../../../prisma/session/session-steering';

const known = { workflows: new Map([['vnf', []]]) };

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
  { situation: 'the deadline lies in the past', steering: { deadline: new Date(1) }, pointers: ['/deadline'] },
  { situation: 'the deadline lies ahead', steering: { deadline: new Date('2100-01-01') }, pointers: [] },
  {
    situation: 'a window has no time',
    steering: { windows: [{ days: ['mon'], from: '02:00', to: '02:00', timeZone: 'UTC' }] },
    pointers: ['/windows/0/to'],
  },
])('names $pointers where $situation', ({ steering, pointers }) => {
  const session = {
    workflow: 'vnf',
    rolling: null,
    steering,
    given: steering,
    begunAt: null,
    maintenanceAt: new Date(0),
  };
  expect(checkSteering(session, known).map(({ pointer }) => pointer)).toEqual(pointers);
});

it('the start is not moved any more once the session has begun', () => {
  const given = { maintenanceAt: new Date() };
  const pointersOf = (begunAt: Date | null) =>
    checkSteering(
      { workflow: 'vnf', rolling: null, steering: {}, given, begunAt, maintenanceAt: new Date() },
      known,
    ).map(({ pointer }) => pointer);
  expect(pointersOf(null)).toEqual([]);
  expect(pointersOf(new Date())).toEqual(['/maintenance_at']);
});
