/** Sessions that bring their own packages: downloaded, run on hosts, shown, refused where they change, and removed. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/a-tar';
import { aZip } from '../../builders/a-zip';
import { aFleetOfZones, aZone, type Zone } from '../../builders/a-zone';
import { eventually } from '../../waiting/eventually';
import { askToContinue, continueFailed, untilFailed, untilIt } from '../continue/continued-session';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import type { Admin } from '../rig/admin';

const zoneOf = (index: number): Zone => aZone(index, { hosts: { a: {} } });
const upgraded = aZone(0, { hosts: { a: {}, b: {} } });
const [waiting, elsewhere, changed] = [zoneOf(1), zoneOf(2), zoneOf(3)];
const [broken, empty, foreign, deleted] = [zoneOf(4), zoneOf(5), zoneOf(6), zoneOf(7)];
const script = `#!/bin/sh
echo "upgrading $MAINTENANCE_HOST ($MAINTENANCE_HOST_TYPE) in $MAINTENANCE_SESSION_ID"
echo "level $(cat "$MAINTENANCE_DIRECTORY/level.txt"), by $(cat lib/words.txt), with $MAINTENANCE_METADATA"
env | grep -c -E '^(DATABASE_URL|PARLEY_|KAFKA_)' || true
`;
const moduleSource = `
import { words } from './lib/words.mjs';
export default {
  name: 'verify',
  async run({ host, session, metadata, directory, log }) {
    log('verifying ' + host.name);
    return { state: words + ' ' + host.name + ' ' + metadata.level + ' ' + (directory.endsWith(session.id)) };
  },
};`;

let packages: PackageRig;
let rig: PackageRig['rig'];
let admin: Admin;
let server: PackageRig['server'];
let root: string;

beforeAll(async () => {
  packages = await startPackageRig({
    fleet: aFleetOfZones([upgraded, waiting, elsewhere, changed, broken, empty, foreign, deleted]),
  });
  ({ rig, admin, server, root } = packages);
});

afterAll(() => packages.stop());

const untilGone = (folder: string) =>
  eventually(`${folder} is gone`, () => Promise.resolve(existsSync(folder) ? undefined : true));

/** A package with one script. */
const packageOf = (text: string): Buffer =>
  gzipSync(aTar({ name: 'run.sh', content: `#!/bin/sh\n${text}\n`, mode: 0o755 }));

const runOnHosts = [{ plugin: 'script', type: 'host', metadata: { script: 'run.sh' } }];

interface ShownDownload {
  readonly state: string;
  readonly bytes: number;
  readonly size_bytes: number | null;
  readonly problem: string | null;
}

const firstDownload = ({ session }: Awaited<ReturnType<Admin['detail']>>): ShownDownload | undefined =>
  (session['downloads'] as ShownDownload[])[0];

it('runs the scripts and modules of its packages on its hosts, and removes them when it is deleted', async () => {
  server.serve(
    '/actions-1.tgz',
    gzipSync(
      aTar(
        { name: 'upgrade.sh', content: script, mode: 0o755 },
        { name: 'lib/', type: '5' },
        { name: 'lib/words.txt', content: 'words' },
      ),
    ),
  );
  server.serve(
    '/actions-2.zip',
    aZip([
      { name: 'verify.mjs', content: moduleSource },
      { name: 'lib/words.mjs', content: "export const words = 'found';" },
    ]),
  );
  server.serve('/level.txt', '42');
  const sessionId = await admin.create({
    hosts: upgraded.hostNames,
    download: ['actions-1.tgz', 'actions-2.zip', 'level.txt'].map((name) => `${server.url}/${name}`),
    actions: [
      { plugin: 'script', type: 'host', metadata: { script: 'upgrade.sh', level: 7 } },
      { plugin: 'verify', type: 'host', metadata: { level: 7 } },
    ],
  });
  const { session, action_plugin_instances: records } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(session['downloads']).toEqual(
    ['actions-1.tgz', 'actions-2.zip', 'level.txt'].map((name) => ({
      url: `${server.url}/${name}`,
      state: 'done',
      bytes: expect.any(Number) as number,
      size_bytes: expect.any(Number) as number,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      problem: null,
    })),
  );
  for (const host of upgraded.hostNames) {
    const [upgrade, verify] = ['script', 'verify'].map((plugin) =>
      records.find((record) => record['hostname'] === host && record['plugin'] === plugin),
    );
    expect(upgrade?.['state']).toBe(
      [
        `upgrading ${host} (compute) in ${sessionId}`,
        'level 42, by words, with {"level":7,"script":"upgrade.sh"}',
        '0',
      ].join('\n'),
    );
    expect(verify?.['state']).toBe(`found ${host} 7 true`);
  }
  expect(server.requests).toHaveLength(3); // both hosts use what set-up has fetched
  expect(await readdir(root)).toEqual([sessionId]);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await untilGone(path.join(root, sessionId));
});

