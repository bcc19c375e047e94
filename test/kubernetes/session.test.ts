/** A whole session on a real API server: API and worker as they run, with the rights of the service alone. */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { annotationNames } from '../../clouds/kubernetes/limits/annotations';
import { type Node, nodes } from '../../clouds/kubernetes/objects/nodes';
import { deployments } from '../../clouds/kubernetes/objects/others';
import { hasEnded, pods, uidOf } from '../../clouds/kubernetes/objects/pods';
import { surgedAnnotation } from '../../clouds/kubernetes/surge/decide-surge';
import type { ActionPlugin } from '../../plugins/actions/action-plugin';
import { anAdmin } from '../integration/rig/admin';
import { acknowledge, type Manager, startManager } from '../integration/rig/manager';
import { type Rig, startRig } from '../integration/rig/rig';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import {
  findPod,
  makeBarePod,
  makeBudget,
  makeDeployment,
  makeJob,
  makeNamespace,
  makeNodes,
  makeReplicaSet,
  runningPods,
} from './rig/operator';
import { clientOf } from './rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from './rig/watch-budgets';

const hosts = [1, 2, 3, 4].map((number) => `session-${number}`);
const namespace = 'session';
/** Keeps away what other files leave in the cluster, such as pods that nobody may evict. */
const ownPods = { key: 'session.test/only', effect: 'NoSchedule' };
const web = { name: 'web', namespace, replicas: 6 };
const store = { name: 'store', namespace, replicas: 4 };
/** Where a pod of the session's own applications may run. */
const onOwnNodes = { nodeSelector: { pool: namespace }, tolerations: [{ key: ownPods.key, operator: 'Exists' }] };

let admin: ReturnType<typeof clientOf>;
let rig: Rig;
let manager: Manager;
let judge: BudgetWatch;
/** What the plug-in has seen of each node while it maintained it. */
const maintained: { host: string; isCordoned: boolean; podsOnIt: number; conditions: string[] }[] = [];

const lifecycleOf = (node: Node | undefined): string[] =>
  (node?.status?.conditions ?? []).filter(({ reason }) => reason === 'ParleySession').map(({ type }) => type);

const maintain: ActionPlugin = {
  name: 'maintain',
  async run({ host }) {
    const name = host?.name ?? '';
    const node = await admin.get(nodes, { name });
    const { items } = await admin.list(pods, { fieldSelector: `spec.nodeName=${name}` });
    const isCordoned = node?.spec.unschedulable === true;
    maintained.push({ host: name, isCordoned, podsOnIt: items.length, conditions: lifecycleOf(node).sort() });
    return { state: null };
  },
};

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  await makeNodes(admin, ...hosts.map((name) => ({ name, labels: { pool: namespace }, taints: [ownPods] })));
  const projectId = await makeNamespace(admin, namespace);
  for (const app of [web, store]) {
    await makeDeployment(admin, { ...app, spec: onOwnNodes });
    await runningPods(admin, app);
    await makeBudget(admin, { ...app, app: app.name, minAvailable: app.replicas - 1 });
  }
  judge = await watchBudgets(testKubernetes().adminKubeconfig);
  const environment = { ...serviceEnvironment(), PARLEY_KUBERNETES_TAINT_UNMAINTAINED: 'on' };
  rig = await startRig({ environment, actionPlugins: [maintain] });
  manager = startManager({ url: rig.url, projectId, policy: acknowledge });
});

afterAll(async () => {
  manager.stop();
  judge.stop();
  await rig.stop();
  for (const name of hosts) await admin.delete(nodes, { name });
  await admin.close();
});

const ownBudgets = () => judge.seen().filter(({ name }) => name.startsWith(`${namespace}/`));

const locked = hosts[0]!;

/** As kured does it, while it reboots a node. */
const lockByKured = (time: string | null) => {
  const metadata = { annotations: { 'weave.works/kured-reboot-in-progress': time } };
  return admin.patch(nodes, { name: locked }, { patch: { metadata }, type: 'merge' });
};

