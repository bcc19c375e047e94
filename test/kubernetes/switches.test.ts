/**
 * Sessions in whose middle things go wrong on the cluster: pods that are not Ready, nodes that are down for a moment or
 * for good or are removed, silent kubelets, and a namespace that is deleted.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { budgets } from '../../clouds/kubernetes/objects/budgets';
import { isReady, nodes } from '../../clouds/kubernetes/objects/nodes';
import { namespaces } from '../../clouds/kubernetes/objects/others';
import { type Pod, pods, uidOf } from '../../clouds/kubernetes/objects/pods';
import type { ActionPlugin } from '../../plugins/actions/action-plugin';
import { type Admin, anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import {
  makeBudget,
  makeDeployment,
  makeNamespace,
  makeNodes,
  makeReplicaSet,
  removeBudget,
  runningPods,
} from './rig/operator';
import { clientOf, whileStopped } from './rig/start-kubernetes';
import { bringNodeUp, podsOn, removeNode, rollOut, setReady, takeNodeDown } from './rig/switches';

const namespace = 'switches';
const hosts = [1, 2, 3, 4].map((number) => `${namespace}-${number}`);
const taint = { key: 'switches.test/only', effect: 'NoSchedule' };
const tolerations = [{ key: taint.key, operator: 'Exists' }];
/** Each node has pods of it, so that its drain asks the budget. */
const anApp = (name: string, replicas: number) => {
  const topologySpreadConstraints = [
    {
      maxSkew: 1,
      topologyKey: 'kubernetes.io/hostname',
      whenUnsatisfiable: 'ScheduleAnyway',
      labelSelector: { matchLabels: { app: name } },
    },
  ];
  return {
    name,
    namespace,
    replicas,
    spec: { nodeSelector: { pool: namespace }, tolerations, topologySpreadConstraints },
  };
};
const [web, rolled] = [anApp('web', 6), anApp('rolled', 8)];

let admin: ReturnType<typeof clientOf>;
let rig: Rig;
let service: Admin;

/** The node whose maintenance is held until `release`; empty: none is. */
let held = '';
/** What was on each node when its maintenance began. */
const maintained: { host: string; podsOnIt: number; isUp: boolean }[] = [];
let release = (): void => undefined;
const hold: ActionPlugin = {
  name: 'stays',
  async run({ host }) {
    const { name = '' } = host ?? {};
    const node = await admin.get(nodes, { name });
    maintained.push({
      host: name,
      podsOnIt: (await podsOn(admin, name)).length,
      isUp: node !== undefined && isReady(node),
    });
    held = name;
    await new Promise<void>((resolve) => (release = resolve));
    return { state: null };
  },
};

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  await makeNodes(admin, ...hosts.map((name) => ({ name, labels: { pool: namespace }, taints: [taint] })));
  await makeNamespace(admin, namespace);
  for (const app of [web, rolled]) {
    await makeDeployment(admin, app);
    await runningPods(admin, app);
  }
  await makeBudget(admin, { name: 'web', namespace, app: 'web', minAvailable: 3 });
  await makeBudget(admin, { name: 'rolled', namespace, app: 'rolled', minAvailable: 7 });
  // What is waited for in a slow test is not to fail its host.
  const patience = { PARLEY_KUBERNETES_READY_SECONDS: '60', PARLEY_MOVE_SECONDS: '600' };
  const environment = { ...serviceEnvironment(), ...patience };
  rig = await startRig({ environment, actionPlugins: [hold] });
  service = anAdmin(rig.url);
});

afterAll(async () => {
  await rig.stop();
  for (const name of hosts) await admin.delete(nodes, { name });
  await admin.close();
});

const podsOf = async ({ name }: { readonly name: string }): Promise<readonly Pod[]> =>
  (await admin.list(pods, { namespace, labelSelector: `app=${name}` })).items;

const isEnding = ({ metadata }: Pod): boolean => metadata.deletionTimestamp !== undefined;

/** Waits until the next node is in maintenance, and keeps it there. */
const untilHeld = (): Promise<string> =>
  eventually('a node is in maintenance', () => {
    const name = held;
    return Promise.resolve(name === '' ? undefined : name);
  });

const goOn = (): void => {
  held = '';
  release();
};

/** Waits until the budget has fewer healthy pods than it needs: the switch has taken effect. */
const untilBelow = (budget: string) =>
  eventually(`budget ${budget} has too few healthy pods`, async () => {
    const { items } = await admin.list(budgets, { namespace });
    const { currentHealthy = 0, desiredHealthy = 0 } =
      items.find(({ metadata }) => metadata.name === budget)?.status ?? {};
    return currentHealthy < desiredHealthy || undefined;
  });

/** The session asks for evictions that the budget refuses. @returns the node that is drained */
const untilRefused = async (sessionId: string, budget: string): Promise<string> => {
  const words = `budget ${budget} needs`;
  await service.untilReason(sessionId, ({ because }) => because?.includes(words) === true);
  const { hosts: own } = await service.detail(sessionId);
  return String(own.find(({ phase }) => phase === 'emptying')?.['hostname']);
};