it('shows progress and size, and asks a server again that was away', async () => {
  const packed = packageOf('echo fine');
  let isAway = true;
  let finish: () => void = () => undefined;
  server.serve('/waiting-actions.tgz', (_request, response) => {
    if (isAway) return void response.writeHead(503).end();
    response.writeHead(200, { 'content-length': packed.length });
    response.write(packed.subarray(0, 40));
    finish = () => void response.end(packed.subarray(40));
  });
  const download = [`${server.url}/waiting-actions.tgz`];
  const sessionId = await admin.create({ hosts: waiting.hostNames, download, actions: runOnHosts });
  const about = { sessionId, what: 'tells why it waits' };
  const away = await untilIt(admin, about, (detail) => firstDownload(detail)?.problem !== null);
  expect(firstDownload(away)).toMatchObject({
    state: 'waiting',
    bytes: 0,
    problem: expect.stringMatching(/503/) as string,
  });
  isAway = false;
  const shown = await untilIt(admin, { sessionId, what: 'fetches' }, (detail) => firstDownload(detail)?.bytes === 40);
  expect(firstDownload(shown)).toMatchObject({ state: 'fetching', size_bytes: packed.length });
  expect(existsSync(path.join(root, sessionId))).toBe(false);
  finish();
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(firstDownload(done)).toMatchObject({ state: 'done', bytes: packed.length, problem: null });
});

it('fetches the same files on another machine, refuses others there, and is removed from both', async () => {
  const otherRoot = await mkdtemp(path.join(tmpdir(), 'parley-elsewhere-'));
  server.serve('/same-actions.tgz', packageOf('echo "from $MAINTENANCE_DIRECTORY"'));
  server.serve('/changing-actions.tgz', packageOf('echo first'));
  const create = (zone: Zone, file: string) =>
    admin.create({
      hosts: zone.hostNames,
      maintenance_at: '2099-01-01 00:00:00',
      download: [`${server.url}/${file}`],
      actions: runOnHosts,
    });
  const same = await create(elsewhere, 'same-actions.tgz');
  const changing = await create(changed, 'changing-actions.tgz');
  for (const sessionId of [same, changing]) {
    const about = { sessionId, what: 'has its files' };
    await untilIt(admin, about, (detail) => firstDownload(detail)?.state === 'done');
  }
  server.serve('/changing-actions.tgz', packageOf('echo second'));
  await rig.restartWorker({ downloads: packages.downloadsIn(otherRoot) });
  for (const sessionId of [same, changing]) {
    const begins = { maintenance_at: new Date().toISOString() };
    expect((await admin.call('PATCH', `/maintenance/${sessionId}`, begins)).status).toBe(200);
  }
  const { action_plugin_instances: records } = await admin.until(same, 'MAINTENANCE_DONE');
  expect(records.map(({ state }) => state)).toEqual(records.map(() => `from ${path.join(otherRoot, same)}`));
  expect(server.requests.filter((asked) => asked === '/same-actions.tgz')).toHaveLength(2);

  const { session, hosts } = await untilFailed(admin, changing);
  expect(session.failure).toMatch(/host .*: action plug-in script \(host\) failed: .*changing-actions.tgz has changed/);
  expect(session.failure).toMatch(/its SHA-256 was [0-9a-f]{64} and is [0-9a-f]{64}/);
  expect(hosts.filter(({ maintained }) => maintained)).toEqual([]);
  expect(await readdir(otherRoot)).toEqual([same]);

  for (const sessionId of [same, changing]) await admin.call('DELETE', `/maintenance/${sessionId}`);
  await untilGone(path.join(otherRoot, same));
  // The worker of the first machine was down when the sessions were deleted.
  expect(existsSync(path.join(root, same))).toBe(true);
  await rig.restartWorker();
  await untilGone(path.join(root, same));
  await untilGone(path.join(root, changing));
  await rm(otherRoot, { recursive: true, force: true });
});

