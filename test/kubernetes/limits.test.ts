/** The limits that the kubernetes driver reads out of annotations and budgets, on a real API server. */
import { randomUUID } from 'node:crypto';
import { annotationNames } from '../../clouds/kubernetes/limits/annotations';
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { autoscalers, namespaces } from '../../clouds/kubernetes/objects/others';
import { uidOf } from '../../clouds/kubernetes/objects/pods';
import { surgedAnnotation } from '../../clouds/kubernetes/surge/decide-surge';
import { findInstanceConstraints } from '../../prisma/constraints/constraints';
import { passOnConstraints } from '../../prisma/constraints/pass-on-constraints';
import { writeConstraints } from '../../prisma/constraints/write-constraints';
import type { CloudGroup, CloudInstance } from '../../rules/cloud/cloud-facts';
import { idOf } from '../../rules/cloud/id';
import { createTestDatabase } from '../integration/setup/test-database';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { openDriver } from './rig/driver-under-test';
import {
  makeBudget,
  makeDeployment,
  makeNamespace,
  makeNodes,
  makeStatefulSet,
  type PodTemplate,
  runningPods,
} from './rig/operator';
import { clientOf } from './rig/start-kubernetes';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: ReturnType<typeof clientOf>;
let driver: ReturnType<typeof openDriver>;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = clientOf(testKubernetes().adminKubeconfig);
  driver = openDriver(database.db, {});
  await makeNodes(admin, { name: 'limits-1' });
});

afterAll(async () => {
  await driver.close();
  await admin.delete(nodes, { name: 'limits-1' });
  await admin.close();
  await database.drop();
});

let count = 0;
/** An application of two pods, in a namespace of its own. */
const anApp = async (given: Pick<PodTemplate, 'annotations' | 'onWorkload'> = {}) => {
  const namespace = `limits-${(count += 1)}`;
  const projectId = await makeNamespace(admin, namespace);
  await makeDeployment(admin, { name: 'app', namespace, replicas: 2, ...given });
  await runningPods(admin, { name: 'app', namespace, replicas: 2 });
  return { namespace, projectId };
};

interface Seen {
  readonly groups: readonly CloudGroup[];
  readonly instances: readonly CloudInstance[];
}

const untilSeen = (projectId: string, isThere: (seen: Seen) => boolean): Promise<Seen> =>
  eventually('the driver sees it', async () => {
    const [groups, instances] = await Promise.all([driver.listGroups(), driver.listInstances()]);
    const isOwn = (one: { readonly projectId: string }): boolean => one.projectId === projectId;
    const seen = { groups: groups.filter(isOwn), instances: instances.filter(isOwn) };
    return isThere(seen) ? seen : undefined;
  });

