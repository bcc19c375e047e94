/** The cloud is too full: the plan tells so before, and the session is created once there is capacity. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { parseFleet } from '../../../clouds/simulated/fleet-file';
import { loadFleet } from '../../../clouds/simulated/load-fleet';
import { createSimulatedCloud } from '../../../clouds/simulated/simulated-cloud';
import { aConstrainedInstance, aFleetFile, aFleetGroup, aFleetHost, uuidNumber } from '../../builders/a-fleet-file';
import { apiOn, aSessionRequest, useDatabase } from '../api/api-under-test';

const { db } = useDatabase();
const root = path.join(__dirname, '../../..');

/** Two hosts of 16 vcpus, of which 12 and 8 are in use, and further ones. */
const fleetWith = (...further: readonly string[]) =>
  parseFleet(
    aFleetFile({
      hosts: ['old', 'other', ...further].map((name) => aFleetHost({ name })),
      groups: [aFleetGroup({ anti_affinity_group: false })],
      instances: [
        aConstrainedInstance({ instance_id: uuidNumber(1), instance_name: 'big', host: 'old', vcpus: 12 }),
        aConstrainedInstance({ instance_id: uuidNumber(2), instance_name: 'small', host: 'other', vcpus: 8 }),
      ],
    }),
  );

it('tells how much is missing where the cloud is too full, and creates the session once there is enough', async () => {
  const cloud = createSimulatedCloud({ db: db(), speed: 1 });
  const server = apiOn(db(), { cloud }).app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const folder = await mkdtemp(path.join(os.tmpdir(), 'parley-full-cloud-'));
  try {
    const request = path.join(folder, 'request.json');
    await writeFile(request, JSON.stringify(aSessionRequest({ hosts: ['old'], workflow: 'vnf' })));
    const env = { ...process.env, PARLEY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
    const look = () => promisify(execFile)('examples/full-cloud/look-before.sh', [request], { env, cwd: root });

    await loadFleet(db(), fleetWith(), { storeConstraints: true });
    await expect(look()).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/4 vcpus(.|\n)*add or enable a compute host/) as string,
    });
    expect(await db().session.count()).toBe(0);

    await loadFleet(db(), fleetWith('new'), { storeConstraints: true, force: true });
    const { stdout } = await look();
    expect(stdout).toContain('"session_id"');
    expect(await db().session.count()).toBe(1);
  } finally {
    server.close();
    await rm(folder, { recursive: true });
  }
});