/** Each node with a pod has one of these, so that whichever node comes next, an eviction is asked for and refused. */
const allButOneOnTwoNodes = (all: readonly Pod[]): readonly Pod[] => {
  const oneOfEachNode = [...new Map(all.map((pod) => [pod.spec.nodeName, pod])).values()];
  const ready = oneOfEachNode.filter(({ spec }) => all.filter((pod) => pod.spec.nodeName === spec.nodeName).length > 1);
  return all.filter((pod) => !ready.slice(0, 2).includes(pod));
};

it('no pod is evicted beyond its budget, and the session goes on', async () => {
  const actions = [{ plugin: 'stays', type: 'host' }];
  const sessionId = await service.create({ hosts, workflow: 'k8s', max_parallel_hosts: 1, actions });
  await untilHeld();

  // pods that stop being Ready, and their node goes down while it is drained
  const unready = allButOneOnTwoNodes(await podsOf(web));
  await setReady(admin, unready, false);
  await untilBelow('web');
  goOn();
  const down = await untilRefused(sessionId, 'web');
  const before = (await podsOf(web)).map(uidOf).sort();
  await pause(2_500); // another eviction is asked for meanwhile
  expect((await podsOf(web)).map(uidOf).sort()).toEqual(before);
  expect((await podsOf(web)).filter(isEnding)).toEqual([]);
  await takeNodeDown(admin, down);
  await setReady(admin, unready, true);
  await eventually('pods of the node are to end', async () => (await podsOn(admin, down)).some(isEnding) || undefined);
  await bringNodeUp(admin, down);
  expect(await untilHeld()).toBe(down);

  // a rollout whose pods never become Ready
  await rollOut(admin, rolled, false);
  await untilBelow('rolled');
  goOn();
  await service.untilReason(
    sessionId,
    ({ because, subject }) => because?.includes('budget rolled needs') === true || subject.endsWith('rolled'),
  );
  await rollOut(admin, rolled, true);
  const third = await untilHeld();

  // kubelets fall silent, and a namespace is deleted
  const last = hosts.find((name) => !maintained.some(({ host }) => host === name)) ?? '';
  expect(third).not.toBe(last);
  await makeNamespace(admin, 'switches-gone');
  const gone = { name: 'gone', namespace: 'switches-gone', replicas: 2, spec: { nodeName: last, tolerations } };
  await makeReplicaSet(admin, gone);
  await runningPods(admin, gone);
  await whileStopped(testKubernetes().adminKubeconfig, 'kwok', async () => {
    await admin.delete(namespaces, { name: gone.namespace });
    goOn();
    await eventually(
      'pods of the last node are to end',
      async () => (await podsOn(admin, last)).some(isEnding) || undefined,
    );
  });
  expect(await untilHeld()).toBe(last);
  goOn();
  expect((await service.until(sessionId, 'MAINTENANCE_DONE')).percent_done).toBe(100);
  expect(maintained).toEqual(hosts.map(() => ({ host: expect.any(String) as string, podsOnIt: 0, isUp: true })));
  await Promise.all([web, rolled].map((app) => runningPods(admin, app)));
});

it('a node that is lost fails alone, and a session is done with nodes that are removed', async () => {
  for (const { name } of [web, rolled]) await removeBudget(admin, namespace, name); // what is lost uses them up
  const { limits } = rig.services;
  await rig.restartWorker({ limits: { ...limits, moveSeconds: 15 } });
  const actions = [{ plugin: 'stays', type: 'host' }];
  const request = { hosts, workflow: 'k8s', max_parallel_hosts: 1, max_failed_hosts: 1, actions };
  const sessionId = await service.create(request);
  const first = await untilHeld();
  const [waiting = '', ...others] = hosts.filter((name) => name !== first);
  await removeNode(admin, waiting);
  for (const name of others) await takeNodeDown(admin, name);
  goOn();
  const drained = await eventually('pods of a node that is down are to end', async () => {
    for (const name of others) if ((await podsOn(admin, name)).some(isEnding)) return name;
    return undefined;
  });
  await removeNode(admin, drained);
  const done = await service.until(sessionId, 'MAINTENANCE_DONE');
  const phases = new Map(done.hosts.map(({ hostname, phase, details }) => [hostname, { phase, details }]));
  const removed = { phase: 'skipped', details: 'the cloud does not list it any more: it was removed' };
  expect(phases.get(first)?.phase).toBe('maintained');
  expect(phases.get(waiting)).toEqual(removed);
  expect(phases.get(drained)).toEqual(removed);
  const lost = others.find((name) => name !== drained);
  expect(phases.get(lost)).toEqual({
    phase: 'set_aside',
    details: expect.stringContaining('it did not end in time') as string,
  });
});
