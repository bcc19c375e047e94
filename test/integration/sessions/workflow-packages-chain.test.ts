/**
 * A session with a workflow of its own is a chain of runs on its own task queue, and goes on in it like any other: over
 * new runs, after a reset by hand, and where Temporal has forgotten its history. A server of its own suggests a new run
 * after a few events.
 */
import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { sessionTaskQueue } from '../../../messages/workflow-messages';
import { aZip } from '../../builders/a-zip';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import { forgetWorkflow } from '../resume/forget-workflow';
import { entryOf, resetByHand } from '../resume/reset-by-hand';
import { resume, untilAlive, untilDone, untilFailed } from '../resume/resumed-session';
import { expectWorkDoneToStay, factsOf, failureInTemporal, type SessionFacts } from '../resume/session-facts';
import { acknowledge, type Manager, startManager } from '../rig/manager';
import { startServerOfShortRuns } from '../rig/server-of-short-runs';

const zoneOf = (number: number) =>
  aZone(number, {
    hosts: { a: {}, b: {} },
    instances: [
      [1, 'a'],
      [2, 'b'],
    ],
  });
const zones = { reset: zoneOf(0), forgotten: zoneOf(1) };
type Name = keyof typeof zones;

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
let managers: readonly Manager[];
let sessions: Readonly<Record<Name, string>>;

const create = (name: Name): Promise<string> =>
  packages.admin.create({
    hosts: zones[name].hostNames,
    workflow: 'own',
    download: [`${packages.server.url}/${name}-workflow.zip`],
    actions: [
      { plugin: 'dummy', type: 'host' },
      { plugin: 'dummy', type: 'post', metadata: { fail_times: 1 } },
    ],
  });

beforeAll(async () => {
  temporal = await startServerOfShortRuns();
  packages = await startPackageRig({
    fleet: aFleetOfZones(Object.values(zones)),
    temporalAddress: temporal.address,
  });
  const { rig, server } = packages;
  managers = Object.values(zones).map((zone) =>
    startManager({ url: rig.url, projectId: zone.project(1), policy: acknowledge }),
  );
  for (const name of Object.keys(zones)) server.serve(`/${name}-workflow.zip`, own);
  // Both run from now on; each test goes on with its own.
  sessions = { reset: await create('reset'), forgotten: await create('forgotten') };
});

afterAll(async () => {
  for (const manager of managers) manager.stop();
  await packages.stop();
  await temporal.teardown();
});

/** Both fail in their own state once all hosts are done, after several runs on their own queue. */
const untilFailedInItsOwnState = async (sessionId: string): Promise<SessionFacts> => {
  const { rig, admin } = packages;
  const { session } = await untilFailed(admin, sessionId);
  expect(session).toMatchObject({ prev_state: 'CHECKING' });
  expect(await failureInTemporal(rig, sessionId)).toContain('action plug-in dummy (post) failed');
  const entries = await rig.db.entryPoint.findMany({ where: { sessionId } });
  expect(new Set(entries.map(({ runId }) => runId)).size).toBeGreaterThan(1);
  return factsOf(rig, sessionId);
};

/** Done on its own queue, in its own state once more and in none of those before it. */
const expectToEndWell = async (sessionId: string, before: SessionFacts): Promise<void> => {
  const { rig, admin } = packages;
  const done = await untilDone(admin, sessionId);
  expect(done).toMatchObject({ percent_done: 100, session: { failure: null } });
  const after = await factsOf(rig, sessionId);
  expectWorkDoneToStay(before, after);
  const ends = ['MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE'];
  const [first, ...later] = after.states.slice(before.states.length);
  expect(first).toBe('CHECKING');
  expect(later.filter((state) => state !== 'CHECKING')).toEqual(ends); // as often as it has runs
  expect(after.plugins.get('/1')).toEqual({ attempts: 2, status: 'done' });
  const { taskQueue } = await rig.client.workflow.getHandle(sessionId).describe();
  expect(taskQueue).toBe(sessionTaskQueue(sessionId));
};

it('goes on over the runs of a chain, and after a reset by hand to its own state', async () => {
  const sessionId = sessions.reset;
  const before = await untilFailedInItsOwnState(sessionId);
  await resetByHand(packages.rig, sessionId, await entryOf(packages.rig, sessionId, 'CHECKING'));
  await untilAlive(packages.admin, sessionId);
  await expectToEndWell(sessionId, before);
});

it('enters its own state in a new run, with the packages that are there, where Temporal has forgotten its history', async () => {
  const { rig, admin, server } = packages;
  const sessionId = sessions.forgotten;
  const before = await untilFailedInItsOwnState(sessionId);
  await forgetWorkflow(rig, sessionId);
  const asked = server.requests.length;
  await resume(admin, sessionId);
  await expectToEndWell(sessionId, before);
  expect(server.requests).toHaveLength(asked); // this machine has had them all the time
  await eventually('its queue is served no more', async () => {
    const { workflowModule } = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return workflowModule === null || undefined;
  });
});
