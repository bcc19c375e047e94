/**
 * Managers that act themselves, on a real Nova with one place left: the replacement comes before the reply or after it,
 * and the host is maintained when the old server is gone.
 */
import { anAdmin } from '../integration/rig/admin';
import { acknowledge, type Manager, type Policy, startManager } from '../integration/rig/manager';
import { type Rig, startRig } from '../integration/rig/rig';
import { openStackEnvironment } from './rig/driver-under-test';
import { emptyCloud } from './rig/empty-cloud';
import {
  deleteServer,
  enableOnly,
  listComputes,
  makeAntiAffinityGroup,
  makeServer,
  projectIdOf,
  until,
} from './rig/operator';
import { storeConstraints } from './rig/store-constraints';
import { addHost } from './rig/switches';

const [source, lastPlace] = ['compute-1', 'compute-last-place'];

let rig: Rig;
let projectId: string;
/** It follows the events of all the sessions; what it does is the test's. */
let manager: Manager;
let policy: Policy = acknowledge;

beforeAll(async () => {
  await addHost(lastPlace, { vcpus: 1, memory_mb: 2048 });
  rig = await startRig({ environment: { ...openStackEnvironment(), PARLEY_OWN_ACTION_SECONDS: '600' } });
  projectId = await projectIdOf('web');
  manager = startManager({ url: rig.url, projectId, policy: (event, self) => policy(event, self) });
});
afterAll(async () => {
  manager.stop();
  await rig.stop();
});

beforeEach(async () => {
  await emptyCloud();
  await until('the host with one place is there', async () => {
    await enableOnly([source, lastPlace]);
    return true;
  });
});

/** Its project makes the replacement first, by its constraints. */
const makeActing = async (): Promise<string> => {
  const admin = anAdmin(rig.url);
  const group = await makeAntiAffinityGroup('acts itself');
  const { id, name } = await makeServer({ name: 'old', host: source });
  const apart = { anti_affinity_group: false, max_instances_per_host: 0, max_impacted_members: 1, recovery_time: 0 };
  const member = { max_interruption_time: 60, lead_time: 300, migration_type: 'OWN_ACTION', instance_name: name };
  const common = { project_id: projectId, group_id: group, resource_mitigation: true };
  await storeConstraints(admin, `/instance_group/${group}`, { ...common, ...apart, group_name: 'acting' });
  await storeConstraints(admin, `/instance/${id}`, { ...common, ...member, instance_id: id });
  return id;
};

const makeReplacement = () => makeServer({ name: 'new', host: lastPlace });

const acting =
  (id: string, isFirst: boolean): Policy =>
  async ({ state }) => {
    if (state !== 'PLANNED_MAINTENANCE') return { answer: 'ACK' };
    if (isFirst) await makeReplacement();
    return { answer: 'ACK', actions: { [id]: 'OWN_ACTION' } };
  };

const claimsOf = (instanceId: string) =>
  rig.db.claim.findMany({
    where: { instanceId },
    select: { sessionId: true, action: true, outcome: true, startedAt: true },
  });

const untilAwaited = (id: string): Promise<true> =>
  until('the own action is awaited', async () => {
    const [claim] = await claimsOf(id);
    return claim?.action === 'OWN_ACTION' && claim.startedAt !== null ? true : undefined;
  });

const untilToldOfEnd = (sessionId: string): Promise<true> =>
  until('the end is told', () => {
    const isTold = manager.told.some(
      ({ state, session_id }) => state === 'INSTANCE_ACTION_DONE' && session_id === sessionId,
    );
    return Promise.resolve(isTold || undefined);
  });

it.each([
  { workflow: 'default', order: 'before its reply', isFirst: true },
  { workflow: 'vnf', order: 'before its reply', isFirst: true },
  { workflow: 'default', order: 'after its reply', isFirst: false },
  { workflow: 'vnf', order: 'after its reply', isFirst: false },
])('$workflow: a project makes its replacement on the last place $order', async ({ workflow, isFirst }) => {
  const admin = anAdmin(rig.url);
  const id = await makeActing();
  policy = acting(id, isFirst);
  const sessionId = await admin.create({ workflow, hosts: [source], state: 'PLANNED_MAINTENANCE' });
  await untilAwaited(id);
  if (!isFirst) await makeReplacement();
  await deleteServer(id);
  await untilToldOfEnd(sessionId);
  const { hosts } = await admin.until(sessionId, 'MAINTENANCE_DONE');
  expect(hosts).toMatchObject([{ maintained: true }]);
  expect(await claimsOf(id)).toMatchObject([{ sessionId, action: 'OWN_ACTION', outcome: 'gone' }]);
});

it('gives up an own action that nobody carries out when its session is deleted', async () => {
  const admin = anAdmin(rig.url);
  const id = await makeActing();
  policy = acting(id, false);
  const sessionId = await admin.create({ workflow: 'vnf', hosts: [source], state: 'PLANNED_MAINTENANCE' });
  await untilAwaited(id);
  expect(await admin.call('DELETE', `/maintenance/${sessionId}`)).toMatchObject({ status: 200 });
  await until('the session is gone', async () =>
    (await admin.call('GET', `/maintenance/${sessionId}`)).status === 404 ? true : undefined,
  );
  expect(await claimsOf(id)).toMatchObject([{ outcome: 'dropped' }]);
  expect((await listComputes()).find(({ host }) => host === source)).toMatchObject({ status: 'enabled' });
});
