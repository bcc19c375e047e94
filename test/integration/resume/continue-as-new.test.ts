/**
 * A session whose history gets long goes on in a new run, in the middle of a state, and is resumed over the chain of
 * runs. A server of its own suggests it after a few events, so that every session here is such a chain.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { findTemporalProgram } from '../../../cli/stack/temporal-program';
import { failNextMoves } from '../../../clouds/simulated/edit-fleet';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { type Admin, anAdmin } from '../rig/admin';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { requestResume, resume, untilDone, untilFailed, untilIt } from './resumed-session';
import { expectWorkDoneToStay, factsOf } from './session-facts';

const serverArgs = [
  'limit.historyCount.suggestContinueAsNew=40',
  // As parley's own server is tuned (cli/stack/temporal-server.ts).
  'system.enableActivityEagerExecution=true',
  'matching.numTaskqueueReadPartitions=1',
  'matching.numTaskqueueWritePartitions=1',
].flatMap((value) => ['--dynamic-config-value', value]);
const projectId = uuidNumber(901);
const names = ['chain', 'back'] as const;

const fleet = aFleetFile({
  hosts: names.flatMap((name) =>
    [1, 2, 3].map((n) => aFleetHost({ name: `${name}-${n}`, vcpus: 4, memory_mb: 8192, maintenance_s: 20 })),
  ),
  instances: names.flatMap((name, position) =>
    [1, 2, 3, 4].map((n) =>
      aFleetInstance({
        instance_id: uuidNumber(10 * position + n),
        instance_name: `${name}-vm-${n}`,
        project_id: projectId,
        host: `${name}-${(n % 3) + 1}`,
        move_s: 30,
      }),
    ),
  ),
});

let temporal: TestWorkflowEnvironment;
let rig: Rig;
let admin: Admin;
let manager: Manager;
let sessions: Readonly<Record<(typeof names)[number], string>>;

const chainInstances = [1, 2, 3, 4].map((n) => `chain-vm-${n}`);
const hostsOf = (name: (typeof names)[number]) => [1, 2, 3].map((n) => `${name}-${n}`);
const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });

beforeAll(async () => {
  const path = await findTemporalProgram({ env: process.env, tell: () => undefined });
  temporal = await TestWorkflowEnvironment.createLocal({
    server: { executable: { type: 'existing-path', path }, extraArgs: serverArgs },
  });
  rig = await startRig({ fleet, temporalAddress: temporal.address });
  admin = anAdmin(rig.url);
  manager = startManager({ url: rig.url, projectId, policy: acknowledge });
  for (const name of chainInstances) await failNextMoves(rig.db, name, 2);
  // Both run from now on; each test goes on with its own.
  sessions = {
    chain: await admin.create({ hosts: hostsOf('chain'), actions: [action('pre'), action('host')] }),
    back: await admin.create({
      hosts: hostsOf('back'),
      actions: [action('pre'), action('host'), action('post', { fail_times: 1 })],
    }),
  };
}, 120_000);
afterAll(async () => {
  manager.stop();
  await rig.stop();
  await temporal.teardown();
});

/** Runs in which a state was entered; there are more, for most runs begin in the middle of one. */
const runsWithEntries = async (sessionId: string) => {
  const entries = await rig.db.entryPoint.findMany({ where: { sessionId } });
  return new Set(entries.map(({ runId }) => runId)).size;
};

it('goes on over the runs of a chain and is resumed from its newest state', async () => {
  const sessionId = sessions.chain;
  await untilFailed(admin, sessionId);
  const before = await factsOf(rig, sessionId);
  for (const name of chainInstances) await failNextMoves(rig.db, name, 0);
  await resume(admin, sessionId);
  const done = await untilDone(admin, sessionId);
  expect(done.percent_done).toBe(100);
  expectWorkDoneToStay(before, await factsOf(rig, sessionId));
  expect(await runsWithEntries(sessionId)).toBeGreaterThan(2);
}, 180_000);

it('is resumed from a state that was entered in an earlier run of the chain', async () => {
  const sessionId = sessions.back;
  await untilFailed(admin, sessionId);
  const before = await factsOf(rig, sessionId);
  const entry = await rig.db.entryPoint.findUniqueOrThrow({
    where: { sessionId_state: { sessionId, state: 'PREPARE_MAINTENANCE' } },
  });
  const { runId } = await rig.client.workflow.getHandle(sessionId).describe();
  expect(entry.runId).not.toBe(runId);
  expect((await requestResume(admin, sessionId, 'PREPARE_MAINTENANCE')).status).toBe(200);
  const done = await untilIt(admin, { sessionId, what: 'ends' }, ({ state }) => state === 'MAINTENANCE_DONE');
  expect(done.percent_done).toBe(100);
  const after = await factsOf(rig, sessionId);
  expectWorkDoneToStay(before, after);
  expect(after.states.slice(before.states.length)).toEqual([
    'PREPARE_MAINTENANCE',
    'START_MAINTENANCE',
    'MAINTENANCE_COMPLETE',
    'MAINTENANCE_DONE',
  ]);
}, 180_000);