it('come from annotations of the workload, else of its namespace; a bad value is told', async () => {
  const { namespace, projectId } = await anApp();
  const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/app`;
  const annotate = (annotations: Readonly<Record<string, string>>) => ({ metadata: { annotations } });
  const ofNamespace = { 'parley.maintenance/ask': 'true', 'parley.maintenance/recovery-time': '9' };
  await admin.patch(namespaces, { name: namespace }, { patch: annotate(ofNamespace), type: 'merge' });
  const ofWorkload = { 'parley.maintenance/recovery-time': '30', 'parley.maintenance/max-impacted-members': 'two' };
  const contentType = 'application/merge-patch+json';
  await admin.call({ method: 'PATCH', path: deployment, contentType, body: annotate(ofWorkload) });
  const { groups, instances } = await untilSeen(projectId, (seen) => seen.groups[0]?.recoveryTimeSeconds === 30);
  expect(groups).toMatchObject([
    {
      groupName: 'Deployment app',
      maxImpactedMembers: 1,
      fault: `${namespace}/Deployment app: annotation parley.maintenance/max-impacted-members is 'two', not a whole number of at least 1`,
    },
  ]);
  expect(instances.map(({ wantsQuestions }) => wantsQuestions)).toEqual([true, true]);
});

it('terms come from annotations of the namespace and of the workload; one that cannot be read is told', async () => {
  const hours = [{ days: ['sat', 'sun'], from: '22:00', to: '06:00', time_zone: 'Europe/Berlin' }];
  const { namespace, projectId } = await anApp({
    onWorkload: { 'parley.maintenance/terms': JSON.stringify({ hours }) },
  });
  const annotate = (terms: string) =>
    admin.patch(
      namespaces,
      { name: namespace },
      { type: 'merge', patch: { metadata: { annotations: { 'parley.maintenance/terms': terms } } } },
    );
  await annotate('{ "ask": "never", "contact": "web@example.org" }');
  const ofProject = { ask: 'never', contact: 'web@example.org' };
  const { instances } = await untilSeen(projectId, (seen) => seen.instances[0]?.terms?.ofProject !== undefined);
  const terms = { ofInstance: { hours }, ofProject };
  expect(instances).toMatchObject([{ terms }, { terms }]);
  expect((await driver.projectTerms?.())?.get(projectId)).toEqual(ofProject);
  await annotate(JSON.stringify({ hours: Array.from({ length: 1_000 }, () => hours[0]) }));
  const { groups, instances: then } = await untilSeen(projectId, (seen) => seen.groups[0]?.fault !== undefined);
  expect(groups[0]?.fault).toMatch(/annotation parley.maintenance\/terms has \d+ characters, and may have 8192$/);
  // Its readable terms still count, and its project is asked.
  expect(then[0]).toMatchObject({
    wantsQuestions: true,
    terms: { ofInstance: { hours }, ofProject: { ask: 'always' } },
  });
});

it('come from the budget, which counts all of its pods whatever else is said', async () => {
  const { namespace, projectId } = await anApp({ annotations: { 'parley.maintenance/max-impacted-members': '2' } });
  await makeBudget(admin, { name: 'app', namespace, app: 'app', minAvailable: 1 });
  const { groups, instances } = await untilSeen(projectId, (seen) => seen.groups.length === 2);
  expect(groups).toMatchObject([
    { groupName: 'Deployment app', maxImpactedMembers: 2 },
    { groupName: 'PodDisruptionBudget app', maxImpactedMembers: 1, keptBy: { kind: 'cloud' } },
  ]);
  expect(instances.map(({ departure }) => departure.kind)).toEqual(instances.map(() => 'moves'));
});

it.each([
  { budget: 'that wants all pods', least: [2], kind: 'mayBeRefused', why: 'lets none of its 2 pods go now' },
  { budget: 'beside another', least: [0, 0], kind: 'byProject', why: 'evicts no pod that more than one selects' },
] as const)('a budget $budget is told before anybody asks for an eviction', async ({ least, kind, why }) => {
  const { namespace, projectId } = await anApp();
  for (const [index, minAvailable] of least.entries()) {
    await makeBudget(admin, { name: `app-${index}`, namespace, app: 'app', minAvailable });
  }
  const isTold = ({ departure }: CloudInstance): boolean => departure.kind === kind;
  const { instances } = await untilSeen(projectId, (seen) => seen.instances.every(isTold));
  const told = { departure: { because: expect.stringContaining(why) as string } };
  expect(instances).toMatchObject([told, told]);
});

it('count a pod that was evicted until the next one is Ready', async () => {
  const { projectId } = await anApp({ annotations: { 'sim/start-delay': '2s' } });
  const awayIn = ({ groups: [group] }: Seen) => group?.members?.filter(({ kind }) => kind === 'away').length;
  const seen = await untilSeen(projectId, (all) => awayIn(all) === 0);
  const [pod] = seen.instances;
  const { instanceId, host: source } = pod!;
  const evictedMs = Date.now();
  await driver.startMove({ claimId: randomUUID(), instanceId, action: 'EVICTION', source, target: '' });
  await untilSeen(projectId, ({ instances }) => instances.every((one) => one.instanceId !== instanceId));
  await untilSeen(projectId, (all) => awayIn(all) === 1);
  const { groups } = await untilSeen(projectId, (all) => awayIn(all) === 0);
  // Its recovery begins when it is Ready: the API server writes whole seconds.
  const since = groups[0]?.members?.flatMap((one) => (one.kind === 'serves' ? [one.sinceMs] : [])) ?? [];
  expect(Math.max(...since)).toBeGreaterThan(evictedMs);
});

it('that are stored for a pod of a StatefulSet go over to the next pod of its name', async () => {
  const namespace = `limits-${(count += 1)}`;
  const projectId = await makeNamespace(admin, namespace);
  await makeStatefulSet(admin, { name: 'store', namespace });
  const [pod] = await runningPods(admin, { name: 'store', namespace });
  const { instances } = await untilSeen(projectId, (seen) => seen.instances.length === 1);
  const former = { instanceId: uidOf(pod!), instanceName: 'store-0', projectId };
  const terms = { groupId: randomUUID(), migrationType: 'EVICTION', resourceMitigation: false, leadTime: 60 };
  const constraints = { ...former, ...terms, maxInterruptionTime: 60 };
  const write = { kind: 'instance', constraints, writer: { kind: 'admin' }, isOwnGroup: false } as const;
  await writeConstraints(database.db, [write]);
  expect(await passOnConstraints(database.db, instances)).toEqual([]);
  const move = { claimId: randomUUID(), instanceId: former.instanceId, action: 'EVICTION', target: '' } as const;
  await driver.startMove({ ...move, source: instances[0]!.host });
  const after = await untilSeen(projectId, (seen) =>
    seen.instances.some((one) => one.instanceId !== former.instanceId),
  );
  const [{ instanceId } = former] = after.instances;
  expect(await passOnConstraints(database.db, after.instances)).toEqual([{ from: former.instanceId, to: instanceId }]);
  expect(await findInstanceConstraints(database.db, idOf(instanceId))).toMatchObject({ leadTime: 60 });
});

it('raise the least of an autoscaler while the only pod leaves, and another process sets it back', async () => {
  const namespace = `limits-${(count += 1)}`;
  await makeNamespace(admin, namespace);
  const app = { name: 'app', namespace };
  await makeDeployment(admin, { ...app, onWorkload: { [annotationNames.surge]: 'true' } });
  const [pod] = await runningPods(admin, app);
  await makeBudget(admin, { ...app, app: 'app', minAvailable: 1 });
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'app' };
  await admin.create(autoscalers, { metadata: app, spec: { scaleTargetRef, minReplicas: 1, maxReplicas: 2 } });
  const least = async () => (await admin.get(autoscalers, app))?.spec.minReplicas;
  await driver.listInstances();
  const move = {
    claimId: randomUUID(),
    instanceId: uidOf(pod!),
    action: 'EVICTION',
    source: 'limits-1',
    target: '',
  } as const;
  await eventually('the autoscaler is seen and raised', async () => {
    await driver.startMove(move);
    return (await least()) === 2 || undefined;
  });
  await driver.close(); // killed half-way
  driver = openDriver(database.db, {});
  await driver.watchLeftOvers!();
  expect(await least()).toBe(2);
  await eventually('the pod has left', async () => (await driver.observeMove(move)).kind === 'gone' || undefined);
  await eventually('the least is as before', async () => {
    await driver.watchLeftOvers!();
    return (await least()) === 1 || undefined;
  });
  expect((await admin.get(autoscalers, app))?.metadata.annotations?.[surgedAnnotation]).toBeUndefined();
});
