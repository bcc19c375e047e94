/** Applications under topology spread on the real scheduler: a session comes to the end that its plan tells. */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { budgets } from '../../clouds/kubernetes/objects/budgets';
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import { makeBudget, makeDeployment, makeNamespace, makeNodes, type PodTemplate, runningPods } from './rig/operator';
import { clientOf } from './rig/start-kubernetes';
import { type BudgetWatch, watchBudgets } from './rig/watch-budgets';

const namespace = 'spread';
const hosts = ['a1', 'a2', 'b1', 'b2'].map((name) => `spread-${name}`);
/** Of two pods on each of these one may be out at a time, and it has no other place until its node is back. */
const crowded = ['c1', 'd1'].map((name) => `spread-${name}`);
const taint = { key: 'spread.test/only', effect: 'NoSchedule' };

const over = (topologyKey: string, app: string) => ({
  ...{ maxSkew: 1, topologyKey, whenUnsatisfiable: 'DoNotSchedule' },
  labelSelector: { matchLabels: { app } },
});
const overHosts = (app: string) => over('kubernetes.io/hostname', app);
const overZones = (app: string) => over('topology.kubernetes.io/zone', app);

const app = (name: string, replicas: number, constraints: readonly object[]): PodTemplate => ({
  ...{ name, namespace, replicas },
  spec: { nodeSelector: { part: 'even' }, tolerations: [taint], topologySpreadConstraints: constraints },
});

/** More pods than nodes, as many as nodes, and zones with hosts. */
const apps = [
  app('by-host', 5, [overHosts('by-host')]),
  app('by-zone', 6, [overZones('by-zone')]),
  app('by-both', 4, [overZones('by-both'), overHosts('by-both')]),
  app('level', 6, [{ ...overHosts('level'), nodeTaintsPolicy: 'Honor', matchLabelKeys: ['pod-template-hash'] }]),
];
const { spec, ...pods } = app('stuck', 4, [overHosts('stuck')]);
const stuck: PodTemplate = { ...pods, spec: { ...spec, nodeSelector: { part: 'crowded' } } };

let admin: ReturnType<typeof clientOf>;
let rig: Rig;
let judge: BudgetWatch;

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  const nodesOf = (names: readonly string[], part: string) =>
    names.map((name) => ({
      name,
      labels: { part, 'topology.kubernetes.io/zone': name.slice(0, -1) },
      taints: [taint],
    }));
  await makeNodes(admin, ...nodesOf(hosts, 'even'), ...nodesOf(crowded, 'crowded'));
  await makeNamespace(admin, namespace);
  for (const each of [...apps, stuck]) {
    await makeDeployment(admin, each);
    await runningPods(admin, each);
    const { name, replicas = 1 } = each;
    await makeBudget(admin, { name, namespace, app: name, minAvailable: replicas - 1 });
  }
  judge = await watchBudgets(testKubernetes().adminKubeconfig);
  rig = await startRig({ environment: { ...serviceEnvironment(), PARLEY_KUBERNETES_READY_SECONDS: '30' } });
});

afterAll(async () => {
  judge.stop();
  await rig.stop();
  for (const name of [...hosts, ...crowded]) await admin.delete(nodes, { name });
  await admin.close();
});

const planOf = async (own: readonly string[]): Promise<PlanBody> => {
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {} };
  const { body } = await anAdmin(rig.url).call('POST', '/maintenance/plan', { ...start, workflow: 'k8s', hosts: own });
  return body as PlanBody;
};

it('maintains all nodes, as the plan says, within every budget, and every pod is back', async () => {
  const service = anAdmin(rig.url);
  const plan = await planOf(hosts);
  expect(plan.blockers.filter(({ severity }) => severity === 'stops')).toEqual([]);
  expect(plan.ends_at).not.toBeNull();
  const placesOf = (name: string) =>
    plan.moves.filter(({ instance_name }) => instance_name.startsWith(`${name}-`)).map(({ target }) => target !== null);
  expect(new Set(placesOf('by-zone'))).toEqual(new Set([true]));
  expect(placesOf('by-both')).toEqual([false, false, false, false]);
  const away = plan.blockers.filter(({ kind }) => kind === 'members_away_with_host').map(({ because }) => because);
  expect(away).toContainEqual(expect.stringContaining('take 4 members of group PodDisruptionBudget by-both'));
  const sessionId = await service.create({ workflow: 'k8s', hosts });
  const { session, hosts: ended } = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(session.failure).toBeNull();
  expect(ended.map(({ phase }) => phase)).toEqual(hosts.map(() => 'maintained'));
  for (const each of apps) await runningPods(admin, each);
  const seen = judge.seen().filter(({ name }) => name.startsWith(`${namespace}/`));
  expect(seen.filter(({ fewest, needed }) => fewest < needed)).toEqual([]);
  const refused = await rig.db.kubernetesMove.findMany({ where: { refusal: { not: null } } });
  expect(refused).toEqual([]);
});

it('asks for the second pod of a node until the owner of their budget lets it go, and the plan warns of that', async () => {
  const service = anAdmin(rig.url);
  const { blockers, completes } = await planOf(crowded);
  expect(completes).toBe(true);
  const told = blockers.filter(({ kind }) => kind === 'instance_may_be_refused');
  expect(told).toHaveLength(crowded.length);
  expect(told[0]?.because).toContain('PodDisruptionBudget stuck allows 1 member away at a time');
  const sessionId = await service.create({ workflow: 'k8s', hosts: crowded });
  await service.untilReason(
    sessionId,
    ({ because }) => because?.includes('The disruption budget stuck needs 3') === true,
  );
  const opened = { patch: { spec: { minAvailable: 2 } }, type: 'merge' } as const;
  await admin.patch(budgets, { namespace, name: stuck.name }, opened);
  const { hosts: ended } = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(ended.map(({ phase }) => phase)).toEqual(crowded.map(() => 'maintained'));
  await runningPods(admin, stuck);
});
