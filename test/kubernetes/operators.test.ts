/**
 * Sessions in a cluster in which others act: programs that own budgets open and close them when a node is cordoned, and
 * members of a quorum come back only with their node. A session waits for them, and overrules none.
 */
import { setTimeout as pause } from 'node:timers/promises';
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { budgets } from '../../clouds/kubernetes/objects/budgets';
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { isPodReady, pods } from '../../clouds/kubernetes/objects/pods';
import type { ActionPlugin } from '../../plugins/actions/action-plugin';
import { anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { eventually } from '../waiting/eventually';
import { type Actor, databaseOperator, storageManager, storageOperator } from './rig/actors';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import {
  annotatePod,
  makeBudget,
  makeDeployment,
  makeLocalVolume,
  makeNamespace,
  makeNodes,
  makeStatefulSet,
  type PodTemplate,
  runningPods,
} from './rig/operator';
import { clientOf } from './rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from './rig/watch-budgets';

const hosts = ['a', 'b', 'c'].map((name) => `operators-${name}`);
const taint = { key: 'operators.test/only', effect: 'NoSchedule' };
const readySeconds = 3;
/** Longer than a pod that is not Ready goes without being named. */
const maintenanceMs = 5_000;

let admin: ReturnType<typeof clientOf>;
let rig: Rig;
const actors: Actor[] = [];
const judges: BudgetWatch[] = [];

const maintain: ActionPlugin = {
  name: 'maintain',
  async run() {
    await pause(maintenanceMs);
    return { state: null };
  },
};

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  await makeNodes(admin, ...hosts.map((name) => ({ name, labels: { pool: 'operators' }, taints: [taint] })));
  const times = { PARLEY_KUBERNETES_READY_SECONDS: `${readySeconds}`, PARLEY_MOVE_SECONDS: '10' };
  rig = await startRig({ environment: { ...serviceEnvironment(), ...times }, actionPlugins: [maintain] });
});

afterEach(async () => {
  const service = anAdmin(rig.url);
  for (const { id } of await rig.db.session.findMany({ where: { deletedAt: null } }))
    await service.call('DELETE', `/maintenance/${id}`);
  await Promise.all(actors.splice(0).map((actor) => actor.stop()));
  for (const judge of judges.splice(0)) judge.stop();
  await admin.call({ method: 'DELETE', path: `/api/v1/namespaces/${namespace}` });
  await eventually('the pods of the case are gone', async () => {
    const { items } = await admin.list(nodes);
    const own = items.filter(({ metadata }) => hosts.includes(metadata.name));
    for (const { metadata, spec } of own)
      if (spec.unschedulable)
        await admin.patch(nodes, metadata, { patch: { spec: { unschedulable: null } }, type: 'merge' });
    return (await admin.list(pods, { namespace })).items.length === 0 || undefined;
  });
});

afterAll(async () => {
  await rig.stop();
  for (const name of hosts) await admin.delete(nodes, { name });
  await admin.close();
});

/** Each case has a namespace of its own. */
let namespace = '';
let cases = 0;
beforeEach(async () => {
  namespace = `operators-${(cases += 1)}`;
  await makeNamespace(admin, namespace);
});

const app = (name: string, more: Partial<PodTemplate> = {}): PodTemplate => ({
  ...{ name, namespace, replicas: 1 },
  ...more,
  spec: { nodeSelector: { pool: 'operators' }, tolerations: [taint], ...more.spec },
});

const mostAway = (members: number) => ({ 'parley.maintenance/max-impacted-members': `${members}` });

