/**
 * Applications of every awkward kind on one set of nodes, in one session: those that move, each within its budget, and
 * those that keep their node.
 */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { type Pod, pods, uidOf } from '../../clouds/kubernetes/objects/pods';
import { anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import {
  annotatePod,
  makeBarePod,
  makeBudget,
  makeDaemonSet,
  makeDeployment,
  makeLocalVolume,
  makeNamespace,
  makeNodes,
  makePodGroup,
  makeStatefulSet,
  type PodTemplate,
  runningPods,
} from './rig/operator';
import { clientOf } from './rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from './rig/watch-budgets';

const namespace = 'scenarios';
const moving = [1, 2, 3, 4].map((number) => `scenarios-${number}`);
const keeping = 'scenarios-kept';
/** Has the disk that a pod is bound to. */
const bound = 'scenarios-bound';
const hosts = [...moving, keeping, bound];
const ofGang = [1, 2, 3, 4].map((number) => `scenarios-gang-${number}`);
const [firstHost = ''] = moving;
const taint = { key: 'scenarios.test/only', effect: 'NoSchedule' };

/** Beside its container: where a pod belongs, of the two kinds of nodes. */
const on = (part: 'moves' | 'stays' | 'gang', more: Readonly<Record<string, unknown>> = {}) => ({
  nodeSelector: { part },
  tolerations: [{ key: taint.key, operator: 'Exists' }],
  ...more,
});
/** All nodes of this file, and none of others, which go on in the same cluster. */
const onOwnNodes = {
  nodeAffinity: {
    requiredDuringSchedulingIgnoredDuringExecution: {
      nodeSelectorTerms: [{ matchExpressions: [{ key: 'part', operator: 'Exists' }] }],
    },
  },
};
const onePerNode = (app: string) => ({
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { topologyKey: 'kubernetes.io/hostname', labelSelector: { matchLabels: { app } } },
      ],
    },
  },
});

const notReady = { 'sim/not-ready': '1' };
const finalizer = 'scenarios.test/hold';
const app = (name: string, given: Partial<PodTemplate> = {}): PodTemplate => ({
  ...{ name, namespace, replicas: 3, spec: on('moves') },
  ...given,
});
const store = app('store', { spec: on('moves', onePerNode('store')) });
const tight = app('tight', { replicas: moving.length, spec: on('moves', onePerNode('tight')) });
const slow = app('slow', { replicas: 2, annotations: { 'sim/stop-delay': '3s' } });
const broken = app('broken', { annotations: notReady });
const unready = app('unready', { annotations: notReady });
const held = app('held', { replicas: 1, finalizers: [finalizer] });
const onDisk = app('on-disk', {
  replicas: 1,
  spec: {
    affinity: onOwnNodes,
    tolerations: on('moves').tolerations,
    volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'on-disk' } }],
  },
});
const ring = app('ring', {
  finalizers: [finalizer],
  spec: {
    ...on('gang', { schedulingGroup: { podGroupName: 'ring' } }),
    topologySpreadConstraints: [
      {
        ...{ maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule' },
        ...{ nodeTaintsPolicy: 'Honor', labelSelector: { matchLabels: { app: 'ring' } } },
      },
    ],
  },
});
const single = app('single', { replicas: 1, spec: on('stays') });
const twoBudgets = app('two-budgets', { replicas: 2, spec: on('stays') });

let admin: ReturnType<typeof clientOf>;
let rig: Rig;
let judge: BudgetWatch;

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  const nodesOf = (names: readonly string[], part: string) =>
    names.map((name) => ({ name, labels: { part }, taints: [taint] }));
  await makeNodes(
    admin,
    ...nodesOf(moving, 'moves'),
    ...nodesOf([keeping], 'stays'),
    ...nodesOf([bound], 'disk'),
    ...nodesOf(ofGang, 'gang'),
  );
  await makeNamespace(admin, namespace);
  await makeLocalVolume(admin, { name: onDisk.name, namespace, node: bound });
  await makePodGroup(admin, ring);
  await makeStatefulSet(admin, store);
  for (const each of [tight, slow, broken, unready, held, onDisk, ring, single, twoBudgets])
    await makeDeployment(admin, each);
  await makeDaemonSet(admin, {
    name: 'agent',
    namespace,
    spec: { affinity: onOwnNodes, tolerations: [{ operator: 'Exists' }] },
  });
  const ofNode = { 'kubernetes.io/config.mirror': '1', 'kubernetes.io/config.source': 'file' };
  await makeBarePod(admin, { name: 'mirror', namespace, annotations: ofNode, spec: { nodeName: firstHost } });
  for (const each of [store, tight, slow, broken, unready, held, onDisk, ring, single, twoBudgets])
    await runningPods(admin, each);
  const budget = (name: string, minAvailable: number) =>
    makeBudget(admin, { name, namespace, app: name, minAvailable });
  await budget('store', 2);
  await budget('tight', moving.length - 1);
  await budget('unready', 2);
  await makeBudget(admin, { name: 'broken', namespace, app: 'broken', minAvailable: 2, evictsUnhealthy: true });
  await budget('single', 1);
  await budget('two-budgets', 1);
  await makeBudget(admin, { name: 'two-budgets-more', namespace, app: 'two-budgets', minAvailable: 1 });
  judge = await watchBudgets(testKubernetes().adminKubeconfig);
  rig = await startRig({ environment: { ...serviceEnvironment(), PARLEY_KUBERNETES_READY_SECONDS: '2' } });
});

afterAll(async () => {
  judge.stop();
  await rig.stop();
  for (const name of [...hosts, ...ofGang]) await admin.delete(nodes, { name });
  await admin.close();
});

