/** SCALE_IN fails where nobody frees capacity, and goes on once the operator has made some. */
import { removeInstance } from '../../../clouds/simulated/edit-fleet';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { type Admin, anAdmin } from '../rig/admin';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { continueToTheEnd } from './continue-to-the-end';
import { continueFailed, untilFailed } from './continued-session';
import { factsOf, failureEvent, failureInTemporal, hostsLeftDisabled } from './session-facts';

const projectId = uuidNumber(901);

/** Instances of one session need vcpus, those of the other memory: they never fit on each other's hosts. */
const wide = { vcpus: 16, memory_mb: 64, maintenance_s: 20 };
const deep = { vcpus: 0, memory_mb: 8192, maintenance_s: 20 };

const instance = (number: number, host: string, size: object) =>
  aFleetInstance({
    instance_id: uuidNumber(number),
    instance_name: `vm-${number}`,
    project_id: projectId,
    host,
    move_s: 20,
    ...size,
  });

const fleet = aFleetFile({
  hosts: [
    aFleetHost({ name: 'full-1', ...wide }),
    aFleetHost({ name: 'full-2', ...wide }),
    aFleetHost({ name: 'rolling-1', ...deep, memory_mb: 4608 }),
    aFleetHost({ name: 'rolling-2', ...deep }),
  ],
  instances: [
    ...[1, 2].map((n) => instance(n, 'full-1', { vcpus: 8, memory_mb: 1 })),
    ...[3, 4].map((n) => instance(n, 'full-2', { vcpus: 8, memory_mb: 1 })),
    instance(5, 'rolling-2', { vcpus: 0, memory_mb: 1024 }),
    instance(6, 'rolling-2', { vcpus: 0, memory_mb: 4096 }),
  ],
});

let rig: Rig;
let admin: Admin;
let manager: Manager;

beforeAll(async () => {
  rig = await startRig({
    fleet,
    environment: { PARLEY_SCALE_IN_REPLY_SECONDS: '1', PARLEY_SCALE_IN_ROUNDS: '2' },
  });
  admin = anAdmin(rig.url);
  // The manager agrees to everything and frees nothing.
  manager = startManager({ url: rig.url, projectId, policy: acknowledge });
});
afterAll(async () => {
  manager.stop();
  await rig.stop();
});

it.each([
  {
    situation: 'at the beginning',
    hosts: ['full-1', 'full-2'],
    // One instance is deleted; the three others fit on a host and a half.
    freed: ['vm-1', 'vm-2'],
    missing: '16 vcpus more',
    path: ['SCALE_IN', 'START_MAINTENANCE', 'PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE'],
  },
  {
    situation: 'when the work is rolling',
    hosts: ['rolling-1', 'rolling-2'],
    freed: ['vm-6'],
    missing: 'needs the least, [0-9]+ MB of memory more',
    path: ['SCALE_IN', 'PLANNED_MAINTENANCE', 'MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE'],
  },
])('goes on from SCALE_IN $situation when capacity is freed', async ({ hosts, freed, missing, path }) => {
  const sessionId = await admin.create({ hosts });
  const failed = await untilFailed(admin, sessionId);
  const because = expect.stringMatching(
    new RegExp(`^no host can be drained, and 2 rounds of SCALE_IN freed too little: .*${missing}.*free that much`),
  ) as string;
  expect(failed.session).toMatchObject({ prev_state: 'SCALE_IN', failure: because });
  expect(await failureEvent(rig, sessionId)).toMatchObject({ prev_state: 'SCALE_IN', failure: because });
  expect(await failureInTemporal(rig, sessionId)).toEqual(because);
  expect(await hostsLeftDisabled(rig, hosts)).toEqual([]);
  const before = await factsOf(rig, sessionId);

  for (const name of freed) await removeInstance(rig.db, name);
  const { statesSince } = await continueToTheEnd({ rig, admin }, { sessionId, before });
  expect(statesSince).toEqual(path);
});

it('counts the rounds of SCALE_IN anew after a resume', async () => {
  await rig.loadFleet(
    aFleetFile({
      hosts: [1, 2].map((n) => aFleetHost({ name: `stuck-${n}`, ...wide })),
      instances: [1, 2, 3, 4].map((n) => instance(10 + n, `stuck-${(n % 2) + 1}`, { vcpus: 8, memory_mb: 1 })),
    }),
  );
  const sessionId = await admin.create({});
  await untilFailed(admin, sessionId);
  const timesAsked = async () =>
    (await factsOf(rig, sessionId)).asked.filter((question) => question.startsWith('SCALE_IN ')).length;
  expect(await timesAsked()).toBe(2);
  await continueFailed(admin, sessionId);
  const failed = await untilFailed(admin, sessionId);
  expect(failed.session.prev_state).toBe('SCALE_IN');
  expect(await timesAsked()).toBe(4);
});
