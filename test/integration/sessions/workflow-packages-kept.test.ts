/**
 * Sessions with a workflow of their own while machines and packages change: what set-up accepted is what runs, whoever
 * lacks it says so, and every one of them can be resumed and deleted.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sessionTaskQueue } from '../../../temporal/workflow-messages';
import { aWorkflowPackage } from '../../builders/a-workflow-package';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { continueFailed, untilDone, untilFailed, untilIt } from '../continue/continued-session';
import { factsOf } from '../continue/session-facts';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import type { Admin } from '../rig/admin';

const hosts = { changed: {}, stranded: {}, deaf: {}, prepared: {} };
const zone = aZone(0, { hosts });

let packages: PackageRig;
let rig: PackageRig['rig'];
let admin: Admin;
let server: PackageRig['server'];
let otherRoot: string;
/** Sessions that wait for no other. All run from the beginning. */
let early: Readonly<Record<Early, string>>;

beforeAll(async () => {
  otherRoot = await mkdtemp(path.join(tmpdir(), 'parley-elsewhere-'));
  packages = await startPackageRig({ fleet: aFleetOfZones([zone]), environment: { PARLEY_TAKE_UP_SECONDS: '30' } });
  ({ rig, admin, server } = packages);
  early = await createEarly();
});

afterAll(async () => {
  await packages.stop();
  await rm(otherRoot, { recursive: true, force: true });
});

const create = (host: keyof typeof hosts, request: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  admin.create({
    hosts: [zone.host(host)],
    state: 'WATCHING',
    workflow: 'own',
    download: [`${server.url}/${host}-workflow.zip`],
    ...request,
  });

type Early = 'deaf' | 'prepared';

const createEarly = async (): Promise<Readonly<Record<Early, string>>> => {
  server.serve('/deaf-workflow.zip', aWorkflowPackage('await new Promise(() => undefined);'));
  server.serve('/prepared-workflow.zip', aWorkflowPackage("await sleep('1 day');"));
  const actions = [{ plugin: 'dummy', type: 'pre', metadata: { fail_times: 1 } }];
  return { deaf: await create('deaf'), prepared: await create('prepared', { actions }) };
};

const untilWatching = (sessionId: string) =>
  eventually(`session ${sessionId} watches on its own queue`, async () => {
    const entered = (await factsOf(rig, sessionId)).states.includes('WATCHING');
    const { taskQueue } = await rig.client.workflow.getHandle(sessionId).describe();
    return (entered && taskQueue === sessionTaskQueue(sessionId)) || undefined;
  });

const problemOf = ({ session }: Awaited<ReturnType<Admin['detail']>>): string | null =>
  (session['downloads'] as { problem: string | null }[])[0]!.problem;

const deleteAndSee = async (sessionId: string): Promise<void> => {
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await eventually('the session is gone', async () => {
    const { status } = await admin.call('GET', `/maintenance/${sessionId}`);
    return status === 404 || undefined;
  });
  await eventually('its workflow has ended, and its queue is served no more', async () => {
    const { status } = await rig.client.workflow.getHandle(sessionId).describe();
    const { workflowModule } = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return (status.name !== 'RUNNING' && workflowModule === null) || undefined;
  });
};

it('sets up anew on the main queue where what comes before its first state has failed', async () => {
  const { prepared } = early;
  const { session } = await untilFailed(admin, prepared);
  expect(session).toMatchObject({ prev_state: 'WATCHING' });
  expect(session.failure).toContain('action plug-in dummy (pre) failed');
  await continueFailed(admin, prepared);
  await untilWatching(prepared);
  expect((await factsOf(rig, prepared)).plugins.get('/0')).toEqual({ attempts: 2, status: 'done' });
});

it('deletes one that is served, and one that does not end when it is told to', async () => {
  const { prepared, deaf } = early;
  await untilWatching(deaf);
  await Promise.all([prepared, deaf].map(deleteAndSee));
  await expect(rig.client.workflow.getHandle(prepared).result()).resolves.toBe('DELETED');
});

it('says where a machine gets other packages, goes on with the right ones, and can be deleted without', async () => {
  const code = `const { condition, defineSignal, setHandler } = require('@temporalio/workflow');
    let isTold = false;
    setHandler(defineSignal('go_on'), () => { isTold = true; });
    await condition(() => isTold);
    return 'MAINTENANCE_COMPLETE';`;
  for (const host of ['changed', 'stranded']) server.serve(`/${host}-workflow.zip`, aWorkflowPackage(code));
  const [changed, stranded] = await Promise.all([create('changed'), create('stranded')]);
  await Promise.all([changed, stranded].map(untilWatching));
  for (const host of ['changed', 'stranded'])
    server.serve(`/${host}-workflow.zip`, aWorkflowPackage(code, { comment: 'newer' }));
  await rig.restartWorker({ downloads: packages.downloadsIn(otherRoot) });
  for (const sessionId of [changed, stranded]) {
    const about = { sessionId, what: 'says that nobody has its package' };
    const detail = await untilIt(admin, about, (now) => problemOf(now) !== null);
    expect(problemOf(detail)).toMatch(/^worker on .*: .*-workflow.zip has changed since the session was set up/);
  }
  server.serve('/changed-workflow.zip', aWorkflowPackage(code));
  await rig.client.workflow.getHandle(changed).signal('go_on');
  await untilDone(admin, changed);
  expect(problemOf(await admin.detail(changed))).toBeNull();
  expect((await admin.detail(stranded)).state).toBe('WATCHING');
  await deleteAndSee(stranded);
  await rig.restartWorker();
});
