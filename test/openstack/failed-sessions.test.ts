/** Sessions that cannot go on end as failed, name host and server, and leave no host disabled that they do not list. */
import { anAdmin, type SessionDetail } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { findServer, listComputes, makeServer, type Server, until } from './rig/operator';
import { keepSilent } from './rig/silent-projects';
import { removeFault, setFault, startCompute, stopCompute } from './rig/switches';

const cases = [
  { situation: 'can be moved neither live nor cold', host: 'compute-1', says: /told to let it fail|MigrationError/ },
  { situation: 'is in a cold migration that Nova never finishes', host: 'compute-2', says: /did not end within/ },
  {
    situation: 'is on a host whose nova-compute is down',
    host: 'compute-3',
    says: /compute-3 cannot be drained: it is down/,
  },
] as const;

let rig: Rig;
let endSilence = (): void => undefined;
const servers = new Map<string, Server>();
const details = new Map<string, SessionDetail>();

const isDown = async (wanted: string): Promise<true | undefined> =>
  (await listComputes()).some(({ host, state }) => host === wanted && state === 'down') ? true : undefined;

/**
 * The move that never ends comes last, with a worker whose limit is short: its group lets nothing else move meanwhile,
 * and the moves of the others need their time.
 */
beforeAll(async () => {
  for (const { host } of cases) servers.set(host, await makeServer({ name: `stuck-on-${host}`, host }));
  await setFault(servers.get('compute-1')!.id, { fail: 'move', times: 9 });
  await setFault(servers.get('compute-2')!.id, { fail: 'run', times: 2, cold_seconds: 3600 });
  await stopCompute('compute-3');
  await until('compute-3 is down', () => isDown('compute-3'));
  rig = await startRig({
    environment: { ...openStackEnvironment(), PARLEY_LIVE_MOVE_SECONDS: '60', PARLEY_MOVE_SECONDS: '600' },
  });
  endSilence = await keepSilent(rig);
  const admin = anAdmin(rig.url);
  const untilFailed = async (host: string) => {
    const sessionId = await admin.create({ hosts: [host] });
    details.set(host, await admin.until(sessionId, 'MAINTENANCE_FAILED'));
  };
  await Promise.all(['compute-1', 'compute-3'].map(untilFailed));
  await rig.restartWorker({ limits: { ...rig.services.limits, moveSeconds: 1 } });
  await untilFailed('compute-2');
});
afterAll(async () => {
  endSilence();
  await rig.stop();
  await removeFault(servers.get('compute-2')!.id);
  await startCompute('compute-3');
  await until('the cold migration is over', async () =>
    (await findServer(servers.get('compute-2')!.id))?.status === 'RESIZE' ? undefined : true,
  );
});

describe.each(cases)('where a server $situation', ({ host, says }) => {
  it('the session fails and names host, server and cause', () => {
    const { failure } = details.get(host)!.session;
    const { id, name } = servers.get(host)!;
    expect(failure).toContain(host);
    expect(failure).toContain(`${name} (${id})`);
    expect(failure).toMatch(says);
  });

  it('the host is enabled again, and listed as failed with the reason', async () => {
    const listed = details.get(host)!.hosts.find(({ hostname }) => hostname === host);
    expect(listed).toMatchObject({ maintained: false });
    expect((await listComputes()).find((compute) => compute.host === host)).toMatchObject({ status: 'enabled' });
  });
});
