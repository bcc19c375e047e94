/**
 * A session on a bad day: its worker is killed while a pod leaves for which replicas were raised, somebody else cordons
 * a node, and it ends before it is done.
 */
import { annotationNames } from '../../clouds/kubernetes/limits/annotations';
import { type Node, nodes } from '../../clouds/kubernetes/objects/nodes';
import { deployments } from '../../clouds/kubernetes/objects/others';
import { pods } from '../../clouds/kubernetes/objects/pods';
import { surgedAnnotation } from '../../clouds/kubernetes/surge/decide-surge';
import { type ActionPlugin, ActionPluginFailure } from '../../plugins/actions/action-plugin';
import { type Admin, anAdmin } from '../integration/rig/admin';
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

/** Ends the maintenance that is held. */
let breakDown = (): void => undefined;
const hold: ActionPlugin = {
  name: 'stays',
  run: ({ signal }) =>
    new Promise((_resolve, reject) => {
      breakDown = () => reject(new ActionPluginFailure('the new kernel panics'));
      signal.addEventListener('abort', () => reject(new Error('aborted')));
    }),
};

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
  const environment = {
    ...serviceEnvironment(),
    PARLEY_KUBERNETES_TAINT_UNMAINTAINED: 'on',
    PARLEY_KUBERNETES_READY_SECONDS: '2',
  };
  rig = await startRig({ environment, actionPlugins: [hold] });
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

const nodesNow = (names = hosts) => Promise.all(names.map((name) => admin.get(nodes, { name })));

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

const endings = [1, 2, 3].map((number) => `ends-${number}`);

/** Pods on the node that their budget does not let go, since none of them is Ready. */
const makeStuckPods = async (node = ''): Promise<void> => {
  const app = { name: node, namespace, replicas: 3 };
  const spec = { nodeName: node, tolerations: [{ operator: 'Exists' }] };
  await makeDeployment(admin, { ...app, spec, annotations: { 'sim/not-ready': '1' } });
  await runningPods(admin, app);
  await makeBudget(admin, { name: node, namespace, app: node, minAvailable: 2 });
};

/** Everything that a session shows on a node, and whether it is cordoned. */
const standingOn = (node: Node | undefined): string => {
  const { annotations = {} } = node?.metadata ?? {};
  const others = {
    kept: annotations['cluster-autoscaler.kubernetes.io/scale-down-disabled'] === 'true',
    avoided: node?.spec.taints?.some(({ effect }) => effect === 'PreferNoSchedule') === true,
    cordoned: node?.spec.unschedulable === true,
  };
  const words = Object.entries(others).flatMap(([word, isSo]) => (isSo ? [word] : []));
  return [...shownOn(node).sort(), ...words].join(' ').replaceAll('parley.maintenance/', '');
};

const planned = 'MaintenancePlanned standing avoided';
const draining = 'DrainInProgress MaintenancePlanned cordon kept-from-scale-down standing kept avoided cordoned';
const maintaining = 'Drained MaintenanceInProgress cordon kept-from-scale-down standing kept avoided cordoned';
const nothing = '';
const cordoned = 'cordon cordoned';

/** In any order, since either of two nodes may come first. */
const untilShown = (what: string, ...wanted: readonly string[]) =>
  eventually(`the nodes are ${what}`, async () => {
    expect((await nodesNow(endings)).map(standingOn).sort()).toEqual([...wanted].sort());
    return true;
  });

describe('a session that ends before it is done', () => {
  beforeAll(async () => {
    await makeNodes(admin, ...endings.map((name) => ({ name, taints: [taint] })));
    for (const node of endings.slice(1)) await makeStuckPods(node);
  });
  afterAll(async () => {
    for (const name of endings) await admin.delete(nodes, { name });
  });

  const remove = async (service: Admin, sessionId: string): Promise<void> => {
    const path = `/maintenance/${sessionId}`;
    await service.call('DELETE', path);
    await eventually('it is removed', async () => (await service.call('GET', path)).status === 404 || undefined);
  };
  const untilFailed = async (service: Admin, sessionId: string): Promise<void> => {
    await service.until(sessionId, 'MAINTENANCE_FAILED');
  };

  it.each([
    {
      ending: 'is aborted',
      end: async (service: Admin, sessionId: string) => {
        await service.call('POST', `/maintenance/${sessionId}/abort`);
        await untilFailed(service, sessionId);
      },
      left: [nothing, nothing, nothing],
    },
    {
      ending: 'fails, and keeps the node cordoned that may be broken',
      end: (service: Admin, sessionId: string) => {
        breakDown();
        return untilFailed(service, sessionId);
      },
      left: [cordoned, nothing, nothing],
    },
    { ending: 'is deleted', end: remove, left: [nothing, nothing, nothing] },
  ])('leaves nothing on its nodes when it $ending', async ({ end, left }) => {
    const service = anAdmin(rig.url);
    const actions = [{ plugin: 'stays', type: 'host' }];
    const sessionId = await service.create({ hosts: endings, workflow: 'k8s', max_parallel_hosts: 2, actions });
    await untilShown('planned, drained and maintained', maintaining, draining, planned);
    const { since } = await service.untilReason(
      sessionId,
      ({ waiting_for, because }) => waiting_for === 'move' && because?.includes('needs 2 healthy pods') === true,
    );
    expect(since).not.toBeNull();
    await end(service, sessionId);
    await untilShown('as before', ...left);
    await remove(service, sessionId);
    await untilShown('in use', nothing, nothing, nothing);
  });
});
