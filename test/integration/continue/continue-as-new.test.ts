/**
 * A session whose history gets long goes on in a new run, in the middle of a state, and is resumed over the chain of
 * runs. A server of its own suggests it after a few events, so that every session here is such a chain.
 */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { failNextMoves } from '../../../clouds/simulated/edit-fleet';
import { aFleetFile, aFleetHost, aFleetInstance, uuidNumber } from '../../builders/a-fleet-file';
import { type Admin, anAdmin } from '../rig/admin';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { type Rig, startRig } from '../rig/rig';
import { startServerOfShortRuns } from '../rig/server-of-short-runs';
import { continueToTheEnd } from './continue-to-the-end';
import { untilFailed } from './continued-session';
import { factsOf } from './session-facts';

const names = ['chain', 'wide'] as const;
type Name = (typeof names)[number];
/** The one of `vnf` has a project of its own: groups without constraints are those of a project. */
const projectOf = (name: Name) => uuidNumber(name === 'wide' ? 902 : 901);
const hostsOf = (name: Name) => [1, 2].map((n) => `${name}-${n}`);

const fleet = aFleetFile({
  hosts: names.flatMap((name) =>
    hostsOf(name).map((host) => aFleetHost({ name: host, vcpus: 4, memory_mb: 8192, maintenance_s: 20 })),
  ),
  instances: names.flatMap((name, position) =>
    [1, 2].map((n) =>
      aFleetInstance({
        instance_id: uuidNumber(10 * position + n),
        instance_name: `${name}-vm-${n}`,
        project_id: projectOf(name),
        host: `${name}-${n}`,
        move_s: 30,
      }),
    ),
  ),
});

let temporal: TestWorkflowEnvironment;
let rig: Rig;
let admin: Admin;
let managers: readonly Manager[];
let sessions: Readonly<Record<Name, string>>;

const chainInstances = [1, 2].map((n) => `chain-vm-${n}`);
const action = (type: string, metadata: object = {}) => ({ plugin: 'dummy', type, metadata });

beforeAll(async () => {
  temporal = await startServerOfShortRuns();
  rig = await startRig({ fleet, temporalAddress: temporal.address });
  admin = anAdmin(rig.url);
  managers = [projectOf('chain'), projectOf('wide')].map((projectId) =>
    startManager({ url: rig.url, projectId, policy: acknowledge }),
  );
  for (const name of chainInstances) await failNextMoves(rig.db, name, 2);
  // All run from now on; each test goes on with its own.
  sessions = {
    chain: await admin.create({ hosts: hostsOf('chain'), actions: [action('pre'), action('host')] }),
    wide: await admin.create({
      workflow: 'vnf',
      hosts: hostsOf('wide'),
      actions: [action('pre'), action('host'), action('post', { fail_times: 1 })],
    }),
  };
});
afterAll(async () => {
  for (const manager of managers) manager.stop();
  try {
    await rig.stop();
  } finally {
    await temporal.teardown();
  }
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
  await continueToTheEnd({ rig, admin }, { sessionId, before });
  expect(await runsWithEntries(sessionId)).toBeGreaterThan(2);
});

it('is resumed from a state that was entered in an earlier run of the chain', async () => {
  const sessionId = sessions.wide;
  await untilFailed(admin, sessionId);
  const before = await factsOf(rig, sessionId);
  const entry = await rig.db.entryPoint.findUniqueOrThrow({
    where: { sessionId_state: { sessionId, state: 'PREPARE_MAINTENANCE' } },
  });
  const { runId } = await rig.client.workflow.getHandle(sessionId).describe();
  expect(entry.runId).not.toBe(runId);
  const { statesSince } = await continueToTheEnd({ rig, admin }, { sessionId, before, state: 'PREPARE_MAINTENANCE' });
  expect(statesSince).toEqual(['PREPARE_MAINTENANCE', 'START_MAINTENANCE', 'MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE']);
});