const podsOf = async (name: string): Promise<readonly Pod[]> =>
  (await admin.list(pods, { namespace, labelSelector: `app=${name}` })).items;

/** Takes the finalizer of pods that end: their own controller is done with them. */
const releaseEnding = async ({ name }: PodTemplate): Promise<void> => {
  for (const { metadata } of await podsOf(name)) {
    if (metadata.deletionTimestamp === undefined) continue;
    const at = { name: metadata.name, namespace };
    await admin.patch(pods, at, { patch: { metadata: { finalizers: null } }, type: 'merge' });
  }
};

it('moves each application within its budget, and keeps the node of a pod that is never let go', async () => {
  const service = anAdmin(rig.url);
  const own = await podsOf('agent');
  const request = { hosts, workflow: 'k8s', max_failed_hosts: 2 };
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await service.call('POST', '/maintenance/plan', { ...start, ...request });
  const toldAs = (wanted: string) =>
    (body as PlanBody).blockers.flatMap(({ kind, subject }) => (kind === wanted ? [subject] : [])).sort();
  expect(toldAs('instance_held_by_state')).toEqual((await podsOf(twoBudgets.name)).map(uidOf).sort());
  expect(toldAs('instance_may_be_refused')).toEqual(
    expect.arrayContaining((await podsOf(single.name)).map(uidOf)) as unknown,
  );
  const [withDisk] = await podsOf(onDisk.name);
  const withoutPlace = [withDisk!, ...(await podsOf(single.name))].map(uidOf);
  expect(toldAs('instance_without_place')).toEqual(withoutPlace.sort());

  const sessionId = await service.create(request);
  // The nodes of other pods may come first.
  const waits = await eventually({ what: 'a budget is waited for', ...service.watching(sessionId) }, async () => {
    await releaseEnding(held);
    const { session } = await service.detail(sessionId);
    return session.waiting.find(({ because }) => because?.includes('unready needs 2') === true);
  });
  expect(waits).toMatchObject({ waiting_for: 'move' });
  for (const pod of await podsOf(unready.name)) await annotatePod(admin, pod, { 'sim/not-ready': null });
  const ended = await eventually({ what: 'the session is over', ...service.watching(sessionId) }, async () => {
    await releaseEnding(held);
    for (const pod of await podsOf(unready.name)) await annotatePod(admin, pod, { 'sim/not-ready': null });
    const state = await service.stateOf(sessionId);
    return ['MAINTENANCE_DONE', 'MAINTENANCE_FAILED'].includes(state) ? service.detail(sessionId) : undefined;
  });
  expect(ended).toMatchObject({ state: 'MAINTENANCE_DONE', session: { failure: null } });
  const phases = new Map(ended.hosts.map(({ hostname, phase, details }) => [hostname, { phase, details }]));
  expect(moving.map((name) => phases.get(name)?.phase)).toEqual(moving.map(() => 'maintained'));
  expect(phases.get(keeping)).toMatchObject({
    phase: 'set_aside',
    details: expect.stringContaining('both select this pod') as string,
  });
  const boundToIt = new RegExp(`on-disk.*lacks? label kubernetes.io/hostname In .${bound}`);
  expect(phases.get(bound)).toMatchObject({ phase: 'set_aside', details: expect.stringMatching(boundToIt) as string });
  expect((await podsOf(onDisk.name)).map(uidOf)).toEqual([uidOf(withDisk!)]);
  // What belongs to a node stays there.
  expect((await podsOf('agent')).map(uidOf).sort()).toEqual(own.map(uidOf).sort());
  expect((await admin.get(pods, { name: 'mirror', namespace }))?.metadata.deletionTimestamp).toBeUndefined();
  const seen = judge.seen().filter(({ name }) => name.startsWith(`${namespace}/`));
  const below = seen.filter(({ fewest, needed }) => fewest < needed).map(({ name }) => name);
  expect(below).toEqual(['scenarios/broken', 'scenarios/unready']); // which began so
});

it('evicts a pod that only its node could take where the session says so, and the pod comes back with the node', async () => {
  const service = anAdmin(rig.url);
  const [before] = await podsOf(onDisk.name);
  const request = { hosts: [bound], workflow: 'k8s', eviction: { local_data: 'delete' } };
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await service.call('POST', '/maintenance/plan', { ...start, ...request });
  expect((body as PlanBody).blockers.map(({ subject }) => subject)).not.toContain(uidOf(before!));
  const sessionId = await service.create(request);
  await service.until(sessionId, 'MAINTENANCE_DONE');
  const [after] = await runningPods(admin, onDisk);
  expect(after?.spec.nodeName).toBe(bound);
  expect(uidOf(after!)).not.toBe(uidOf(before!));
});

it('evicts the pods of a gang together, and each of them once', async () => {
  const service = anAdmin(rig.url);
  const before = await podsOf(ring.name);
  const own = [...new Set(before.map(({ spec }) => spec.nodeName ?? ''))];
  expect(own).toHaveLength(before.length);
  const sessionId = await service.create({ hosts: own, workflow: 'k8s' });
  await eventually({ what: 'all pods of the gang end at once', ...service.watching(sessionId) }, async () => {
    const all = await podsOf(ring.name);
    return all.filter(({ metadata }) => metadata.deletionTimestamp !== undefined).length === before.length || undefined;
  });
  await eventually({ what: 'the session is over', ...service.watching(sessionId) }, async () => {
    await releaseEnding(ring);
    return (await service.stateOf(sessionId)) === 'MAINTENANCE_DONE' || undefined;
  });
  const evicted = await rig.db.kubernetesMove.findMany({ where: { podName: { startsWith: ring.name } } });
  expect(evicted.map(({ instanceId }) => instanceId).sort()).toEqual(before.map(uidOf).sort());
});
