/**
 * Sessions with a workflow of their own while machines and packages change: what set-up accepted is what runs, whoever
 * lacks it says so, and every one of them can be resumed and deleted.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createDownloads, type Downloads } from '../../../downloads/downloads';
import { resolveHost } from '../../../downloads/resolve-host';
import { createUrlPolicy } from '../../../downloads/url-policy';
import { sessionTaskQueue } from '../../../workflows/messages';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { aZip } from '../../builders/a-zip';
import { type PackageServer, startPackageServer } from '../downloads/package-server';
import { resume, until, untilDone, untilFailed, untilIt } from '../resume/resumed-session';
import { factsOf } from '../resume/session-facts';
import { type Admin, anAdmin } from '../rig/admin';
import { type Rig, startRig } from '../rig/rig';

const hosts = { changed: {}, stranded: {}, watched: {}, deaf: {}, prepared: {} };
const zone = aZone(0, { hosts });

let server: PackageServer;
let root: string;
let otherRoot: string;
let rig: Rig;
let admin: Admin;

beforeAll(async () => {
  server = await startPackageServer();
  root = await mkdtemp(path.join(tmpdir(), 'parley-kept-'));
  otherRoot = await mkdtemp(path.join(tmpdir(), 'parley-elsewhere-'));
  rig = await startRig({
    fleet: aFleetOfZones([zone]),
    environment: { PARLEY_DOWNLOAD_ALLOW: `${server.url}/`, PARLEY_DOWNLOAD_DIR: root },
  });
  admin = anAdmin(rig.url);
}, 120_000);

afterAll(async () => {
  await rig.stop();
  await server.stop();
  for (const folder of [root, otherRoot]) await rm(folder, { recursive: true, force: true });
}, 60_000);

/** The files of sessions as a worker on another machine has them. */
const elsewhere = (): Downloads => {
  const policy = createUrlPolicy(rig.settings.downloadAllow);
  return createDownloads({ root: otherRoot, limits: rig.settings, policy, resolveHost });
};

/** A workflow `own` that begins in WATCHING, with this code there, and then has nothing left to do. */
const packageOf = (code: string, comment = '') =>
  aZip([
    {
      name: 'own.js',
      content: `// ${comment}
const { sleep } = require('@temporalio/workflow');
exports.name = 'own';
exports.states = {
  async WATCHING(session) { ${code} },
  async MAINTENANCE_COMPLETE() { return 'MAINTENANCE_DONE'; },
};`,
    },
  ]);

const create = (host: keyof typeof hosts, request: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  admin.create({
    hosts: [zone.host(host)],
    state: 'WATCHING',
    workflow: 'own',
    download: [`${server.url}/${host}-workflow.zip`],
    ...request,
  });

const untilWatching = (sessionId: string) =>
  until(`session ${sessionId} watches on its own queue`, 100_000, async () => {
    const entered = (await factsOf(rig, sessionId)).states.includes('WATCHING');
    const { taskQueue } = await rig.client.workflow.getHandle(sessionId).describe();
    return (entered && taskQueue === sessionTaskQueue(sessionId)) || undefined;
  });

const problemOf = ({ session }: Awaited<ReturnType<Admin['detail']>>): string | null =>
  (session['downloads'] as { problem: string | null }[])[0]!.problem;

const deleteAndSee = async (sessionId: string): Promise<void> => {
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await until('the session is gone', 200_000, async () => {
    const { status } = await admin.call('GET', `/maintenance/${sessionId}`);
    return status === 404 || undefined;
  });
  await until('its workflow has ended, and its queue is served no more', 150_000, async () => {
    const { status } = await rig.client.workflow.getHandle(sessionId).describe();
    const { workflowModule } = await rig.db.session.findUniqueOrThrow({ where: { id: sessionId } });
    return (status.name !== 'RUNNING' && workflowModule === null) || undefined;
  });
};

it('deletes one that is served, and one that does not end when it is told to', async () => {
  server.serve('/watched-workflow.zip', packageOf("await sleep('1 day');"));
  server.serve('/deaf-workflow.zip', packageOf('await new Promise(() => undefined);'));
  const [watched, deaf] = await Promise.all([create('watched'), create('deaf')]);
  await Promise.all([watched, deaf].map(untilWatching));
  await Promise.all([watched, deaf].map(deleteAndSee));
  await expect(rig.client.workflow.getHandle(watched).result()).resolves.toBe('DELETED');
}, 400_000);

it('sets up anew on the main queue where what comes before its first state has failed', async () => {
  server.serve('/prepared-workflow.zip', packageOf("return 'MAINTENANCE_COMPLETE';"));
  const sessionId = await create('prepared', {
    actions: [{ plugin: 'dummy', type: 'pre', metadata: { fail_times: 1 } }],
  });
  const { session } = await untilFailed(admin, sessionId);
  expect(session).toMatchObject({ prev_state: 'WATCHING' });
  expect(session.failure).toContain('action plug-in dummy (pre) failed');
  await resume(admin, sessionId);
  await untilDone(admin, sessionId);
  expect((await factsOf(rig, sessionId)).plugins.get('/0')).toEqual({ attempts: 2, status: 'done' });
}, 240_000);

it('says where a machine gets other packages, goes on with the right ones, and can be deleted without', async () => {
  const code = "await sleep('20 s'); return 'MAINTENANCE_COMPLETE';";
  for (const host of ['changed', 'stranded']) server.serve(`/${host}-workflow.zip`, packageOf(code));
  const [changed, stranded] = await Promise.all([create('changed'), create('stranded')]);
  await Promise.all([changed, stranded].map(untilWatching));
  for (const host of ['changed', 'stranded']) server.serve(`/${host}-workflow.zip`, packageOf(code, 'newer'));
  await rig.restartWorker({ downloads: elsewhere() });
  for (const sessionId of [changed, stranded]) {
    const about = { sessionId, what: 'says that nobody has its package' };
    const detail = await untilIt(admin, about, (now) => problemOf(now) !== null);
    expect(problemOf(detail)).toMatch(/^worker on .*: .*-workflow.zip has changed since the session was set up/);
  }
  server.serve('/changed-workflow.zip', packageOf(code));
  await untilDone(admin, changed);
  expect(problemOf(await admin.detail(changed))).toBeNull();
  expect((await admin.detail(stranded)).state).toBe('WATCHING');
  await deleteAndSee(stranded);
  await rig.restartWorker();
}, 500_000);
