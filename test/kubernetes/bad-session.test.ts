/**
 * A session on a bad day: its worker is killed while a pod leaves for which replicas were raised, and somebody else
 * cordons a node.
 */
import { annotationNames } from '../../clouds/kubernetes/limits/annotations';
import { type Node, nodes } from '../../clouds/kubernetes/objects/nodes';
import { deployments } from '../../clouds/kubernetes/objects/others';
import { pods } from '../../clouds/kubernetes/objects/pods';
import { surgedAnnotation } from '../../clouds/kubernetes/surge/decide-surge';
import { anAdmin } from '../integration/rig/admin';
import { startWorkerToKill } from '../integration/rig/killed-worker';
import { type Rig, startRig } from '../integration/rig/rig';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import { makeBudget, makeDeployment, makeNamespace, makeNodes, runningPods } from './rig/operator';
import { clientOf } from './rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from './rig/watch-budgets';

const namespace = 'bad-session';
const hosts = [1, 2, 3].map((number) => `${namespace}-${number}`);
const taint = { key: 'bad-session.test/only', effect: 'NoSchedule' };
const slowly = { 'sim/stop-delay': '3s' };
const web = { name: 'web', namespace, replicas: 6, annotations: slowly };
/** Its budget lets none of its pods go, which are on several nodes. */
const asksForSurge = { [annotationNames.surge]: 'true' };
const shop = { name: 'shop', namespace, replicas: 2, annotations: slowly, onWorkload: asksForSurge };

let admin: ReturnType<typeof clientOf>;
let rig: Rig;
let judge: BudgetWatch;

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  await makeNodes(admin, ...hosts.map((name) => ({ name, labels: { pool: namespace }, taints: [taint] })));
  await makeNamespace(admin, namespace);
  const tolerations = [{ key: taint.key, operator: 'Exists' }];
  for (const app of [web, shop]) {
    await makeDeployment(admin, { ...app, spec: { nodeSelector: { pool: namespace }, tolerations } });
    await runningPods(admin, app);
  }
  await makeBudget(admin, { name: 'web', namespace, app: 'web', minAvailable: 4 });
  await makeBudget(admin, { name: 'shop', namespace, app: 'shop', minAvailable: 2 });
  judge = await watchBudgets(testKubernetes().adminKubeconfig);
  rig = await startRig({ environment: serviceEnvironment() });
});

afterAll(async () => {
  judge.stop();
  await rig.stop();
  for (const name of hosts) await admin.delete(nodes, { name });
  await admin.close();
});

const shownOn = (node: Node | undefined): string[] => [
  ...(node?.status?.conditions ?? []).filter(({ reason }) => reason === 'ParleySession').map(({ type }) => type),
  ...Object.keys(node?.metadata.annotations ?? {}).filter((key) => key.startsWith('parley.maintenance/')),
];

/** It has been raised then, and is not set back yet. */
const isShopLeaving = async (): Promise<true | undefined> => {
  const { items } = await admin.list(pods, { namespace, labelSelector: 'app=shop' });
  return items.some(({ metadata }) => metadata.deletionTimestamp !== undefined) || undefined;
};

const shopNow = async () => {
  const { metadata, spec } = (await admin.get(deployments, shop))!;
  return { replicas: spec?.replicas, remembered: metadata.annotations?.[surgedAnnotation] };
};

const fewestOf = (app: string) => judge.seen().find(({ name }) => name === `${namespace}/${app}`);

const nodesNow = () => Promise.all(hosts.map((name) => admin.get(nodes, { name })));

const cordonOf = async (name: string): Promise<boolean> =>
  (await admin.get(nodes, { name }))?.spec.unschedulable === true;

const setCordon = (name: string, unschedulable: true | null) =>
  admin.patch(nodes, { name }, { patch: { spec: { unschedulable } }, type: 'merge' });

it('goes on after its worker was killed, and leaves a cordon of somebody else alone', async () => {
  const service = anAdmin(rig.url);
  await rig.stopWorker();
  const worker = await startWorkerToKill(rig, serviceEnvironment());
  const sessionId = await service.create({ hosts, workflow: 'k8s', max_parallel_hosts: 1 });
  await eventually({ what: 'a pod of the shop leaves', pollMs: 100 }, isShopLeaving);
  await worker.kill();
  expect(await shopNow()).toEqual({ replicas: 3, remembered: 'from 2 to 3' });
  const foreign = (await nodesNow()).find((node) => node?.spec.unschedulable === undefined)?.metadata.name ?? '';
  await setCordon(foreign, true);
  await rig.restartWorker();
  expect((await service.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  expect(await cordonOf(foreign)).toBe(true);
  expect((await nodesNow()).map(shownOn)).toEqual([[], [], []]);
  await eventually('the shop is as before', async () => (await shopNow()).replicas === 2 || undefined);
  expect(await shopNow()).toEqual({ replicas: 2, remembered: undefined });
  expect(fewestOf('shop')).toMatchObject({ fewest: 2, needed: 2 });
  const { fewest = 0, needed } = fewestOf('web') ?? {};
  expect(needed).toBe(4);
  expect(fewest).toBeGreaterThanOrEqual(4);
  expect(fewest).toBeLessThan(web.replicas); // the judge has seen evictions
  await setCordon(foreign, null);
});
