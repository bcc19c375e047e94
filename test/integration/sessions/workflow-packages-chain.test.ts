/**
 * A session with a workflow of its own is a chain of runs on its own task queue, and goes on in it like any other: over
 * new runs, after a reset by hand, and where Temporal has forgotten its history. A server of its own suggests a new run
 * after a few events.
 */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { sessionTaskQueue } from '../../../temporal/workflow-messages';
import { aZip } from '../../builders/a-zip';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueFailed, untilDone, untilFailed } from '../continue/continued-session';
import { forgetWorkflow } from '../continue/forget-workflow';
import { entryOf, resetByHand } from '../continue/reset-by-hand';
import {
  expectWorkDoneToStay,
  factsOf,
  failureInTemporal,
  type SessionFacts,
  untilFailedAgain,
} from '../continue/session-facts';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { startServerOfShortRuns } from '../rig/server-of-short-runs';

const zone = aZone(0, {
  hosts: { a: {}, b: {} },
  instances: [
    [1, 'a'],
    [2, 'b'],
  ],
});

/** The default's states, with one of its own before the end. */
const own = aZip([
  {
    name: 'own.js',
    content: `const { defaultWorkflow } = require('parley');
const insteadOfComplete = (state) => async (session) => {
  const next = await defaultWorkflow.states[state](session);
  return next === 'MAINTENANCE_COMPLETE' ? 'CHECKING' : next;
};
exports.name = 'own';
exports.states = {
  ...defaultWorkflow.states,
  START_MAINTENANCE: insteadOfComplete('START_MAINTENANCE'),
  PLANNED_MAINTENANCE: insteadOfComplete('PLANNED_MAINTENANCE'),
  async CHECKING(session) {
    await session.runPlugins('post');
    return 'MAINTENANCE_COMPLETE';
  },
};`,
  },
]);

let temporal: TestWorkflowEnvironment;
let packages: PackageRig;
let manager: Manager;
let sessionId: string;

beforeAll(async () => {
  temporal = await startServerOfShortRuns();
  packages = await startPackageRig({
    fleet: aFleetOfZones([zone]),
    temporalAddress: temporal.address,
  });
  const { rig, admin, server } = packages;
  manager = startManager({ url: rig.url, projectId: zone.project(1), policy: acknowledge });
  server.serve('/own-workflow.zip', own);
  sessionId = await admin.create({
    hosts: zone.hostNames,
    workflow: 'own',
    download: [`${server.url}/own-workflow.zip`],
    actions: [
      { plugin: 'dummy', type: 'host' },
      { plugin: 'dummy', type: 'post', metadata: { fail_times: 2 } },
    ],
  });
});

afterAll(async () => {
  manager.stop();
  await packages.stop();
  await temporal.teardown();
});

/** Fails in its own state once all hosts are done, after several runs on its own queue. */
const untilFailedInItsOwnState = async (): Promise<SessionFacts> => {
  const { rig, admin } = packages;
  const { session } = await untilFailed(admin, sessionId);
  expect(session).toMatchObject({ prev_state: 'CHECKING' });
  expect(await failureInTemporal(rig, sessionId)).toContain('action plug-in dummy (post) failed');
  const entries = await rig.db.entryPoint.findMany({ where: { sessionId } });
  expect(new Set(entries.map(({ runId }) => runId)).size).toBeGreaterThan(1);
  return factsOf(rig, sessionId);
};

/** It was in its own state once more, on its own queue, and then only in these states. */
const expectToHaveGoneOn = async (before: SessionFacts, ends: readonly string[]): Promise<SessionFacts> => {
  const { rig } = packages;
  const after = await factsOf(rig, sessionId);
  expectWorkDoneToStay(before, after);
  const [first, ...later] = after.states.slice(before.states.length);
  expect(first).toBe('CHECKING');
  expect(later.filter((state) => state !== 'CHECKING')).toEqual(ends); // as often as it has runs
  const { taskQueue } = await rig.client.workflow.getHandle(sessionId).describe();
  expect(taskQueue).toBe(sessionTaskQueue(sessionId));
  return after;
};

it('goes on over the runs of a chain, and after a reset by hand to its own state', async () => {
  const before = await untilFailedInItsOwnState();
  await resetByHand(packages.rig, sessionId, await entryOf(packages.rig, sessionId, 'CHECKING'));
  await untilFailedAgain(packages.rig, sessionId);
  await untilFailedInItsOwnState();
  await expectToHaveGoneOn(before, ['MAINTENANCE_FAILED']);
});

it('enters its own state in a new run, with the packages that are there, where Temporal has forgotten its history', async () => {
  const { rig, admin, server } = packages;
  const before = await factsOf(rig, sessionId);
  await forgetWorkflow(rig, sessionId);
  const asked = server.requests.length;
  await continueFailed(admin, sessionId);
  const done = await untilDone(admin, sessionId);
  expect(done).toMatchObject({ percent_done: 100, session: { failure: null } });
  const after = await expectToHaveGoneOn(before, ['MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE']);
  expect(after.plugins.get('/1')).toEqual({ attempts: 3, status: 'done' });
  expect(server.requests).toHaveLength(asked); // this machine has had them all the time
  await eventually('its queue is served no more', async () => {
    const { workflowModule } = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return workflowModule === null || undefined;
  });
});
