/** What the kubernetes driver sees and does, on a real API server with the rights of the service alone. */
import { randomUUID } from 'node:crypto';
import type { MoveRequest, MoveStatus } from '../../clouds/cloud-driver';
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { volumeClaims, volumes } from '../../clouds/kubernetes/objects/others';
import { pods, uidOf } from '../../clouds/kubernetes/objects/pods';
import { whyByProject } from '../../rules/cloud/departure';
import { createTestDatabase } from '../integration/setup/test-database';
import { eventually } from '../waiting/eventually';
import { testKubernetes } from './rig/addresses';
import { openDriver } from './rig/driver-under-test';
import {
  attachVolume,
  detachVolume,
  makeBarePod,
  makeBudget,
  makeDeployment,
  makeNamespace,
  makeNodes,
  makeReplicaSet,
  runningPods,
} from './rig/operator';
import { clientOf } from './rig/start-kubernetes';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: ReturnType<typeof clientOf>;
let driver: ReturnType<typeof openDriver>;
const opened: { close(): Promise<void> }[] = [];
const [one, two, control] = ['driver-1', 'driver-2', 'driver-control'];

const open = (environment: Readonly<Record<string, string>> = {}) => {
  const further = openDriver(database.db, environment);
  opened.push(further);
  return further;
};

beforeAll(async () => {
  database = await createTestDatabase();
  admin = clientOf(testKubernetes().adminKubeconfig);
  driver = open();
  const role = 'node-role.kubernetes.io/control-plane';
  await makeNodes(
    admin,
    { name: one, labels: { disk: 'ssd' } },
    { name: two },
    { name: control, labels: { [role]: '' }, taints: [{ key: role, effect: 'NoSchedule' }] },
  );
});

afterAll(async () => {
  await Promise.all(opened.map((each) => each.close()));
  for (const name of [one, two, control]) await admin.delete(nodes, { name });
  await admin.close();
  await database.drop();
});

let count = 0;
const aNamespace = async (): Promise<{ name: string; uid: string }> => {
  const name = `driver-${(count += 1)}`;
  return { name, uid: await makeNamespace(admin, name) };
};

const aMove = (instanceId: string, given: Partial<MoveRequest> = {}): MoveRequest => ({
  claimId: randomUUID(),
  instanceId,
  action: 'EVICTION',
  source: one,
  target: '',
  ...given,
});

const untilOver = (move: MoveRequest): Promise<MoveStatus> =>
  eventually({ what: 'the move is over', pollMs: 200 }, async () => {
    const status = await driver.observeMove(move);
    return status.kind === 'running' ? undefined : status;
  });

it('has all the rights that it asks for, and names one that is missing', async () => {
  expect(await driver.missingRights()).toEqual([]);
  expect(await driver.missingRights({ forced: 'delete' })).toMatchObject([{ rule: 'delete pods' }]);
  const forcing = open({ PARLEY_KUBERNETES_FORCED: 'delete' });
  expect(await forcing.missingRights()).toMatchObject([{ rule: 'delete pods', severity: 'limits' }]);
});