it('fails the host of a script that fails, in its last words, and runs it again when it is resumed', async () => {
  const script = 'echo "attempt $MAINTENANCE_EARLIER_ATTEMPTS"; [ "$MAINTENANCE_EARLIER_ATTEMPTS" -gt 0 ] || exit 4';
  server.serve('/broken-actions.tgz', packageOf(script));
  const download = [`${server.url}/broken-actions.tgz`];
  const [host] = broken.hostNames;
  const sessionId = await admin.create({ hosts: [host], download, actions: runOnHosts });
  const { session, action_plugin_instances: records } = await untilFailed(admin, sessionId);
  expect(session.failure).toContain(
    `host ${host!}: action plug-in script (host) failed: ended with exit code 4: attempt 0`,
  );
  expect(records).toMatchObject([{ hostname: host, plugin: 'script', state: 'ended with exit code 4: attempt 0' }]);
  await continueFailed(admin, sessionId);
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done.action_plugin_instances).toMatchObject([{ hostname: host, state: 'attempt 1' }]);
});

it('fails in its set-up where the packages lack what they promise, and goes on once they are mended', async () => {
  server.serve('/empty-actions.tgz', gzipSync(aTar({ name: 'docs/read.me', content: 'x' })));
  const download = [`${server.url}/empty-actions.tgz`];
  const actions = [...runOnHosts, { plugin: 'verify', type: 'post' }];
  const sessionId = await admin.create({ hosts: empty.hostNames, download, actions });
  const { session, hosts } = await untilFailed(admin, sessionId);
  expect(session.failure).toContain('script "run.sh" is not an executable file in the packages');
  expect(session.failure).toContain('action plug-in verify is neither built in nor in the packages');
  expect(session.failure).toContain('the packages hold in actions/: docs/read.me; in workflow/: nothing');
  expect(hosts.every(({ disabled }) => disabled === false)).toBe(true);
  expect(existsSync(path.join(root, sessionId))).toBe(false);
  server.serve(
    '/empty-actions.tgz',
    gzipSync(
      aTar(
        { name: 'run.sh', content: '#!/bin/sh\necho mended\n', mode: 0o755 },
        { name: 'verify.js', content: 'exports.run = () => ({ state: "verified" });' },
      ),
    ),
  );
  await continueFailed(admin, sessionId);
  const done = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(done.action_plugin_instances.map(({ state }) => state).sort()).toEqual(['mended', 'verified']);
});

it('fails in its set-up where no package holds its workflow, and says what they hold', async () => {
  server.serve('/foreign-workflow.zip', aZip([{ name: 'other.js', content: 'exports.states = {};' }]));
  const download = [`${server.url}/foreign-workflow.zip`];
  const sessionId = await admin.create({ hosts: foreign.hostNames, workflow: 'own', download });
  const { session } = await untilFailed(admin, sessionId);
  expect(session.failure).toContain('workflow own is neither built in nor in the packages');
  expect(session.failure).toContain('in workflow/: other.js');
  expect((await askToContinue(admin, sessionId)).status).toBe(200);
});

it('stops a download that is deleted, and leaves nothing of it', async () => {
  let isCut = false;
  server.serve('/endless-actions.tgz', (_request, response) => {
    response.on('close', () => (isCut = true));
    response.writeHead(200).write('some');
  });
  const download = [`${server.url}/endless-actions.tgz`];
  const sessionId = await admin.create({ hosts: deleted.hostNames, download });
  await untilIt(admin, { sessionId, what: 'fetches' }, (detail) => firstDownload(detail)?.bytes === 4);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await eventually('the session is gone', async () => {
    const { status } = await admin.call('GET', `/maintenance/${sessionId}`);
    return status === 404 || undefined;
  });
  await eventually('nothing is left', async () => {
    const names = await readdir(root);
    return names.every((name) => !name.startsWith(sessionId)) || undefined;
  });
  expect(isCut).toBe(true);
});
