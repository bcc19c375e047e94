/** A guest reads what is coming at a real Nova's metadata API, which asks the service with a token of Keystone. */
import { createHmac, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import { openIdentity } from '../../api/identity/open-identity';
import { loadSettings } from '../../config/settings';
import { apiOn } from '../integration/api/api-under-test';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { openStackEnvironment } from './rig/driver-under-test';
import { testOpenStack } from './rig/openstack-addresses';
import { deleteServer, makeServer, type Server } from './rig/operator';
import { setVendordataTargets } from './rig/switches';

let database: TestDatabase;
let api: HttpServer;
let server: Server;
const sessionId = randomUUID();

beforeAll(async () => {
  database = await createTestDatabase();
  const settings = loadSettings({
    ...{ DATABASE_URL: 'postgresql://nobody@127.0.0.1:1/none', PARLEY_AUTH: 'keystone' },
    ...openStackEnvironment(),
  });
  const { identity } = await openIdentity(settings, { logger: pino({ level: 'silent' }), answerSeconds: 120 });
  api = apiOn(database.db, { identity }).app.listen(0, '127.0.0.1');
  await once(api, 'listening');
  server = await makeServer({ name: 'guest', host: 'compute-1' });
  const { port } = api.address() as AddressInfo;
  await setVendordataTargets([`parley@http://127.0.0.1:${port}/v1/vendordata`]);
});

afterAll(async () => {
  await setVendordataTargets([]);
  await deleteServer(server.id);
  api.close();
  api.closeAllConnections();
  await database.drop();
});

/** As the proxy in front of Nova's metadata API asks for a guest. */
const vendorData = async (): Promise<unknown> => {
  const address = testOpenStack().switches.replace('/_rig', '/_metadata/openstack/latest/vendor_data2.json');
  const answer = await fetch(address, {
    headers: {
      'X-Forwarded-For': '10.0.0.3',
      'X-Instance-ID': server.id,
      'X-Tenant-ID': server.tenant_id,
      'X-Instance-ID-Signature': createHmac('sha256', 'rig').update(server.id).digest('hex'),
    },
  });
  expect(answer.status).toBe(200);
  return answer.json();
};

it('shows a guest what is coming, when it is known', async () => {
  expect(await vendorData()).toEqual({ parley: { coming: [] } });
  const startsAt = new Date(Math.ceil(Date.now() / 1000) * 1000 + 3_600_000);
  const { db } = database;
  await db.session.create({
    data: {
      ...{
        id: sessionId,
        workflow: 'vnf',
        initialState: 'MAINTENANCE',
        state: 'MAINTENANCE',
        prevState: 'MAINTENANCE',
      },
      ...{ maintenanceAt: startsAt, metadata: {}, actions: [], reason: 'a new kernel' },
    },
  });
  const told = { sessionId, instanceId: server.id, instanceName: server.name, projectId: server.tenant_id };
  const times = { startsAt, latestAt: startsAt, endsAt: startsAt };
  await db.toldComing.create({ data: { ...told, ...times, status: 'scheduled', impact: 'LIVE_MIGRATE' } });
  const time = startsAt.toISOString();
  expect(await vendorData()).toEqual({
    parley: {
      coming: [
        {
          ...{ session_id: sessionId, reason: 'a new kernel', status: 'scheduled', impact: 'LIVE_MIGRATE' },
          ...{ starts_at: time, starts_at_latest: time, sequence: 0 },
        },
      ],
    },
  });
});
