/** Whole sessions over QEMU guests that the real libvirt driver of Nova moves live: what no fake hypervisor shows. */
import { type Admin, anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from '../openstack/rig/driver-under-test';
import {
  deleteAllServers,
  enableOnly,
  findServer,
  listMigrations,
  listServers,
  makeFlavor,
  makeServers,
  type Server,
  until,
} from '../openstack/rig/operator';
import { abortMigrations, listActions } from '../openstack/rig/server-actions';
import { keepSilent } from '../openstack/rig/silent-projects';
import { countGuestsOn, guestImage, killGuestOn } from './rig/guest-hosts';

const computes = ['compute-1', 'compute-2', 'compute-3'];
const [source, target] = ['compute-1', 'compute-2'] as const;

let rig: Rig;
let admin: Admin;
let flavor: string;
let endSilence = (): void => undefined;

beforeAll(async () => {
  flavor = await makeFlavor({ name: 'guest', ram: 128 });
  rig = await startRig({ environment: { ...openStackEnvironment(), PARLEY_LIVE_MOVE_SECONDS: '600' } });
  endSilence = await keepSilent(rig);
  admin = anAdmin(rig.url);
});
beforeEach(() => enableOnly(computes));
afterEach(deleteAllServers);
afterAll(async () => {
  endSilence();
  await rig.stop();
});

const makeGuests = (count: number): Promise<readonly Server[]> =>
  makeServers(
    Array.from({ length: count }, (_, n) => ({ name: `guest-${n + 1}`, host: source, flavor, image: guestImage() })),
  );

const begin = async (): Promise<string> => {
  await enableOnly([source, target]);
  return admin.create({ hosts: [source], workflow: 'default' });
};

const untilRunning = (serverId: string): Promise<true> =>
  until('the live migration runs', async () =>
    (await listMigrations(serverId))[0]?.status === 'running' ? true : undefined,
  );

/** Every server is ACTIVE at the target, runs there once and nowhere else, and was never moved cold. */
const expectMovedLive = async (servers: readonly Server[]): Promise<void> => {
  expect(await listServers()).toHaveLength(servers.length);
  for (const { id } of servers) {
    expect(await findServer(id)).toMatchObject({ status: 'ACTIVE', 'OS-EXT-SRV-ATTR:host': target });
    expect((await listActions(id)).map(({ action }) => action)).not.toContain('migrate');
  }
  expect([countGuestsOn(source), countGuestsOn(target)]).toEqual([0, servers.length]);
};

const toldOf = async (sessionId: string, state: string) =>
  (await rig.db.event.findMany({ where: { sessionId } })).filter(
    ({ payload }) => (payload as { state?: string }).state === state,
  );

it('moves guests live, one after the other', async () => {
  const servers = await makeGuests(2);
  const sessionId = await begin();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectMovedLive(servers);
});

it.each([
  { what: 'an operator aborts', disturb: (id: string) => abortMigrations(id) },
  {
    what: 'the QEMU of the target dies of',
    disturb: () =>
      until('a guest arrives', () => Promise.resolve(killGuestOn(target) || undefined)).then(() => undefined),
  },
])('a migration that $what is made again live, and the guest runs on meanwhile', async ({ disturb }) => {
  const servers = await makeGuests(1);
  const [{ id }] = servers as [Server];
  const sessionId = await begin();
  await untilRunning(id);
  await disturb(id);
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectMovedLive(servers);
  expect((await listMigrations(id)).map(({ status }) => status)).toEqual(['completed', 'error']);
});

it('a pause in the middle lets the migration end, and the session goes on when it is resumed', async () => {
  const servers = await makeGuests(1);
  const sessionId = await begin();
  await untilRunning(servers[0]!.id);
  expect(await admin.call('POST', `/maintenance/${sessionId}/pause`)).toMatchObject({ status: 200 });
  await until('the guest has arrived', async () =>
    (await findServer(servers[0]!.id))?.['OS-EXT-SRV-ATTR:host'] === target ? true : undefined,
  );
  expect((await admin.detail(sessionId)).hosts).toMatchObject([{ maintained: false }]);
  expect(await admin.call('POST', `/maintenance/${sessionId}/resume`)).toMatchObject({ status: 200 });
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectMovedLive(servers);
});

it('a migration beyond its limit is hastened (INSTANCE_ACTION_FALLBACK, with its reason)', async () => {
  await rig.restartWorker({ limits: { ...rig.services.limits, liveMoveSeconds: 6 } });
  const servers = await makeGuests(1);
  const sessionId = await begin();
  await admin.until(sessionId, 'MAINTENANCE_DONE');
  await expectMovedLive(servers);
  const [told] = await toldOf(sessionId, 'INSTANCE_ACTION_FALLBACK');
  expect(told?.payload).toMatchObject({ reason: expect.stringContaining('did not end within its limit') as string });
});