const aDisk = { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1Gi' } } };

const onNode = (node: string) => ({ nodeSelector: { 'kubernetes.io/hostname': node } });

const anApp = async (template: PodTemplate): Promise<void> => {
  await makeDeployment(admin, template);
  await runningPods(admin, template);
};

interface BudgetOver {
  readonly name: string;
  readonly minAvailable?: number;
  readonly maxUnavailable?: number;
  /** The kind of the program that owns it; left out: none does. */
  readonly owner?: string;
}

/** Over the pods with these labels. */
const aBudgetOver = async (matchLabels: object, { name, owner, ...spec }: BudgetOver): Promise<void> => {
  const ownerReferences = owner && [{ apiVersion: 'example.org/v1', kind: owner, name, uid: name, controller: true }];
  const metadata = { name, namespace, ...(ownerReferences && { ownerReferences }) };
  await admin.create(budgets, { metadata, spec: { selector: { matchLabels }, ...spec } });
};

const request = (own: readonly string[] = hosts) => ({
  ...{ workflow: 'k8s', hosts: own },
  actions: [{ plugin: 'maintain', type: 'host' }],
});

const planOf = async (more: object): Promise<PlanBody> => {
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await anAdmin(rig.url).call('POST', '/maintenance/plan', { ...start, ...more });
  return body as PlanBody;
};

const kindsIn = ({ blockers }: PlanBody): readonly string[] => [...new Set(blockers.map(({ kind }) => kind))];

const endOf = async (more: object = request(), state = 'MAINTENANCE_DONE') => {
  const service = anAdmin(rig.url);
  return service.until(await service.create({ ...more }), state);
};

const isCordoned = async (name: string): Promise<boolean> =>
  (await admin.get(nodes, { name }))?.spec.unschedulable === true;

/** Counts from now on the fewest healthy pods of a budget that lets all of them go. @returns the count so far */
const countHealthy = async (ofApp: string): Promise<() => number | undefined> => {
  const name = 'counted';
  await makeBudget(admin, { name, namespace, app: ofApp, minAvailable: 0 });
  const judge = await watchBudgets(testKubernetes().adminKubeconfig);
  judges.push(judge);
  return () => judge.seen().find((seen) => seen.name === `${namespace}/${name}`)?.fewest;
};

const untilReady = (template: PodTemplate) =>
  eventually('all pods are Ready', async () => (await runningPods(admin, template)).every(isPodReady) || undefined);

it('waits until the operator of a database has made another pod primary', async () => {
  await anApp(app('db', { replicas: 3 }));
  await aBudgetOver({ app: 'db', role: 'primary' }, { name: 'primary', minAvailable: 1, owner: 'Cluster' });
  actors.push(databaseOperator(admin, { namespace, app: 'db' }, 2_000));
  await eventually('the budget counts the primary', async () => {
    const { status } = (await admin.get(budgets, { namespace, name: 'primary' })) ?? {};
    return status?.expectedPods === 1 || undefined;
  });
  const plan = await planOf(request());
  expect([plan.completes, kindsIn(plan)]).toEqual([true, []]);
  const { hosts: ended } = await endOf();
  expect(ended.map(({ phase }) => phase)).toEqual(hosts.map(() => 'maintained'));
});

it('asks last for the pod of a budget that is deleted once the node is cordoned and empty but for it', async () => {
  await anApp(app('web', { replicas: 3 }));
  await anApp(app('manager', { spec: onNode(hosts[0]!) }));
  await makeBudget(admin, { name: 'manager', namespace, app: 'manager', minAvailable: 1 });
  actors.push(storageManager(admin, { namespace, app: 'manager' }, 'manager'));
  const plan = await planOf({ ...request(), eviction: { local_data: 'delete' } });
  expect([plan.completes, kindsIn(plan)]).toEqual([true, expect.arrayContaining(['instance_may_be_refused'])]);
  const { hosts: ended } = await endOf({ ...request(), eviction: { local_data: 'delete' } });
  expect(ended.map(({ phase }) => phase)).toEqual(hosts.map(() => 'maintained'));
});

it('goes from node to node as the operator of a storage cluster lets it, also with two pods on a node', async () => {
  const budgetOf = new Map(hosts.map((name) => [name, `osd-${name}`]));
  for (const [node, budget] of budgetOf) {
    for (const at of [0, 1]) {
      const template = app(`osd-${node}-${at}`, { spec: onNode(node) });
      await makeDeployment(admin, { ...template, labels: { app: 'osd', node, own: template.name } });
    }
    await aBudgetOver({ app: 'osd', node }, { name: budget, maxUnavailable: 1, owner: 'CephCluster' });
  }
  await runningPods(admin, { name: 'osd', namespace, replicas: 6 });
  actors.push(storageOperator(admin, { namespace, app: 'osd', budgetOf, cleanMs: 4_000 }));
  const more = { ...request(), eviction: { local_data: 'delete' } };
  expect((await planOf(more)).completes).toBe(true);
  const { hosts: ended } = await endOf(more);
  expect(ended.map(({ phase }) => phase)).toEqual(hosts.map(() => 'maintained'));
});

it('has no member of a quorum on local disks leave before the one that left is back with its node', async () => {
  for (const [at, node] of hosts.entries())
    await makeLocalVolume(admin, { name: `disk-quorum-${at}`, namespace, node });
  const claims = [{ metadata: { name: 'disk' }, spec: aDisk }];
  await makeStatefulSet(admin, { ...app('quorum', { replicas: 3, annotations: mostAway(1) }), claims });
  await untilReady({ name: 'quorum', namespace, replicas: 3 });
  const fewest = await countHealthy('quorum');
  const { hosts: ended } = await endOf({ ...request(), eviction: { local_data: 'delete' } });
  expect(ended.map(({ phase }) => phase)).toEqual(hosts.map(() => 'maintained'));
  expect(fewest()).toBe(2);
});

it('gives a node back whose budget nobody opens, maintains all others, and then fails with the words of the refusal', async () => {
  await anApp(app('lone', { spec: onNode(hosts[0]!) }));
  await makeBudget(admin, { name: 'lone', namespace, app: 'lone', minAvailable: 1 });
  const more = { ...request(), eviction: { local_data: 'delete' } };
  const { session, hosts: ended } = await endOf(more, 'MAINTENANCE_FAILED');
  expect(session.failure).toContain('The disruption budget lone needs 1 healthy pods and has 1 currently');
  expect(ended.map(({ maintained }) => maintained)).toEqual([false, true, true]);
  expect(await isCordoned(hosts[0]!)).toBe(false);
});

it('moves no further pod when those that were moved are not Ready, names them, and sets a host aside as allowed', async () => {
  // Pods that are made from now on are not Ready, as when their image is gone.
  const broken = { 'sim/not-ready': 'on' };
  const template = app('web', { replicas: 6, annotations: broken, onWorkload: mostAway(2) });
  await makeDeployment(admin, template);
  for (const pod of await runningPods(admin, template)) await annotatePod(admin, pod, { 'sim/not-ready': null });
  await untilReady(template);
  const fewest = await countHealthy('web');
  const service = anAdmin(rig.url);
  const sessionId = await service.create(request());
  const reason = await service.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'members');
  expect(reason.because).toMatch(/^pod .*web-.* is not Ready since /);
  expect(fewest()).toBe(4);
  await service.call('PATCH', `/maintenance/${sessionId}`, { max_failed_hosts: 3 });
  const { hosts: ended } = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(ended.filter(({ phase }) => phase === 'set_aside').length).toBeGreaterThan(0);
  expect(fewest()).toBe(4);
});

it('evicts pods that are not Ready without waiting for each other', async () => {
  await anApp(app('crashing', { replicas: 3, annotations: { 'sim/not-ready': 'on' } }));
  await makeBudget(admin, { name: 'crashing', namespace, app: 'crashing', minAvailable: 2, evictsUnhealthy: true });
  const { hosts: ended } = await endOf();
  expect(ended.map(({ phase }) => phase)).toEqual(hosts.map(() => 'maintained'));
});
