/**
 * Nodes and pods that need more than a Ready node: devices whose plug-in registers late, pressure that passes, ports of
 * the node. The test plays the device plug-in and the kubelet.
 */
import type { PlanBody } from '../../api/schemas/plan-schemas';
import { type Node, nodes } from '../../clouds/kubernetes/objects/nodes';
import { csiNodes, resourceSlices } from '../../clouds/kubernetes/objects/others';
import { isPodReady, pods } from '../../clouds/kubernetes/objects/pods';
import type { ActionPlugin } from '../../plugins/actions/action-plugin';
import { anAdmin } from '../integration/rig/admin';
import { type Rig, startRig } from '../integration/rig/rig';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { serviceEnvironment } from './rig/driver-under-test';
import { makeDeployment, makeNamespace, makeNodes, type PodTemplate, runningPods } from './rig/operator';
import { clientOf } from './rig/start-kubernetes';

const namespace = 'as-it-was';
const named = (part: string, count: number) => Array.from({ length: count }, (_, at) => `as-it-was-${part}-${at + 1}`);
const [gpus, edges, crowded] = [named('gpu', 2), named('edge', 3), named('crowded', 2)];
const taint = { key: 'as-it-was.test/only', effect: 'NoSchedule' };
const gpu = 'nvidia.com/gpu';
const agentTaint = { key: 'network.test/agent-not-ready', effect: 'NoExecute' };

const on = (part: string, more: Readonly<Record<string, unknown>> = {}) => ({
  nodeSelector: { part },
  tolerations: [{ key: taint.key, operator: 'Exists' }],
  ...more,
});
const container = (more: Readonly<Record<string, unknown>>) => ({ name: 'main', image: 'none.invalid/app', ...more });
const train: PodTemplate = {
  ...{ name: 'train', namespace, replicas: 1 },
  spec: on('gpu', { containers: [container({ resources: { requests: { [gpu]: '8' }, limits: { [gpu]: '8' } } })] }),
};
const ingress: PodTemplate = {
  ...{ name: 'ingress', namespace, replicas: edges.length },
  spec: on('edge', { containers: [container({ ports: [{ containerPort: 8080, hostPort: 8080 }] })] }),
};
/** Two of them fill a node of 8 cores; what they request, they request as a whole. */
const large: PodTemplate = {
  ...{ name: 'large', namespace, replicas: 2 },
  spec: on('crowded', { containers: [container({})], resources: { requests: { cpu: '3500m', memory: '1Gi' } } }),
};

let admin: ReturnType<typeof clientOf>;
let rig: Rig;

const setStatus = (name: string, status: object) =>
  admin.patch(nodes, { name }, { patch: { status }, type: 'strategic', subresource: 'status' });
const setGpus = (name: string, count: string) =>
  setStatus(name, { capacity: { [gpu]: count }, allocatable: { [gpu]: count } });
const setPressure = (name: string, status: string) =>
  setStatus(name, {
    conditions: [{ type: 'DiskPressure', status, reason: 'Kubelet', lastTransitionTime: new Date().toISOString() }],
  });
const hasTaint = async (name: string, key: string) =>
  ((await admin.get(nodes, { name })) as Node).spec.taints?.some((one) => one.key === key) === true;
const setTaints = (name: string, taints: readonly object[]) =>
  admin.patch(nodes, { name }, { patch: { spec: { taints } }, type: 'merge' });

/** As its kubelet writes them when the drivers of CSI and DRA register. */
const setDrivers = async (name: string, areThere: boolean): Promise<void> => {
  const drivers = areThere ? [{ name: 'disk.test', nodeID: name, allocatable: { count: 25 } }] : [];
  await admin.patch(csiNodes, { name }, { patch: { spec: { drivers } }, type: 'merge' });
  if (!areThere) {
    await admin.delete(resourceSlices, { name });
    return;
  }
  const pool = { name, generation: 1, resourceSliceCount: 1 };
  const spec = { driver: 'dra.test', nodeName: name, pool, devices: [{ name: 'one' }, { name: 'two' }] };
  await admin.create(resourceSlices, { metadata: { name }, spec });
};

