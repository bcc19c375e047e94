/**
 * Sessions on a real Nova and a real placement over hosts that are not alike: nothing is asked of Nova that it refuses,
 * and what cannot be done is said before anything is.
 */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { aGate } from '../integration/events/a-gate';
import { type Admin, anAdmin } from '../integration/rig/admin';
import type { Policy } from '../integration/rig/manager';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { emptyCloud } from './rig/empty-cloud';
import {
  actOn,
  addToAggregate,
  bookForNobody,
  deleteFlavor,
  deleteServer,
  enableOnly,
  findServer,
  listComputes,
  listMigrations,
  makeAggregate,
  makeFlavor,
  makeServer,
  makeServers,
  type Server,
  unbook,
  until,
  untilSettled,
} from './rig/operator';
import { keepSilent } from './rig/silent-projects';
import { setOffers, startCompute, stopCompute } from './rig/switches';

let rig: Rig;
let admin: Admin;
let endSilence = (): void => undefined;

/** Projects that are asked to scale in have done so when the test has. */
let isFreed = aGate();
const scaleInWithTheTest: Policy = async ({ state }) => {
  if (state !== 'SCALE_IN') return 'silent' as const;
  await isFreed.passed;
  return { answer: 'ACK', isAll: true };
};
beforeAll(async () => {
  rig = await startRig({
    environment: { ...openStackEnvironment(), PARLEY_MOVE_SECONDS: '120', PARLEY_SCALE_IN_REPLY_SECONDS: '600' },
  });
  endSilence = await keepSilent(rig, scaleInWithTheTest);
  admin = anAdmin(rig.url);
});
afterAll(async () => {
  endSilence();
  await rig.stop();
});
beforeEach(async () => {
  isFreed = aGate();
  await emptyCloud();
});

const planOf = async (hosts: readonly string[]): Promise<PlanBody> => {
  const request = { workflow: 'default', state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { status, body } = await admin.call('POST', '/maintenance/plan', { ...request, hosts, actions: [] });
  expect(status).toBe(200);
  return body as PlanBody;
};

const placesOf = async (servers: readonly Server[]): Promise<readonly (string | null | undefined)[]> =>
  Promise.all(servers.map(async ({ id }) => (await findServer(id))?.['OS-EXT-SRV-ATTR:host']));

const stateOf = async (host: string) => (await listComputes()).find((compute) => compute.host === host)?.status;

/** Every server was moved as often as told, and no move was refused or failed, by the service and by Nova. */
const expectMovesOnly = async (servers: readonly Server[], movesOfEach: number): Promise<void> => {
  const migrations = await Promise.all(servers.map(({ id }) => listMigrations(id)));
  const expected = Array.from({ length: movesOfEach }, () => 'completed');
  expect(migrations.map((each) => each.map(({ status }) => status))).toEqual(servers.map(() => expected));
  const ids = servers.map(({ id }) => id);
  expect(await rig.db.openstackMove.count({ where: { instanceId: { in: ids }, status: { not: 'done' } } })).toBe(0);
  expect(await rig.db.targetRefusal.count({ where: { instanceId: { in: ids } } })).toBe(0);
};

it('servers with dedicated processors go where these are, also without their flavor, and are refused nowhere', async () => {
  await setOffers({ 'compute-5': { pinned: true }, 'compute-6': { pinned: true } });
  const specs = { 'resources:PCPU': '4', 'resources:VCPU': '0' };
  const flavor = await makeFlavor({ name: 'dedicated', vcpus: 4, specs });
  const servers = await makeServers([1, 2].map((n) => ({ name: `pinned-${n}`, host: 'compute-5', flavor })));
  await deleteFlavor(flavor);
  expect(await planOf(['compute-5'])).toMatchObject({ completes: true });
  await admin.until(await admin.create({ hosts: ['compute-5'] }), 'MAINTENANCE_DONE');
  expect(await placesOf(servers)).toEqual(['compute-6', 'compute-6']);
  await expectMovesOnly(servers, 1);
});

// Before the tests with zones: a host that leaves its zone offers something else, and is tried again.
it('what nobody can foresee is refused once for all servers that need the same', async () => {
  await enableOnly(['compute-1', 'compute-2', 'compute-3']);
  const flavor = await makeFlavor({ name: 'huge', ram: 200_000 });
  await makeServer({ name: 'neighbour', host: 'compute-2', flavor });
  await setOffers({ 'compute-2': { foreign: true } });
  const servers = await makeServers([1, 2, 3, 4].map((n) => ({ name: `alike-${n}`, host: 'compute-1' })));
  await admin.until(await admin.create({ hosts: ['compute-1'] }), 'MAINTENANCE_DONE');
  expect(new Set(await placesOf(servers))).toEqual(new Set(['compute-3']));
  const refused = (await Promise.all(servers.map(({ id }) => listMigrations(id)))).flat();
  expect(refused.filter(({ status }) => status !== 'completed')).toHaveLength(1);
});

const untilOneOffers = (host: string, offered: string): Promise<unknown> =>
  until(`the service has seen that ${host} offers ${offered}`, async () => {
    const hosts = await rig.services.cloud.listHosts();
    return hosts.find(({ name }) => name === host)?.offers?.includes(offered) || undefined;
  });

/** @returns the ID of the aggregate that makes up zone a */
const makeZones = async (): Promise<number> => {
  const zoneA = await makeAggregate({
    name: 'a',
    hosts: ['compute-1', 'compute-2'],
    metadata: { availability_zone: 'a' },
  });
  await makeAggregate({ name: 'b', hosts: ['compute-4'], metadata: { availability_zone: 'b' } });
  await enableOnly(['compute-1', 'compute-2', 'compute-4']);
  await untilOneOffers('compute-4', '"zone":"b"');
  return zoneA;
};

it('servers that were created for a zone stay in it, although another host is a tighter fit', async () => {
  await makeZones();
  const flavor = await makeFlavor({ name: 'huge', ram: 200_000 });
  await makeServer({ name: 'neighbour', host: 'compute-4', zone: 'b', flavor });
  const six = [1, 2, 3, 4, 5, 6].map((n) => ({ name: `zoned-${n}`, host: 'compute-1', zone: 'a' }));
  const servers = await makeServers(six);
  await admin.until(await admin.create({ hosts: ['compute-1'] }), 'MAINTENANCE_DONE');
  expect(new Set(await placesOf(servers))).toEqual(new Set(['compute-2']));
  await expectMovesOnly(servers, 1);
});

it('a full zone is named with what is missing there, and the session goes on when that is freed', async () => {
  await makeZones();
  const flavor = await makeFlavor({ name: 'half', ram: 120_000 });
  const inZone = (name: string, host: string) => ({ name, host, zone: 'a', flavor });
  const leaving = await makeServers([inZone('full-1', 'compute-1'), inZone('full-2', 'compute-1')]);
  const staying = await makeServers([inZone('full-3', 'compute-2'), inZone('full-4', 'compute-2')]);
  const sessionId = await admin.create({ hosts: ['compute-1'] });
  const reason = await admin.untilReason(sessionId, (waiting) => JSON.stringify(waiting).includes('zone a'));
  expect(JSON.stringify(reason)).toMatch(/\d+ MB of memory/);
  for (const { id } of staying) await deleteServer(id);
  isFreed.open();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await placesOf(leaving)).toEqual(['compute-2', 'compute-2']);
  await expectMovesOnly(leaving, 1);
});