it('waits for another tool, empties nodes within their budgets, maintains them cordoned, and uncordons them', async () => {
  const service = anAdmin(rig.url);
  const session = { hosts, workflow: 'vnf', actions: [{ plugin: 'maintain', type: 'host' }] };
  await lockByKured('2026-01-01T00:00:00Z');
  const plan = { ...session, state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await service.call('POST', '/maintenance/plan', plan);
  const { blockers } = body as { blockers: readonly { readonly kind: string }[] };
  const doubts = blockers.filter(({ kind }) => kind === 'host_in_doubt');
  expect(doubts).toMatchObject([{ subject: locked, owner: 'operator', severity: 'stops' }]);
  const sessionId = await service.create(session);
  const reason = await service.untilReason(
    sessionId,
    ({ waiting_for, who }) => waiting_for === 'content' && who === locked,
  );
  expect(reason.because).toContain(`kured is at work on host ${locked}`);
  await lockByKured(null);
  const done = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(done.percent_done).toBe(100);
  const conditions = ['Drained', 'MaintenanceInProgress'];
  const empty = hosts.map((host) => ({ host, isCordoned: true, podsOnIt: 0, conditions }));
  expect(maintained.toSorted((one, other) => one.host.localeCompare(other.host))).toEqual(empty);
  for (const name of hosts) {
    const node = await admin.get(nodes, { name });
    expect(node?.spec.unschedulable).toBeUndefined();
    const annotations = Object.keys(node?.metadata.annotations ?? {});
    expect(annotations.filter((key) => key !== 'node.alpha.kubernetes.io/ttl')).toEqual([]);
    expect(lifecycleOf(node)).toEqual([]);
  }
  const evictions = await rig.db.kubernetesMove.count();
  expect(evictions).toBeGreaterThanOrEqual(web.replicas + store.replicas);
  expect(ownBudgets()).toEqual([
    { name: 'session/store', fewest: store.replicas - 1, needed: store.replicas - 1 },
    { name: 'session/web', fewest: web.replicas - 1, needed: web.replicas - 1 },
  ]);
  await Promise.all([web, store].map((app) => runningPods(admin, app)));
});

it('asks nobody in k8s, tells before what keeps a node, and goes on without that node', async () => {
  const [kept = '', ...others] = hosts;
  const service = anAdmin(rig.url);
  const bare = await makeBarePod(admin, { name: 'bare', namespace, spec: { nodeName: kept } });
  judge.restart();
  maintained.length = 0;
  const actions = [{ plugin: 'maintain', type: 'host' }];
  const request = { hosts, workflow: 'k8s', actions, max_failed_hosts: 1 };
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await service.call('POST', '/maintenance/plan', { ...start, ...request });
  expect((body as PlanBody).blockers.find(({ subject }) => subject === uidOf(bare))).toMatchObject({
    ...{ kind: 'instance_held_by_state', severity: 'delays', owner: 'project' },
    because: expect.stringContaining('no controller makes this pod again') as string,
  });
  const sessionId = await service.create(request);
  const done = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(maintained.map(({ host }) => host).sort()).toEqual(others);
  expect(done.hosts.find(({ hostname }) => hostname === kept)).toMatchObject({
    phase: 'set_aside',
    details: expect.stringContaining('no controller makes this pod again') as string,
  });
  expect(await rig.db.question.count({ where: { sessionId } })).toBe(0);
  expect(ownBudgets().every(({ fewest, needed }) => fewest >= needed)).toBe(true);
});

const taintsOf = async (name = ''): Promise<readonly string[]> =>
  (await admin.get(nodes, { name }))?.spec.taints?.map(({ key }) => key) ?? [];

/** A pod that runs for one of the session's own Jobs. */
const startJob = async (name: string) => {
  await makeJob(admin, { name, namespace, spec: onOwnNodes });
  const [pod] = await runningPods(admin, { name, namespace });
  return pod!;
};

it('evicts pods that would be lost where the session says so, and waits for Jobs for as long as it says', async () => {
  const own = hosts.slice(1); // the first one is left cordoned
  const service = anAdmin(rig.url);
  // No other node would take it.
  const bare = await makeBarePod(admin, { name: 'bare-too', namespace, spec: { nodeName: own[0] } });
  const withData = { name: 'scratch', namespace };
  await makeReplicaSet(admin, { ...withData, spec: { ...onOwnNodes, volumes: [{ name: 'data', emptyDir: {} }] } });
  const [local] = await runningPods(admin, withData);
  const [nightly, endless] = [await startJob('nightly'), await startJob('endless')];
  const request = { hosts: own, workflow: 'k8s', actions: [{ plugin: 'maintain', type: 'host' }] };
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const toldIn = async (eviction: object, wanted: string): Promise<readonly string[]> => {
    const { body } = await service.call('POST', '/maintenance/plan', { ...start, ...request, eviction });
    return (body as PlanBody).blockers.flatMap(({ kind, subject }) => (kind === wanted ? [subject] : [])).sort();
  };
  const heldIn = (eviction: object) => toldIn(eviction, 'instance_held_by_state');
  const jobPods = [uidOf(nightly), uidOf(endless)].sort();
  expect(await heldIn({})).toEqual([uidOf(bare), uidOf(local!)].sort());
  expect(await heldIn({ local_data: 'delete' })).toEqual([uidOf(bare)]);
  const eviction = { unmanaged_pods: 'delete', local_data: 'delete', complete_within_seconds: 3600 };
  expect(await heldIn(eviction)).toEqual([]);
  expect(await toldIn(eviction, 'instance_ends_by_itself')).toEqual(jobPods);
  expect(await toldIn(eviction, 'instance_ends_for_good')).toEqual(jobPods);
  maintained.length = 0;
  const sessionId = await service.create({ ...request, eviction });
  for (const pod of [nightly, endless]) {
    const reason = await service.untilReason(
      sessionId,
      ({ who, waiting_for }) => waiting_for === 'state' && who === uidOf(pod),
    );
    expect(reason.because).toMatch(/since it is at work for Job .* it is waited for until/);
    expect(await taintsOf(pod.spec.nodeName)).toContain('parley.maintenance/to-be-maintained');
  }
  const ends = { metadata: { annotations: { 'sim/runs-for': '10ms' } } };
  await admin.patch(pods, { namespace, name: nightly.metadata.name }, { patch: ends, type: 'merge' });
  await eventually('the Job is done', async () => hasEnded((await findPod(admin, uidOf(nightly)))!) || undefined);
  const now = { ...eviction, complete_within_seconds: 0 };
  expect((await service.call('PATCH', `/maintenance/${sessionId}`, { eviction: now })).status).toBe(200);
  const done = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(done.session).toMatchObject({ eviction: now });
  expect(maintained.map(({ host }) => host).sort()).toEqual(own);
  for (const name of own) expect(await taintsOf(name)).toEqual([ownPods.key]);
  for (const pod of [bare, endless]) expect(await findPod(admin, uidOf(pod))).toBeUndefined();
});

it('adds a replica where an application asks for that and its budget holds its only pod, and takes it away', async () => {
  const own = hosts.slice(1);
  const lone = { name: 'lone', namespace, replicas: 1 };
  await makeDeployment(admin, { ...lone, spec: onOwnNodes, onWorkload: { [annotationNames.surge]: 'true' } });
  const [pod] = await runningPods(admin, lone);
  await makeBudget(admin, { ...lone, app: lone.name, minAvailable: 1 });
  const judgeOfLone = await watchBudgets(testKubernetes().adminKubeconfig);
  const service = anAdmin(rig.url);
  const request = { hosts: own, workflow: 'k8s', actions: [{ plugin: 'maintain', type: 'host' }] };
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await service.call('POST', '/maintenance/plan', { ...start, ...request });
  expect((body as PlanBody).blockers.map(({ subject }) => subject)).not.toContain(uidOf(pod!));
  maintained.length = 0;
  await service.until(await service.create(request), 'MAINTENANCE_DONE');
  expect(maintained.map(({ host }) => host).sort()).toEqual(own);
  expect(await findPod(admin, uidOf(pod!))).toBeUndefined();
  await eventually('the Deployment is as before', async () => {
    const deployment = await admin.get(deployments, lone);
    const isBefore =
      deployment?.spec?.replicas === 1 && deployment.metadata.annotations?.[surgedAnnotation] === undefined;
    return isBefore || undefined;
  });
  await runningPods(admin, lone);
  const seen = judgeOfLone.seen().filter(({ name }) => name === 'session/lone');
  judgeOfLone.stop();
  expect(seen).toEqual([{ name: 'session/lone', fewest: 1, needed: 1 }]);
});