/** After a reboot the kubelet is Ready before the device plug-in and the agent of the network are there. */
const reboots: ActionPlugin = {
  name: 'reboots',
  async run({ host }) {
    await setGpus(host!.name, '0');
    await setDrivers(host!.name, false);
    await setTaints(host!.name, [taint, agentTaint]);
    return { state: null };
  },
};

beforeAll(async () => {
  admin = clientOf(testKubernetes().adminKubeconfig);
  const nodesOf = (names: readonly string[], part: string) =>
    names.map((name) => ({ name, labels: { part }, taints: [taint] }));
  await makeNodes(admin, ...nodesOf(gpus, 'gpu'), ...nodesOf(edges, 'edge'), ...nodesOf(crowded, 'crowded'));
  for (const name of gpus) {
    await setGpus(name, '8');
    await admin.create(csiNodes, { metadata: { name }, spec: { drivers: [] } });
    await setDrivers(name, true);
  }
  await makeNamespace(admin, namespace);
  for (const each of [train, ingress]) await makeDeployment(admin, each);
  for (const each of [train, ingress]) await runningPods(admin, each);
  rig = await startRig({ environment: serviceEnvironment(), actionPlugins: [reboots] });
});

afterAll(async () => {
  await rig.stop();
  for (const name of gpus) await admin.delete(csiNodes, { name });
  for (const name of gpus) await admin.delete(resourceSlices, { name });
  for (const name of [...gpus, ...edges, ...crowded]) await admin.delete(nodes, { name });
  await admin.close();
});

const planOf = async (request: Readonly<Record<string, unknown>>) => {
  const start = { state: 'MAINTENANCE', maintenance_at: '2026-01-01 00:00:00', metadata: {}, workflow: 'k8s' };
  const { body } = await anAdmin(rig.url).call('POST', '/maintenance/plan', { ...start, ...request });
  return body as PlanBody;
};

it('a GPU node is back when its GPUs are there and no new taint keeps pods away, and not before', async () => {
  const service = anAdmin(rig.url);
  const actions = [{ plugin: 'reboots', type: 'host' }];
  const sessionId = await service.create({ hosts: gpus, workflow: 'k8s', actions });
  const back = new Set<string>();
  for (const count of gpus.keys()) {
    const { who, because } = await service.untilReason(
      sessionId,
      ({ waiting_for, who: name, because: why }) =>
        waiting_for === 'start' && !back.has(name) && why?.includes('gpu') === true,
    );
    expect(because).toContain(`it offers 0 of 8 ${gpu}`);
    expect(because).toContain('it offers 0 of 25 volumes of CSI driver disk.test');
    expect(because).toContain('it offers 0 of 2 devices of driver dra.test');
    expect(because).toContain('it keeps instances away by taint network.test/agent-not-ready:NoExecute');
    expect((await service.detail(sessionId)).percent_done).toBe(50 * count);
    back.add(who);
    await setTaints(who, [taint]);
    await setGpus(who, '8');
    await setDrivers(who, true);
    await eventually({ what: `${who} is maintained`, ...service.watching(sessionId) }, async () => {
      const { hosts } = await service.detail(sessionId);
      return hosts.some(({ hostname, phase }) => hostname === who && phase === 'maintained') || undefined;
    });
  }
  await service.until(sessionId, 'MAINTENANCE_DONE');
});