it('an aggregate that is changed while a session waits lets it go on', async () => {
  const zone = await makeZones();
  await enableOnly(['compute-1', 'compute-2', 'compute-3', 'compute-4']);
  const flavor = await makeFlavor({ name: 'large', ram: 200_000 });
  const inZone = (name: string, host: string) => ({ name, host, zone: 'a', flavor });
  const [leaving] = await makeServers([inZone('leaving', 'compute-1'), inZone('staying', 'compute-2')]);
  const sessionId = await admin.create({ hosts: ['compute-1'] });
  await admin.untilReason(sessionId, ({ because }) => because?.includes('with zone a') === true);
  await addToAggregate(zone, 'compute-3');
  await untilOneOffers('compute-3', '"zone":"a"');
  isFreed.open();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(await placesOf([leaving!])).toEqual(['compute-3']);
  await expectMovesOnly([leaving!], 1);
});

describe('a host that placement does not offer, although all lists have room for it there', () => {
  let booked: string;

  beforeEach(async () => {
    const flavor = await makeFlavor({ name: 'neighbour', ram: 100_000 });
    await makeServer({ name: 'neighbour', host: 'compute-2', flavor });
    booked = await bookForNobody('compute-2', 161_000);
  });

  it('is no target of plans and sessions, and Nova is not asked for it', async () => {
    await enableOnly(['compute-1', 'compute-2', 'compute-3']);
    const servers = await makeServers([1, 2].map((n) => ({ name: `beside-${n}`, host: 'compute-1' })));
    expect(await planOf(['compute-1'])).toMatchObject({ completes: true });
    await admin.until(await admin.create({ hosts: ['compute-1'] }), 'MAINTENANCE_DONE');
    expect(await placesOf(servers)).toEqual(['compute-3', 'compute-3']);
    await expectMovesOnly(servers, 1);
  });

  it('is named where no other host is left, and used as soon as placement offers it', async () => {
    await enableOnly(['compute-1', 'compute-2']);
    const server = await makeServer({ name: 'alone', host: 'compute-1' });
    const { completes, blockers } = await planOf(['compute-1']);
    expect(completes).toBe(false);
    expect(JSON.stringify(blockers)).toContain('host compute-2 refused it: placement does not offer it for 1 vcpus');
    const sessionId = await admin.create({ hosts: ['compute-1'] });
    await admin.untilReason(sessionId, ({ because }) => because?.includes('placement does not offer it') === true);
    await unbook(booked);
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    expect(await placesOf([server])).toEqual(['compute-2']);
    await expectMovesOnly([server], 1);
  });
});