describe('instances', () => {
  it('are pods of workloads in their namespace, grouped by the workload that people know', async () => {
    const { name: namespace, uid } = await aNamespace();
    await makeDeployment(admin, { name: 'web', namespace, replicas: 2, spec: { nodeSelector: { disk: 'ssd' } } });
    const running = await runningPods(admin, { name: 'web', namespace, replicas: 2 });
    const ids = running.map(uidOf).sort();
    const mine = await eventually('both are seen to run', async () => {
      const found = (await driver.listInstances()).filter(({ projectId }) => projectId === uid);
      return found.filter(({ state }) => state === 'Running').length === 2 ? found : undefined;
    });
    expect(mine.map(({ instanceId }) => instanceId).sort()).toEqual(ids);
    expect(mine[0]).toMatchObject({ host: one, flavor: 'Deployment web' });
    const group = (await driver.listGroups()).find(({ projectId }) => projectId === uid)!;
    expect(group).toMatchObject({ groupName: 'Deployment web', antiAffinity: false });
    expect([...group.instanceIds].sort()).toEqual(ids);
    expect([...(await driver.projectNames!([uid]))]).toEqual([[uid, namespace]]);
  });

  it('are told apart by what they need of a node', async () => {
    const { name: namespace } = await aNamespace();
    await makeReplicaSet(admin, { name: 'bound', namespace, spec: { nodeSelector: { disk: 'ssd' } } });
    const [pod] = await runningPods(admin, { name: 'bound', namespace });
    const { needs = '' } = (await driver.findInstance(uidOf(pod!)))!;
    const offers = new Map((await driver.listHosts()).map((host) => [host.name, host.offers ?? '']));
    expect(driver.whyNot(needs, offers.get(one)!)).toBeUndefined();
    expect(driver.whyNot(needs, offers.get(two)!)).toBe('label disk=ssd');
  });

  it('are bound to the nodes that reach their volumes', async () => {
    const { name: namespace } = await aNamespace();
    const term = { matchExpressions: [{ key: 'kubernetes.io/hostname', operator: 'In', values: [one] }] };
    const size = { storage: '1Gi' };
    const local = {
      local: { path: '/data' },
      accessModes: ['ReadWriteOnce'],
      capacity: size,
      storageClassName: 'none',
    };
    const nodeAffinity = { required: { nodeSelectorTerms: [term] } };
    const volume = await admin.create(volumes, { metadata: { name: namespace }, spec: { ...local, nodeAffinity } });
    const claim = { accessModes: ['ReadWriteOnce'], storageClassName: 'none', resources: { requests: size } };
    const spec = { ...claim, volumeName: volume.metadata.name };
    await admin.create(volumeClaims, { metadata: { name: 'data', namespace }, spec });
    const uses = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
    await makeReplicaSet(admin, { name: 'store', namespace, spec: uses });
    const [pod] = await runningPods(admin, { name: 'store', namespace });
    const needs = await eventually('its volume is seen', async () => (await driver.findInstance(uidOf(pod!)))?.needs);
    const other = (await driver.listHosts()).find((host) => host.name === two)!;
    expect(driver.whyNot(needs, other.offers ?? '')).toBe(`label kubernetes.io/hostname In (${one})`);
  });

  it('are neither pods of a DaemonSet, nor mirror pods, nor pods that have ended', async () => {
    const { name: namespace, uid } = await aNamespace();
    const template = {
      metadata: { labels: { app: 'agent' } },
      spec: { containers: [{ name: 'main', image: 'none.invalid/agent', resources: { requests: { cpu: '50m' } } }] },
    };
    const body = {
      metadata: { name: 'agent', namespace },
      spec: { selector: { matchLabels: { app: 'agent' } }, template },
    };
    const daemonSets = `/apis/apps/v1/namespaces/${namespace}/daemonsets`;
    await admin.call({ method: 'POST', path: daemonSets, body });
    const mirror = { 'kubernetes.io/config.mirror': '1', 'kubernetes.io/config.source': 'file' };
    await makeBarePod(admin, { name: 'mirror', namespace, annotations: mirror, spec: { nodeName: one } });
    const ends = { 'sim/runs-for': '10ms' };
    await makeBarePod(admin, { name: 'ended', namespace, annotations: ends, spec: { restartPolicy: 'Never' } });
    await eventually('one has ended, and the agent takes of the host', async () => {
      const { items } = await admin.list(pods, { namespace });
      const host = (await driver.listHosts()).find(({ name }) => name === two);
      const hasEnded = items.some(({ status }) => status?.phase === 'Succeeded');
      return (hasEnded && host?.amounts['cpu_millicores'] === 7950) || undefined;
    });
    expect((await driver.listInstances()).filter(({ projectId }) => projectId === uid)).toEqual([]);
    await admin.call({ method: 'DELETE', path: `${daemonSets}/agent` });
  });

  it('that would be lost for good are kept, unless the settings say otherwise', async () => {
    const { name: namespace } = await aNamespace();
    const bare = await makeBarePod(admin, { name: 'bare', namespace, spec: { nodeName: one } });
    const scratch = { volumes: [{ name: 'scratch', emptyDir: {} }] };
    await makeReplicaSet(admin, { name: 'scratch', namespace, spec: scratch });
    const [local] = await runningPods(admin, { name: 'scratch', namespace });
    expect(whyByProject((await driver.findInstance(uidOf(bare)))!)).toContain('no controller makes this pod again');
    expect(whyByProject((await driver.findInstance(uidOf(local!)))!)).toContain(
      'volume scratch (emptyDir) would be lost',
    );
    await expect(driver.startMove(aMove(uidOf(bare)))).rejects.toThrow('no controller makes this pod again');
    const careless = open({ PARLEY_KUBERNETES_UNMANAGED_PODS: 'delete', PARLEY_KUBERNETES_LOCAL_DATA: 'delete' });
    expect(await careless.findInstance(uidOf(bare))).toMatchObject({ departure: { kind: 'moves' } });
    expect(await careless.findInstance(uidOf(local!))).toMatchObject({ departure: { kind: 'moves' } });
  });
});

