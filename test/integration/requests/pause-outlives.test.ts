/**
 * A pause outlives the worker, the run of the session's workflow and a reset by hand: the fact is in the row. A server
 * of its own suggests a new run after a few events.
 */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { eventually } from '../../waiting/eventually';
import { continueFailed, untilDone, untilFailed } from '../continue/continued-session';
import { resetByHand } from '../continue/reset-by-hand';
import { type Admin, anAdmin } from '../rig/admin';
import { endHeldMoves, held, timeForHeldMoves } from '../rig/held-moves';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { startServerOfShortRuns } from '../rig/server-of-short-runs';
import { begunSince, nothing, pauseAndSee, request } from './requests';

const projectId = uuidNumber(901);
/** The second host still has its instance, and waits for its turn, while that of the first moves. */
const hosts = ['vnf-1', 'vnf-2'];

const fleet = aFleetFile({
  hosts: [...hosts, 'alone'].map((name) => aFleetHost({ name, vcpus: 4, memory_mb: 8192, maintenance_s: 20 })),
  instances: hosts.map((host, position) =>
    aFleetInstance({
      instance_id: uuidNumber(position + 1),
      instance_name: `vm-${position + 1}`,
      project_id: projectId,
      host,
      memory_mb: 4096,
      ...held,
    }),
  ),
});

let temporal: TestWorkflowEnvironment;
let rig: Rig;
let admin: Admin;
let manager: Manager;

beforeAll(async () => {
  temporal = await startServerOfShortRuns();
  rig = await startRig({ fleet, temporalAddress: temporal.address, environment: timeForHeldMoves });
  admin = anAdmin(rig.url);
  manager = startManager({ url: rig.url, projectId, policy: acknowledge });
});
afterAll(async () => {
  manager.stop();
  try {
    await rig.stop();
  } finally {
    await temporal.teardown();
  }
});

const runOf = async (sessionId: string) => (await rig.client.workflow.getHandle(sessionId).describe()).runId;

/** Woken again and again, the paused session looks so often that it goes on in a new run. */
const untilNextRun = async (sessionId: string): Promise<void> => {
  const before = await runOf(sessionId);
  await eventually('the session goes on in a new run', async () => {
    await rig.services.workflowCalls.wakeSession(sessionId);
    return (await runOf(sessionId)) !== before || undefined;
  });
};

const moves = (sessionId: string) =>
  eventually('an instance moves', async () => {
    const ids = (await rig.db.claim.findMany({ where: { sessionId } })).map(({ id }) => id);
    return (await rig.db.simMove.count({ where: { claimId: { in: ids } } })) || undefined;
  });

it('begins nothing after its worker was killed, in new runs, and after a reset by hand', async () => {
  const sessionId = await admin.create({ workflow: 'vnf', hosts, actions: [{ plugin: 'dummy', type: 'host' }] });
  await moves(sessionId);
  const { paused_at } = await request(admin, sessionId, 'pause');
  const since = new Date(paused_at!);
  await rig.restartWorker();
  await pauseAndSee({ rig, db: rig.db, admin }, sessionId, {
    letEnd: () => endHeldMoves(rig.db, fleet.instances),
  });
  await untilNextRun(sessionId);
  await resetByHand(rig, sessionId, 'last');
  await pauseAndSee({ rig, db: rig.db, admin }, sessionId);
  expect(await begunSince(rig.db, sessionId, since)).toEqual(nothing);
  expect(await request(admin, sessionId, 'resume')).toMatchObject({ paused_at: null });
  expect((await untilDone(admin, sessionId)).percent_done).toBe(100);
});

it('without a worker requests are answered and stored; they take effect when one is there', async () => {
  await rig.stopWorker();
  const sessionId = await admin.create({
    hosts: ['alone'],
    state: 'START_MAINTENANCE',
    actions: [{ plugin: 'dummy', type: 'pre' }],
  });
  const paused = await request(admin, sessionId, 'pause');
  expect(paused).toMatchObject({ state: 'START_MAINTENANCE', taken_up: false });
  expect(await request(admin, sessionId, 'abort')).toMatchObject({ aborting: true, taken_up: false });
  await rig.restartWorker();
  const { session } = await untilFailed(admin, sessionId);
  expect(session.failure).toContain('aborted by the admin');
  expect(await begunSince(rig.db, sessionId, new Date(paused.paused_at!))).toEqual(nothing);
  expect((await admin.call('POST', `/maintenance/${sessionId}/resume`)).body).toMatchObject({ code: 'NOT_RUNNING' });
  // Its set-up was never begun: gone on with, it begins with that.
  await continueFailed(admin, sessionId);
  expect((await untilDone(admin, sessionId)).percent_done).toBe(100);
  expect(await rig.db.actionPluginInstance.findMany({ where: { sessionId, hostname: '' } })).toMatchObject([
    { attempts: 1, status: 'done' },
  ]);
});