describe('a server that Nova moves in no way in its state', () => {
  const states = [
    { status: 'SUSPENDED', make: { suspend: null }, end: { resume: null } },
    { status: 'RESCUE', make: { rescue: {} }, end: { unrescue: null } },
    { status: 'ERROR', make: { 'os-resetState': { state: 'error' } }, end: { 'os-resetState': { state: 'active' } } },
  ] as const;

  const bringInto = async (server: Server, status: string, action: unknown): Promise<void> => {
    await actOn(server.id, action);
    await until(
      `${server.name} is ${status}`,
      async () => (await untilSettled(server.id)).status === status || undefined,
    );
  };

  it('is a blocker with its owner, and nothing on its host is begun', async () => {
    const movable = await makeServers([1, 2].map((n) => ({ name: `movable-${n}`, host: 'compute-1' })));
    const stuck = await makeServers(states.map(({ status }) => ({ name: status.toLowerCase(), host: 'compute-1' })));
    for (const [index, { status, make }] of states.entries()) await bringInto(stuck[index]!, status, make);
    const plan = await planOf(['compute-1']);
    expect(plan.completes).toBe(false);
    for (const { name } of stuck) expect(JSON.stringify(plan.blockers)).toContain(name);
    const sessionId = await admin.create({ hosts: ['compute-1'] });
    const { session } = await admin.until(sessionId, 'MAINTENANCE_FAILED');
    expect(session.failure).toMatch(/^host compute-1 cannot be drained: instance (suspended|rescue|error) .*, since/);
    expect(await placesOf(movable)).toEqual(['compute-1', 'compute-1']);
    await expectMovesOnly([...movable, ...stuck], 0);
    expect(await stateOf('compute-1')).toBe('enabled');
    expect(await admin.call('DELETE', `/maintenance/${sessionId}`)).toMatchObject({ status: 200 });
  });

  it('keeps its host waiting while others are maintained, and the host is taken when it can move', async () => {
    const [suspended] = states;
    const stuck = await makeServer({ name: 'sleeper', host: 'compute-1' });
    const other = await makeServer({ name: 'other', host: 'compute-2' });
    await bringInto(stuck, 'SUSPENDED', suspended.make);
    const sessionId = await admin.create({ hosts: ['compute-1', 'compute-2'] });
    await until('compute-2 is begun', async () => (await stateOf('compute-2')) === 'disabled' || undefined);
    expect(await stateOf('compute-1')).toBe('enabled');
    await bringInto(stuck, 'ACTIVE', suspended.end);
    await admin.until(sessionId, 'MAINTENANCE_DONE');
    await expectMovesOnly([stuck], 1);
    expect((await placesOf([other]))[0]).not.toBe('compute-2');
  });
});

describe('a host whose nova-compute is down', () => {
  afterEach(() => startCompute('compute-3'));

  it('is named by the plan, and the others of the session are maintained', async () => {
    const [stuck, other] = await makeServers([
      { name: 'on-the-host-that-is-down', host: 'compute-3' },
      { name: 'elsewhere', host: 'compute-2' },
    ]);
    await stopCompute('compute-3');
    await until(
      'compute-3 is down',
      async () =>
        (await listComputes()).some(({ host, state }) => host === 'compute-3' && state === 'down') || undefined,
    );
    expect((await planOf(['compute-3'])).blockers).toContainEqual(
      expect.objectContaining({ kind: 'host_down', subject: 'compute-3' }),
    );
    const { hosts } = await admin.until(
      await admin.create({ hosts: ['compute-2', 'compute-3'] }),
      'MAINTENANCE_FAILED',
      'MAINTENANCE_DONE',
    );
    expect(hosts.find(({ hostname }) => hostname === 'compute-2')).toMatchObject({ maintained: true });
    expect(await placesOf([stuck!])).toEqual(['compute-3']);
    await expectMovesOnly([other!], 1);
  });
});