describe('an eviction', () => {
  const aPodUnder = async (...minAvailable: readonly number[]) => {
    const { name: namespace } = await aNamespace();
    await makeReplicaSet(admin, { name: 'app', namespace });
    const [pod] = await runningPods(admin, { name: 'app', namespace });
    for (const [index, least] of minAvailable.entries()) {
      await makeBudget(admin, { name: `budget-${index}`, namespace, app: 'app', minAvailable: least });
    }
    return { namespace, instanceId: uidOf(pod!), pod: pod! };
  };

  it('that a budget refuses names the budget, and goes through when the budget allows it', async () => {
    const { namespace, instanceId } = await aPodUnder(1);
    const move = aMove(instanceId);
    await driver.startMove(move);
    expect(await driver.observeMove(move)).toMatchObject({
      ...{ kind: 'running', isQueued: true },
      progress: expect.stringContaining('The disruption budget budget-0 needs 1 healthy pods and has 1') as string,
    });
    const scale = `/apis/apps/v1/namespaces/${namespace}/replicasets/app/scale`;
    const patch = { method: 'PATCH', path: scale, contentType: 'application/merge-patch+json' } as const;
    await admin.call({ ...patch, body: { spec: { replicas: 2 } } });
    expect(await untilOver(move)).toEqual({ kind: 'gone' });
  });

  it('of a pod under two budgets fails at once, and says what would help', async () => {
    const { instanceId } = await aPodUnder(0, 0);
    const move = aMove(instanceId);
    await driver.startMove(move);
    expect(await untilOver(move)).toMatchObject({
      kind: 'failed',
      reason: expect.stringContaining('leave one budget that selects it') as string,
    });
  });

  it('that is not allowed past its budget fails with its reason when it is forced, and the pod stays', async () => {
    const { namespace, instanceId } = await aPodUnder(1);
    const move = aMove(instanceId);
    await driver.startMove(move);
    expect(await driver.forceMove(move)).toMatchObject({
      kind: 'failed',
      reason: expect.stringMatching(/budget-0 needs 1 .*unless the session says so .eviction.forced/) as string,
    });
    expect((await runningPods(admin, { name: 'app', namespace })).map(uidOf)).toEqual([instanceId]);
  });

  it('leaves a pod of the same name with another UID alone', async () => {
    const { instanceId, pod, namespace } = await aPodUnder();
    const stalls = aMove(instanceId);
    await makeBudget(admin, { name: 'stalls', namespace, app: 'app', minAvailable: 1 });
    await driver.startMove(stalls);
    const { name } = pod.metadata;
    await admin.delete(pods, { namespace, name }, { gracePeriodSeconds: 0 });
    expect(await untilOver(stalls)).toEqual({ kind: 'gone' });
    await runningPods(admin, { name: 'app', namespace });
  });

  it('that was accepted cannot be taken back', async () => {
    const { name: namespace } = await aNamespace();
    await makeReplicaSet(admin, { name: 'slow', namespace, annotations: { 'sim/stop-delay': '3s' } });
    const [pod] = await runningPods(admin, { name: 'slow', namespace });
    const move = aMove(uidOf(pod!));
    await driver.startMove(move);
    expect((await driver.abortMove(move)).kind).toBe('running');
    expect(await untilOver(move)).toEqual({ kind: 'gone' });
  });
});

it('a host without pods is not empty while a volume is attached to it, for as long as the setting says', async () => {
  const uid = await attachVolume(admin, control);
  const impatient = open({ PARLEY_KUBERNETES_DETACH_SECONDS: '0' });
  expect((await driver.whatIsOn(control)).doubts).toMatchObject([{ owner: 'operator' }]);
  expect((await impatient.whatIsOn(control)).doubts).toEqual([]);
  await detachVolume(admin, uid);
  expect(await driver.whatIsOn(control)).toEqual({ instances: [], doubts: [] });
});

it('a host that is gone is in doubt, not empty', async () => {
  expect((await driver.whatIsOn('no-such-node')).doubts).toMatchObject([{ owner: 'operator' }]);
});
