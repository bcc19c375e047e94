/**
 * Lists of Nova that have servers twice, or lack some: a session neither hangs nor goes to and fro, and says what it
 * waits for.
 */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { type Admin, anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { type FaultyService, openFaultyNova } from './rig/faulty-nova';
import { findServer, makeServers, type Server } from './rig/operator';
import { keepSilent } from './rig/silent-projects';

let nova: FaultyService;
let rig: Rig;
let admin: Admin;
let servers: readonly Server[];
let endSilence = (): void => undefined;

beforeAll(async () => {
  nova = await openFaultyNova();
  servers = await makeServers(['compute-1', 'compute-2'].map((host, n) => ({ name: `odd-${n + 1}`, host })));
  rig = await startRig({ environment: { ...openStackEnvironment(), OS_COMPUTE_ENDPOINT_OVERRIDE: nova.url } });
  endSilence = await keepSilent(rig);
  admin = anAdmin(rig.url);
});
afterEach(() => nova.heal());
afterAll(async () => {
  endSilence();
  await rig.stop();
  await nova.close();
});

interface ListOfServers {
  readonly servers: readonly { readonly id: string }[];
}

/** The list of all servers, not that of one host. */
const rewriteList = (rewrite: (list: ListOfServers) => ListOfServers): void =>
  nova.answerAlways(
    { method: 'GET', path: /servers\/detail\?(?!.*host=)/ },
    { rewrite: (text) => JSON.stringify(rewrite(JSON.parse(text) as ListOfServers)) },
  );

const planOf = async (hosts: readonly string[]): Promise<PlanBody> => {
  const request = { workflow: 'default', state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await admin.call('POST', '/maintenance/plan', { ...request, hosts, actions: [] });
  return body as PlanBody;
};

it('a list that has each server twice is read as if it had each once', async () => {
  rewriteList((list) => ({ ...list, servers: [...list.servers, ...list.servers] }));
  const sessionId = await admin.create({ hosts: ['compute-1'], workflow: 'default' });
  const { instances } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(instances).toMatchObject([{ instance_id: servers[0]!.id, action_done: true }]);
});

it('a list that lacks a server is a wait that names it, in the plan too, and the session goes on when it is whole', async () => {
  const [, { id, name }] = servers as [Server, Server];
  rewriteList((list) => ({ ...list, servers: list.servers.filter((server) => server.id !== id) }));
  const words = `the cloud's lists disagree: that of the host has instance ${name} (${id})`;
  const plan = await planOf(['compute-2']);
  expect(JSON.stringify(plan.blockers)).toContain(words);
  expect(plan.completes).toBe(false);

  const sessionId = await admin.create({ hosts: ['compute-2'], workflow: 'default' });
  await admin.untilReason(sessionId, ({ because }) => because?.includes(words) === true);
  expect((await admin.detail(sessionId)).hosts).toMatchObject([{ maintained: false }]);
  expect((await findServer(id))?.['OS-EXT-SRV-ATTR:host']).toBe('compute-2');
  nova.heal();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect((await findServer(id))?.['OS-EXT-SRV-ATTR:host']).not.toBe('compute-2');
});

it('an error of Nova about one server is told in its words while the move is tried again', async () => {
  const [{ id }] = servers as [Server];
  const host = (await findServer(id))!['OS-EXT-SRV-ATTR:host']!;
  nova.answerAlways(
    { method: 'GET', path: new RegExp(`/servers/${id}$`) },
    { status: 500, body: { computeFault: { message: 'the planets are not in line' } } },
  );
  const sessionId = await admin.create({ hosts: [host], workflow: 'default' });
  await admin.untilReason(
    sessionId,
    ({ waiting_for: kind, because }) => kind === 'move' && because?.includes('the planets are not in line') === true,
  );
  nova.heal();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
});
