/**
 * Sessions with a workflow of their own while machines and packages change: what set-up accepted is what runs, whoever
 * lacks it says so, and every one of them can be resumed and deleted.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSweepActivities } from '../../../activities/sweep-activities';
import { sessionTaskQueue } from '../../../workflows/messages';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { aZip } from '../../builders/a-zip';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import { requestResume, resume, until, untilDone, untilFailed, untilIt } from '../resume/resumed-session';
import { factsOf } from '../resume/session-facts';
import type { Admin } from '../rig/admin';

const hosts = { changed: {}, stranded: {}, watched: {}, deaf: {}, prepared: {}, unloadable: {}, unreplayable: {} };
const zone = aZone(0, { hosts });

let packages: PackageRig;
let rig: PackageRig['rig'];
let admin: Admin;
let server: PackageRig['server'];
let otherRoot: string;
/** Those that wait for no other; all run from the beginning, and each test goes on with its own. */
let early: Readonly<Record<Early, string>>;

beforeAll(async () => {
  otherRoot = await mkdtemp(path.join(tmpdir(), 'parley-elsewhere-'));
  packages = await startPackageRig({ fleet: aFleetOfZones([zone]) });
  ({ rig, admin, server } = packages);
  early = await createEarly();
}, 120_000);

afterAll(async () => {
  await packages.stop();
  await rm(otherRoot, { recursive: true, force: true });
}, 60_000);

/** A workflow `own` that begins in this state, with this code there, and then has nothing left to do. */
const packageOf = (code: string, { comment = '', state = 'WATCHING' } = {}) =>
  aZip([
    {
      name: 'own.js',
      content: `// ${comment}
const { sleep } = require('@temporalio/workflow');
exports.name = 'own';
exports.states = {
  async ${state}(session) { ${code} },
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

type Early = 'watched' | 'deaf' | 'prepared' | 'unloadable' | 'unreplayable';

const notYet = "throw new Error('not yet');";

const createEarly = async (): Promise<Readonly<Record<Early, string>>> => {
  server.serve('/watched-workflow.zip', packageOf("await sleep('1 day');"));
  server.serve('/deaf-workflow.zip', packageOf('await new Promise(() => undefined);'));
  server.serve('/prepared-workflow.zip', packageOf("return 'MAINTENANCE_COMPLETE';"));
  server.serve('/unloadable-workflow.zip', packageOf(notYet, { state: 'MAINTENANCE' }));
  server.serve('/unreplayable-workflow.zip', packageOf(notYet));
  const actions = [{ plugin: 'dummy', type: 'pre', metadata: { fail_times: 1 } }];
  return {
    watched: await create('watched'),
    deaf: await create('deaf'),
    prepared: await create('prepared', { actions }),
    unloadable: await create('unloadable', { state: 'MAINTENANCE' }),
    unreplayable: await create('unreplayable'),
  };
};

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
  const { watched, deaf } = early;
  await Promise.all([watched, deaf].map(untilWatching));
  await Promise.all([watched, deaf].map(deleteAndSee));
  await expect(rig.client.workflow.getHandle(watched).result()).resolves.toBe('DELETED');
}, 400_000);

it('sets up anew on the main queue where what comes before its first state has failed', async () => {
  const sessionId = early.prepared;
  const { session } = await untilFailed(admin, sessionId);
  expect(session).toMatchObject({ prev_state: 'WATCHING' });
  expect(session.failure).toContain('action plug-in dummy (pre) failed');
  await resume(admin, sessionId);
  await untilDone(admin, sessionId);
  expect((await factsOf(rig, sessionId)).plugins.get('/0')).toEqual({ attempts: 2, status: 'done' });
}, 240_000);

/** How often the session has failed, and how it is now. */
const failuresOf = async (sessionId: string) => {
  const { session } = await admin.detail(sessionId);
  const events = await rig.db.event.findMany({ where: { sessionId } });
  const failed = events.filter(({ payload }) => (payload as { state: string }).state === 'MAINTENANCE_FAILED');
  return { session, count: failed.length };
};

it('fails once more, and is not resumed for ever, where its module does not run any more', async () => {
  const sessions = [early.unloadable, early.unreplayable];
  const files = sessions.map((sessionId) => path.join(packages.root, sessionId, 'workflow', 'own.js'));
  for (const sessionId of sessions) await untilFailed(admin, sessionId);
  const sources = await Promise.all(files.map((file) => readFile(file, 'utf8')));
  for (const file of files) await writeFile(file, "throw new Error('the disk is broken');");
  const itsHosts = { where: { sessionId: early.unreplayable } };
  await rig.db.sessionHost.updateMany({ ...itsHosts, data: { disabled: true, disabledBefore: false } });
  await rig.restartWorker();
  for (const sessionId of sessions) expect((await requestResume(admin, sessionId)).status).toBe(200);
  for (const sessionId of sessions) {
    await until('it has failed again', 200_000, async () => (await failuresOf(sessionId)).count === 2 || undefined);
  }
  await createSweepActivities(rig.services).sweepOnce();
  const failures = await Promise.all(sessions.map(failuresOf));
  // What comes before WATCHING is in the history, and would come out otherwise now; before MAINTENANCE there is nothing.
  expect(failures).toMatchObject(
    ['MAINTENANCE', 'WATCHING'].map((prev_state) => ({
      count: 2,
      session: { state: 'MAINTENANCE_FAILED', prev_state, resuming: false },
    })),
  );
  const [unloadable, unreplayable] = failures.map(({ session }) => session.failure);
  expect(unloadable).toContain('workflow own: the disk is broken');
  expect(unreplayable).toMatch(/workflow own of the packages does not run: .* \(left disabled: .*unreplayable\)/s);
  await rig.db.sessionHost.updateMany({ ...itsHosts, data: { disabled: false } });
  const mended = sources.map((source) => source.replace(notYet, "return 'MAINTENANCE_COMPLETE';"));
  await Promise.all(files.map((file, index) => writeFile(file, mended[index]!)));
  await rig.restartWorker();
  for (const sessionId of sessions) await resume(admin, sessionId);
  for (const sessionId of sessions) await untilDone(admin, sessionId);
}, 500_000);

it('says where a machine gets other packages, goes on with the right ones, and can be deleted without', async () => {
  const code = "await sleep('20 s'); return 'MAINTENANCE_COMPLETE';";
  for (const host of ['changed', 'stranded']) server.serve(`/${host}-workflow.zip`, packageOf(code));
  const [changed, stranded] = await Promise.all([create('changed'), create('stranded')]);
  await Promise.all([changed, stranded].map(untilWatching));
  for (const host of ['changed', 'stranded'])
    server.serve(`/${host}-workflow.zip`, packageOf(code, { comment: 'newer' }));
  await rig.restartWorker({ downloads: packages.downloadsIn(otherRoot) });
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
