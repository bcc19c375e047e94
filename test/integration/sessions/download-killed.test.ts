/** kill -9 of the worker in the middle of a download: nothing half-done is left, and another worker does it anew. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { aTar } from '../../builders/a-tar';
import { aFleetOfZones, aZone } from '../../builders/a-zone';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { type PackageRig, startPackageRig } from '../downloads/package-rig';
import { rigEnvironment } from '../rig/rig-settings';
import { testServices } from '../setup/services';

const zone = aZone(0, { hosts: { a: {} } });
const packed = gzipSync(aTar({ name: 'run.sh', content: '#!/bin/sh\necho whole\n', mode: 0o755 }));

let packages: PackageRig;

beforeAll(async () => {
  packages = await startPackageRig({ fleet: aFleetOfZones([zone]) });
});

afterAll(() => packages.stop());

/** A worker in a process of its own, beside the API of the rig. */
const startWorkerProcess = () => {
  const faults = path.join(__dirname, '../faults');
  const { rig, root, environment } = packages;
  const { databaseUrl, temporalAddress, temporalNamespace: namespace } = rig.settings;
  return spawn(
    process.execPath,
    [
      '--require',
      path.join(__dirname, '../../run/run-typescript.cjs'),
      path.join(faults, 'halting-worker.ts'),
      root,
      'none',
      testServices().workflowBundle,
    ],
    {
      env: {
        ...environmentOfRun(),
        ...rigEnvironment({ databaseUrl, temporalAddress, namespace }, environment),
      },
      stdio: 'ignore',
    },
  );
};

it('leaves nothing half-done', async () => {
  const { rig, admin, server, root } = packages;
  let isSlow = true;
  server.serve('/actions.tgz', (_request, response) => {
    response.writeHead(200, { 'content-length': packed.length });
    if (isSlow) response.write(packed.subarray(0, 30));
    else response.end(packed);
  });
  await rig.stopWorker();
  const worker = startWorkerProcess();
  const sessionId = await admin.create({
    hosts: zone.hostNames,
    download: [`${server.url}/actions.tgz`],
    actions: [{ plugin: 'script', type: 'host', metadata: { script: 'run.sh' } }],
  });
  await eventually('the download is under way', () => Promise.resolve(server.requests.length > 0 || undefined));
  const dead = once(worker, 'exit');
  worker.kill('SIGKILL');
  await dead;
  const left = await readdir(root);
  expect(left).toEqual([expect.stringMatching(new RegExp(`^${sessionId}\\.part-`))]);

  isSlow = false;
  await rig.restartWorker();
  const { action_plugin_instances: records } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(records).toMatchObject([{ state: 'whole' }]);
  await eventually('only the whole folder is left', async () => {
    const names = await readdir(root);
    return (names.length === 1 && names[0] === sessionId) || undefined;
  });
  expect(await readdir(path.join(root, sessionId), { recursive: true })).toEqual(
    expect.arrayContaining(['actions', 'actions/run.sh']),
  );
});
