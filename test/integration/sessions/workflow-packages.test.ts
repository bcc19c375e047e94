/**
 * Sessions whose workflow a package brought: the example goes through a whole session, over failures and a restart; a
 * broken one fails the session and says why, before anything is done or at the state that is wrong.
 */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { sessionTaskQueue } from '../../../temporal/workflow-messages';
import { endlessLoop } from '../../builders/a-workflow-package';
import { aZip } from '../../builders/a-zip';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueToTheEnd } from '../continue/continue-to-the-end';
import { askToContinue, untilFailed, untilIt } from '../continue/continued-session';
import { factsOf } from '../continue/session-facts';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import type { Admin } from '../rig/admin';
import { acknowledge, startManager } from '../rig/manager';

const examples = path.join(__dirname, '..', '..', '..', 'examples', 'packages');
const example = aZone(0, { hosts: { a: {}, b: {} }, instances: [[1, 'a']] });
const other = aZone(1, { hosts: { endless: {}, careless: {}, mended: {} } });

let packages: PackageRig;
let rig: PackageRig['rig'];
let admin: Admin;
let server: PackageRig['server'];

beforeAll(async () => {
  packages = await startPackageRig({ fleet: aFleetOfZones([example, other]) });
  ({ rig, admin, server } = packages);
});

afterAll(() => packages.stop());

it('runs the example through a whole session, over a restart of the worker and a failure in its own state', async () => {
  const manager = startManager({ url: rig.url, projectId: example.project(1), policy: acknowledge });
  server.serve('/soaking-workflow.tgz', execFileSync('tar', ['cz', '-C', path.join(examples, 'workflow'), '.']));
  const sessionId = await admin.create({
    hosts: example.hostNames,
    workflow: 'soaking',
    metadata: { soak_seconds: 5 },
    download: [`${server.url}/soaking-workflow.tgz`],
    actions: [
      { plugin: 'dummy', type: 'host' },
      { plugin: 'dummy', type: 'post', metadata: { seconds: 0, fail_times: 1 } },
    ],
  });
  // On a busy machine the state may have passed before anybody sees it.
  await eventually({ what: 'it enters its own state', ...admin.watching(sessionId) }, async () => {
    const entries = await rig.db.entryPoint.count({ where: { sessionId, state: 'SOAKING' } });
    return entries > 0 || undefined;
  });
  // Whoever goes on replays all states before.
  await rig.restartWorker();
  const failed = await untilFailed(admin, sessionId);
  expect(failed.session).toMatchObject({ workflow: 'soaking', prev_state: 'SOAKING' });
  expect(failed.session.failure).toContain('action plug-in dummy (post) failed');
  const before = await factsOf(rig, sessionId);

  const { after } = await continueToTheEnd({ rig, admin }, { sessionId, before, state: 'SOAKING' });
  expect(after.states.slice(-5)).toEqual([
    'SOAKING',
    'MAINTENANCE_FAILED',
    'SOAKING',
    'MAINTENANCE_COMPLETE',
    'MAINTENANCE_DONE',
  ]);
  const run = rig.client.workflow.getHandle(sessionId);
  // The session's row is done a moment before its workflow is.
  await run.result();
  expect(await run.describe()).toMatchObject({ taskQueue: sessionTaskQueue(sessionId), status: { name: 'COMPLETED' } });
  await eventually('its queue is served no more', async () => {
    const session = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return session.workflowModule === null || undefined;
  });
  manager.stop();
});

/** A package with the default's states and one of its own. */
const aPackage = (code: string) =>
  zipOf(`const { defaultWorkflow } = require('parley');
exports.name = 'own';
exports.states = { ...defaultWorkflow.states, async TRYING(session) { ${code} } };`);

const zipOf = (content: string) => aZip([{ name: 'own.js', content }]);

/** A session of one empty host that begins in the state of its package. */
const create = (host: string, zip: Buffer): Promise<string> => {
  server.serve(`/${host}-workflow.zip`, zip);
  return admin.create({
    hosts: [other.host(host)],
    workflow: 'own',
    state: 'TRYING',
    maintenance_at: '2026-01-01 00:00:00',
    download: [`${server.url}/${host}-workflow.zip`],
  });
};

/** Packages with faulty states. workflow-packages-broken.test.ts has states that throw, or return what is no state. */
const faultyStates = [
  { host: 'endless', what: 'loops for ever', code: endlessLoop, says: 'does not run: ' },
  {
    host: 'careless',
    what: 'leaves a rejected promise behind',
    code: "void Promise.reject(new Error('nobody looks')); await require('@temporalio/workflow').sleep(60_000);",
    says: 'does not run: ',
  },
] as const;

describe('a state that cannot go on', () => {
  const sessions: Promise<string>[] = [];
  beforeAll(() => {
    for (const { host, code } of faultyStates) sessions.push(create(host, aPackage(code)));
  });

  it.each(faultyStates.map((row, index) => ({ ...row, index })))(
    'because it $what fails the session there, and says so',
    async ({ says, index }) => {
      const sessionId = await sessions[index]!;
      const { session } = await untilFailed(admin, sessionId);
      expect(session).toMatchObject({ prev_state: 'TRYING', failure: expect.stringContaining(says) as string });
      expect(session.failure).toContain('workflow own');
    },
  );
});

/** test/unit/workflows/check.test.ts has the words for all faults of modules. */
it('a module that cannot run fails the session in its set-up; mended, it runs and may fail in a state', async () => {
  const sessionId = await create('mended', zipOf('const = 1;'));
  const { session, hosts } = await untilFailed(admin, sessionId);
  expect(session.failure).toMatch(/workflow own \(workflow\/own.js\): .*workflow\/own.js:1: Unexpected token/);
  expect(hosts).toMatchObject([{ disabled: false, maintained: false }]);
  expect(existsSync(path.join(packages.root, sessionId))).toBe(false);
  server.serve('/mended-workflow.zip', aPackage('return session.roll();'));
  expect((await askToContinue(admin, sessionId)).status).toBe(200);
  await untilIt(
    admin,
    { sessionId, what: 'fails in its own state' },
    (now) => now.session.failure?.includes('not for TRYING') === true && now.state === 'MAINTENANCE_FAILED',
  );
});
