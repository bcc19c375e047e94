/** Sessions that bring their own packages: downloaded, run on hosts, shown, refused where they change, and removed. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aZone } from '../../builders/a-zone';
import { aTar } from '../../builders/a-tar';
import { aZip } from '../../builders/a-zip';
import { type PackageServer, startPackageServer } from '../downloads/package-server';
import { until } from '../resume/resumed-session';
import { type Admin, anAdmin } from '../rig/admin';
import { type Rig, startRig } from '../rig/rig';
import { aFleetOfZones } from '../../builders/a-zone';

const upgraded = aZone(0, { hosts: { a: {}, b: {} } });

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

let server: PackageServer;
let root: string;
let rig: Rig;
let admin: Admin;

beforeAll(async () => {
  server = await startPackageServer();
  root = await mkdtemp(path.join(tmpdir(), 'parley-downloads-'));
  rig = await startRig({
    fleet: aFleetOfZones([upgraded]),
    environment: {
      PARLEY_DOWNLOAD_ALLOW: `${server.url}/`,
      PARLEY_DOWNLOAD_DIR: root,
      PARLEY_LOG_LEVEL: process.env['DL_LOG'] ?? 'silent',
    },
  });
  admin = anAdmin(rig.url);
}, 120_000);

afterAll(async () => {
  await rig.stop();
  await server.stop();
  await rm(root, { recursive: true, force: true });
});

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
  expect(server.requests).toHaveLength(3);
  expect(await readdir(root)).toEqual([sessionId]);
  expect((await admin.call('DELETE', `/maintenance/${sessionId}`)).status).toBe(200);
  await until('its folder is gone', 60_000, () =>
    Promise.resolve(existsSync(path.join(root, sessionId)) ? undefined : true),
  );
}, 240_000);
