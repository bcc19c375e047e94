/** What the kubernetes driver sees of hosts and does with them, on a real API server. */
import type { ShownStanding } from '../../clouds/cloud-driver';
import { cordonAnnotation } from '../../clouds/kubernetes/hosts/cordon';
import { isReady, nodes } from '../../clouds/kubernetes/objects/nodes';
import { createTestDatabase } from '../integration/setup/test-database';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { openDriver } from './rig/driver-under-test';
import { makeNodes } from './rig/operator';
import { clientOf } from './rig/start-kubernetes';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: ReturnType<typeof clientOf>;
let driver: ReturnType<typeof openDriver>;
const [one, two, control] = ['hosts-1', 'hosts-2', 'hosts-control'];

beforeAll(async () => {
  database = await createTestDatabase();
  admin = clientOf(testKubernetes().adminKubeconfig);
  driver = openDriver(database.db);
  const role = 'node-role.kubernetes.io/control-plane';
  await makeNodes(
    admin,
    { name: one },
    { name: two },
    { name: control, labels: { [role]: '' }, taints: [{ key: role, effect: 'NoSchedule' }] },
  );
});

afterAll(async () => {
  await driver.close();
  for (const name of [one, two, control]) await admin.delete(nodes, { name });
  await admin.close();
  await database.drop();
});

const seen = async (name: string) => (await driver.listHosts()).find((host) => host.name === name);

it('hosts are nodes with what they can allocate; those of the control plane are controllers', async () => {
  expect(await seen(one)).toMatchObject({
    ...{ type: 'compute', isCompute: true, enabled: true, isUp: true },
    amounts: { cpu_millicores: 8000, memory_mib: 32_768, pods: 110 },
  });
  expect(await seen(control)).toMatchObject({ type: 'controller', isCompute: false });
});

it('hosts keep the cordon of somebody else', async () => {
  await admin.patch(nodes, { name: two }, { patch: { spec: { unschedulable: true } }, type: 'merge' });
  expect(await seen(two)).toMatchObject({ enabled: false, disabledReason: 'cordoned by somebody else' });
  await driver.disableHost(two, 'ours');
  await driver.enableHost(two);
  expect(await seen(two)).toMatchObject({ enabled: false, disabledReason: 'cordoned by somebody else' });
  await admin.patch(nodes, { name: two }, { patch: { spec: { unschedulable: null } }, type: 'merge' });
});

it('hosts show who cordoned them in an annotation, which goes with the cordon', async () => {
  await driver.disableHost(two, 'session 7');
  const annotations = async () => (await admin.get(nodes, { name: two }))?.metadata.annotations;
  expect(await annotations()).toMatchObject({ [cordonAnnotation]: 'session 7' });
  await driver.enableHost(two);
  expect(await annotations()).not.toHaveProperty(cordonAnnotation);
});

it('hosts keep a cordon that somebody set after they had undone the one of the service', async () => {
  const cordonByHand = (unschedulable: true | null) =>
    admin.call({
      method: 'PATCH',
      path: `${nodes.pathIn()}/${two}?fieldManager=kubectl-cordon`,
      contentType: 'application/merge-patch+json',
      body: { spec: { unschedulable } },
    });
  await driver.disableHost(two, 'ours');
  await cordonByHand(null);
  await cordonByHand(true);
  await driver.enableHost(two);
  expect(await seen(two)).toMatchObject({ enabled: false, disabledReason: 'cordoned by somebody else' });
  await cordonByHand(null);
  await driver.disableHost(two, 'ours');
  await driver.enableHost(two);
  expect(await seen(two)).toMatchObject({ enabled: true });
});

it('hosts show what a session does with them, and nothing of it afterwards', async () => {
  const lifecycle = ['MaintenancePlanned', 'DrainInProgress', 'Drained', 'MaintenanceInProgress'];
  const scaleDown = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';
  const shown = async () => {
    const node = await admin.get(nodes, { name: two });
    const conditions = node?.status?.conditions?.filter(({ type }) => lifecycle.includes(type)) ?? [];
    const own = conditions.map(({ type, status, message }) => `${type} ${status}: ${message ?? ''}`);
    return { own: own.sort(), isKept: node?.metadata.annotations?.[scaleDown] };
  };
  const show = (standings: Readonly<Record<string, ShownStanding['doing']>>) =>
    driver.showStandings!(
      new Map(Object.entries(standings).map(([name, doing]) => [name, { sessionId: 'seven', doing }])),
    );
  const drained = 'node is being drained in maintenance session seven';
  const maintained = 'node is being maintained in maintenance session seven';
  await show({ [two]: 'draining' });
  const draining = [`DrainInProgress True: ${drained}`, `MaintenancePlanned True: ${drained}`];
  expect(await shown()).toEqual({ own: draining, isKept: 'true' });
  expect((await driver.whatIsOn(two)).doubts).toEqual([]);
  await show({ [two]: 'maintaining' });
  const maintaining = [`Drained True: ${maintained}`, `MaintenanceInProgress True: ${maintained}`];
  expect(await shown()).toEqual({ own: maintaining, isKept: 'true' });
  await show({});
  expect(await shown()).toEqual({ own: [], isKept: undefined });
  const events = `/api/v1/namespaces/default/events?fieldSelector=involvedObject.name=${two}`;
  const { items } = (await admin.call({ method: 'GET', path: events })) as { items: { reason: string }[] };
  const reasons = items.map(({ reason }) => reason);
  expect(reasons).toEqual(expect.arrayContaining(['DrainStarted', 'MaintenanceStarted', 'MaintenanceOver']));
});

it('hosts are in doubt while somebody else is at work on them', async () => {
  const because = async () => (await driver.whatIsOn(two)).doubts.map((doubt) => doubt.because);
  const condition = { type: 'DrainInProgress', status: 'True', reason: 'Drainer', message: 'new kernel' };
  const patch = (change: object) =>
    admin.patch(
      nodes,
      { name: two },
      { patch: { status: { conditions: [change] } }, type: 'strategic', subresource: 'status' },
    );
  await patch(condition);
  await driver.showStandings!(new Map([[two, { sessionId: 'seven', doing: 'draining' }]]));
  await driver.showStandings!(new Map());
  expect(await because()).toEqual([
    `somebody else is at work on host ${two}: its condition DrainInProgress is true (Drainer: new kernel)`,
  ]);
  await patch({ type: condition.type, $patch: 'delete' });
  expect(await because()).toEqual([]);
});

it('hosts are down while their kubelet says so', async () => {
  const down = (value: string | null) => ({ metadata: { annotations: { 'sim/down': value } } });
  await admin.patch(nodes, { name: two }, { patch: down('1'), type: 'merge' });
  await eventually('it is down', async () => (await seen(two))?.isUp === false || undefined);
  await admin.patch(nodes, { name: two }, { patch: down(null), type: 'merge' });
  await eventually('it is up', async () => {
    const node = await admin.get(nodes, { name: two });
    return (node !== undefined && isReady(node) && (await seen(two))?.isUp) || undefined;
  });
});
