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
])('names $pointers where $situation', ({ steering, pointers }) => {
  const session = { workflow: 'vnf', rolling: null, steering };
  expect(checkSteering(session, known).map(({ pointer }) => pointer)).toEqual(pointers);
});