it('pods with a port of their node leave one at a time, and come back with it', async () => {
  const service = anAdmin(rig.url);
  const { blockers } = await planOf({ hosts: edges });
  expect(blockers.map(({ kind }) => kind)).toContain('members_away_with_host');
  const sessionId = await service.create({ hosts: edges, workflow: 'k8s' });
  let fewest = edges.length;
  await eventually({ what: 'the session is over', ...service.watching(sessionId) }, async () => {
    const { items } = await admin.list(pods, { namespace, labelSelector: `app=${ingress.name}` });
    const ready = items.filter((pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined);
    fewest = Math.min(fewest, ready.length);
    return (await service.stateOf(sessionId)) === 'MAINTENANCE_DONE' || undefined;
  });
  expect(fewest).toBe(edges.length - 1);
});

it('pods wait for room while the only node that has it is under pressure, and the plan says so', async () => {
  const service = anAdmin(rig.url);
  const [from = '', spare = ''] = crowded;
  await setPressure(spare, 'True');
  const key = 'node.kubernetes.io/disk-pressure';
  await eventually('the node has its taint', async () => (await hasTaint(spare, key)) || undefined);
  await makeDeployment(admin, large);
  const before = await runningPods(admin, large);
  expect(before.map(({ spec }) => spec.nodeName)).toEqual([from, from]);
  const { blockers } = await planOf({ hosts: [from] });
  expect(blockers.map(({ because }) => because).join()).toContain(`taint ${key}`);
  const sessionId = await service.create({ hosts: [from], workflow: 'k8s' });
  const { because } = await service.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'room');
  expect(because).toContain(`taint ${key}`);
  expect((await runningPods(admin, large)).map(({ metadata }) => metadata.uid)).toEqual(
    before.map(({ metadata }) => metadata.uid),
  );
  await setPressure(spare, 'False');
  await service.until(sessionId, 'MAINTENANCE_DONE');
  expect((await runningPods(admin, large)).map(({ spec }) => spec.nodeName)).toEqual([spare, spare]);
});

it('a node that somebody else removes is waited for, until an admin has the session ignore the mark', async () => {
  const service = anAdmin(rig.url);
  const [name = ''] = crowded;
  const key = 'ToBeDeletedByClusterAutoscaler';
  const sinceMs = Math.floor(Date.now() / 1000 - 3600) * 1000;
  await setTaints(name, [taint, { key, value: String(sinceMs / 1000), effect: 'NoSchedule' }]);
  const { blockers } = await planOf({ hosts: [name] });
  expect(blockers.map(({ kind }) => kind)).toContain('host_in_doubt');
  const sessionId = await service.create({ hosts: [name], workflow: 'k8s' });
  const reason = await service.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'content');
  expect(reason.because).toContain(`the cluster autoscaler is at work on host ${name}`);
  expect(Date.parse(reason.since ?? '')).toBe(sinceMs);
  const path = `/maintenance/${sessionId}/hosts/${name}/ignore`;
  const { status, body } = await service.call('POST', path);
  expect({ status, body }).toMatchObject({ status: 200, body: { ignored_marks: [key] } });
  // The taint was there before the drain, so the node is back with it.
  await service.until(sessionId, 'MAINTENANCE_DONE');
  await setTaints(name, [taint]);
  expect(await service.call('POST', path)).toMatchObject({ status: 422 });
});

it('a node that is being deleted is waited for, and skipped when it is gone', async () => {
  const service = anAdmin(rig.url);
  const name = 'as-it-was-leaving';
  const finalizers = ['as-it-was.test/drain'];
  await makeNodes(admin, { name, taints: [taint] });
  await admin.patch(nodes, { name }, { patch: { metadata: { finalizers } }, type: 'merge' });
  await admin.delete(nodes, { name });
  const sessionId = await service.create({ hosts: [name], workflow: 'k8s' });
  const reason = await service.untilReason(sessionId, ({ waiting_for }) => waiting_for === 'content');
  expect(reason.because).toContain(`host ${name} is being deleted`);
  await admin.patch(nodes, { name }, { patch: { metadata: { finalizers: null } }, type: 'merge' });
  const { hosts } = await service.until(sessionId, 'MAINTENANCE_DONE');
  expect(hosts).toMatchObject([{ hostname: name, phase: 'skipped' }]);
});
