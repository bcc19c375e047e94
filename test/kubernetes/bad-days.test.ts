/** What goes wrong around evictions, on a real API server: each refusal is told apart, and every watch goes on. */
import { randomUUID } from 'node:crypto';
import type { MoveRequest, MoveStatus } from '../../clouds/cloud-driver';
import { type KubernetesClient, withQuery } from '../../clouds/kubernetes/client/kubernetes-client';
import type { KubernetesError } from '../../clouds/kubernetes/client/kubernetes-error';
import { follow } from '../../clouds/kubernetes/client/watch';
import { nodes } from '../../clouds/kubernetes/objects/nodes';
import { daemonSets, namespaces, nodeMaintenances } from '../../clouds/kubernetes/objects/others';
import { type Pod, pods, uidOf } from '../../clouds/kubernetes/objects/pods';
import { createTestDatabase } from '../integration/setup/test-database';
import { eventually } from '../waiting/eventually';
import { openRelay, type Relay } from './compare/count-traffic';
import { testKubernetes } from './rig/addresses';
import { openDriver } from './rig/driver-under-test';
import {
  makeBudget,
  makeDaemonSet,
  makeNamespace,
  makeNodes,
  makeReplicaSet,
  removeBudget,
  runningPods,
} from './rig/operator';
import { startRefusingWebhook } from './rig/refusing-webhook';
import { makeEvictionsScarce } from './rig/scarce-evictions';
import { clientOf, killApiServer, whileStopped } from './rig/start-kubernetes';

const host = 'bad-days-1';
let database: Awaited<ReturnType<typeof createTestDatabase>>;
let admin: KubernetesClient;
let asService: KubernetesClient;
let relay: Relay;
let driver: ReturnType<typeof openDriver>;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = clientOf(testKubernetes().adminKubeconfig);
  asService = clientOf(testKubernetes().serviceKubeconfig);
  relay = await openRelay(testKubernetes().serviceKubeconfig);
  driver = openDriver(database.db, { KUBECONFIG: relay.kubeconfig });
  await makeNodes(admin, { name: host });
});

afterAll(async () => {
  await driver.close();
  relay.close();
  await admin.delete(nodes, { name: host });
  await Promise.all([admin.close(), asService.close()]);
  await database.drop();
});

let count = 0;
/** A pod in a namespace of its own. */
const aPod = async (annotations: Readonly<Record<string, string>> = {}): Promise<Pod> => {
  const namespace = `bad-days-${(count += 1)}`;
  await makeNamespace(admin, namespace);
  await makeReplicaSet(admin, { name: 'app', namespace, annotations, spec: { nodeName: host } });
  const [pod] = await runningPods(admin, { name: 'app', namespace });
  return pod!;
};

const moveOf = (pod: Pod): MoveRequest => ({
  ...{ claimId: randomUUID(), instanceId: uidOf(pod), action: 'EVICTION', source: host, target: '' },
});

const until = (move: MoveRequest, kind: MoveStatus['kind'], words = ''): Promise<MoveStatus> =>
  eventually({ what: `the move is ${kind} ${words}`, pollMs: 200 }, async () => {
    const status = await driver.observeMove(move);
    return status.kind === kind && JSON.stringify(status).includes(words) ? status : undefined;
  });

const evict = ({ metadata: { name, namespace = '' } }: Pod, query: Readonly<Record<string, string>> = {}) => {
  const path = withQuery(`${pods.pathIn(namespace)}/${name}/eviction`, query);
  const body = { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace } };
  return asService.call({ method: 'POST', path, body }, 1);
};

/** Asks without an effect. */
const whyRefused = (pod: Pod): Promise<KubernetesError | undefined> =>
  evict(pod, { dryRun: 'All' }).then(
    () => undefined,
    (error: unknown) => error as KubernetesError,
  );

/** The API server takes a moment to notice a change of what it admits. */
const untilEvictionsAre = (pod: Pod, refusal: string | undefined) =>
  eventually(`evictions are refused by ${refusal ?? 'nobody'}`, async () => {
    const said = (await whyRefused(pod))?.message;
    return (refusal === undefined ? said === undefined : said?.includes(refusal)) || undefined;
  });

it.each([
  {
    webhook: 'that denies on purpose',
    ...{ code: 403, message: 'the operator of this database moves it itself' },
    words: 'denies it: the operator of this database moves it itself',
  },
  {
    webhook: 'that moves a virtual machine',
    ...{ code: 429, message: 'Eviction triggered evacuation of VMI "web/vm"' },
    words: 'moves its virtual machine: Eviction triggered evacuation of VMI',
  },
])('a webhook $webhook is named, and the pod stays', async ({ code, message, words }) => {
  const pod = await aPod();
  const webhook = await startRefusingWebhook(admin, { namespace: pod.metadata.namespace ?? '', code, message });
  await untilEvictionsAre(pod, message.split('"')[0]);
  const move = moveOf(pod);
  await driver.startMove(move);
  await until(move, 'running', `webhook ${webhook.name} ${words}`);
  expect((await driver.abortMove(move)).kind).toBe('failed');
  await webhook.close();
  expect((await driver.findInstance(uidOf(pod)))?.state).toBe('Running');
});

it('priority and fairness is told apart from a budget, and obeyed', async () => {
  const [slow, pod] = [await aPod(), await aPod()];
  const answer = Promise.withResolvers<undefined>();
  const { namespace = '' } = slow.metadata;
  const refusal = { namespace, code: 403, message: 'it took long', after: answer.promise };
  const webhook = await startRefusingWebhook(admin, refusal);
  const stopScarcity = await makeEvictionsScarce(admin);
  // One of these has the only seat for as long as its webhook thinks.
  const first = untilEvictionsAre(slow, refusal.message);
  await webhook.asked;
  const move = moveOf(pod);
  await driver.startMove(move);
  await until(move, 'running', 'the API server takes no more requests for now');
  const { nextTryAt } = await database.db.kubernetesMove.findFirstOrThrow({ where: { claimId: move.claimId } });
  const waitsMs = nextTryAt.getTime() - Date.now();
  const error = await whyRefused(pod);
  expect(error).toMatchObject({ status: 429, details: { retryAfterSeconds: expect.any(Number) as number } });
  expect(waitsMs).toBeLessThanOrEqual(1_000 * (error?.details.retryAfterSeconds ?? 0)); // a budget is asked after 2 s
  answer.resolve(undefined);
  await first;
  expect(await until(move, 'gone')).toEqual({ kind: 'gone' });
  await stopScarcity();
  await webhook.close();
});

it('a namespace that is deleted ends its pods by itself', async () => {
  const pod = await aPod();
  const name = pod.metadata.namespace ?? '';
  const move = moveOf(pod);
  // As in the seconds before the controller ends the pods.
  await whileStopped(testKubernetes().adminKubeconfig, 'kube-controller-manager', async () => {
    await admin.delete(namespaces, { name });
    await driver.startMove(move);
    await until(move, 'running', `namespace ${name} is being terminated`);
  });
  expect(await until(move, 'gone')).toEqual({ kind: 'gone' });
});

it.each([
  { what: 'connections that are cut', happens: () => relay.cut() },
  { what: 'an API server that is killed', happens: () => killApiServer(testKubernetes().adminKubeconfig) },
])('goes on after $what: the eviction in flight ends, and new pods are seen', async ({ happens }) => {
  const pod = await aPod({ 'sim/stop-delay': '2s' });
  const move = moveOf(pod);
  await driver.startMove(move);
  await until(move, 'running');
  happens();
  expect(await until(move, 'gone')).toEqual({ kind: 'gone' });
  const next = await eventually('the API server answers', () => aPod());
  await eventually('the watch tells of the new pod', async () => {
    const instances = await driver.listInstancesLately(host);
    return instances.some(({ instanceId }) => instanceId === uidOf(next)) || undefined;
  });
});

it('goes on where an API server says nothing any more', async () => {
  const silent = await openRelay(testKubernetes().serviceKubeconfig);
  const quick = openDriver(database.db, { KUBECONFIG: silent.kubeconfig, PARLEY_KUBERNETES_TIMEOUT_SECONDS: '1' });
  const client = clientOf(silent.kubeconfig);
  const end = new AbortController();
  const seen = new Set<string>();
  const see = (pod: Pod): void => void seen.add(uidOf(pod));
  const follower = { listed: (items: readonly Pod[]) => items.forEach(see), put: see, drop: () => undefined };
  const followed = follow(client, pods, { follower, signal: end.signal, quietMs: 1_000 });
  const pod = await aPod({ 'sim/stop-delay': '2s' });
  const move = moveOf(pod);
  await quick.startMove(move);
  await eventually('the watch tells of the pod', () => Promise.resolve(seen.has(uidOf(pod)) || undefined));
  silent.silence();
  await eventually('the pod is gone', async () => (await quick.observeMove(move)).kind === 'gone' || undefined);
  const next = await aPod();
  await eventually('the watch tells of the next pod', () => Promise.resolve(seen.has(uidOf(next)) || undefined));
  end.abort();
  await followed;
  await Promise.all([quick.close(), client.close()]);
  silent.close();
});

// After its restart, the API server knows no earlier state.
it('a watch that began too early is begun anew with a list', async () => {
  let isFirst = true;
  const early: KubernetesClient = {
    ...asService,
    open(call, options) {
      const path = isFirst ? call.path.replace(/resourceVersion=\d+/, 'resourceVersion=1') : call.path;
      isFirst = false;
      return asService.open({ ...call, path }, options);
    },
  };
  const end = new AbortController();
  let lists = 0;
  const seen = new Set<string>();
  const follower = {
    listed: (items: readonly Pod[]) => {
      lists += 1;
      for (const pod of items) seen.add(uidOf(pod));
    },
    put: (pod: Pod) => void seen.add(uidOf(pod)),
    drop: () => undefined,
  };
  const followed = follow(early, pods, { follower, signal: end.signal });
  const pod = await aPod();
  try {
    await eventually('the pod is seen after a second list', () =>
      Promise.resolve((lists === 2 && seen.has(uidOf(pod))) || undefined),
    );
  } finally {
    end.abort();
    await followed;
  }
});

it('the Node Maintenance Operator that comes in the middle holds evictions until it is done', async () => {
  const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const [plural, kind, group] = ['nodemaintenances', 'NodeMaintenance', 'nodemaintenance.medik8s.io'];
  const schema = { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } };
  const spec = {
    ...{ group, scope: 'Cluster', names: { plural, kind, singular: 'nodemaintenance', listKind: `${kind}List` } },
    versions: [{ name: 'v1beta1', served: true, storage: true, schema }],
  };
  const metadata = { name: `${plural}.${group}` };
  await admin.call({ method: 'POST', path: definitions, body: { metadata, spec } });
  const pod = await aPod();
  const namespace = pod.metadata.namespace ?? '';
  await makeBudget(admin, { name: 'app', namespace, app: 'app', minAvailable: 1 });
  const move = moveOf(pod);
  await driver.startMove(move);
  await until(move, 'running', 'budget app');
  const { metadata: made } = await eventually('the kind is served', () =>
    admin.create(nodeMaintenances, { metadata: { name: 'patch' }, spec: { nodeName: host, reason: 'new disk' } }),
  );
  const held = await until(move, 'running', 'the Node Maintenance Operator has host bad-days-1 in maintenance');
  expect(held).toMatchObject({ heldUpSince: new Date(made.creationTimestamp ?? '') });
  await removeBudget(admin, namespace, 'app');
  expect((await driver.whatIsOn(host)).doubts).toMatchObject([{ help: expect.stringContaining('patch') as string }]);
  await admin.delete(nodeMaintenances, { name: 'patch' });
  expect(await until(move, 'gone')).toEqual({ kind: 'gone' });
  await admin.call({ method: 'DELETE', path: `${definitions}/${metadata.name}` });
});

it('a lock of kured that comes in the middle holds evictions until it is released', async () => {
  const pod = await aPod();
  const namespace = pod.metadata.namespace ?? '';
  await makeBudget(admin, { name: 'app', namespace, app: 'app', minAvailable: 1 });
  await makeDaemonSet(admin, { name: 'kured', namespace, spec: { nodeSelector: { nowhere: '' } } });
  const setLock = (lock: string | null) => {
    const patch = { metadata: { annotations: { 'weave.works/kured-node-lock': lock } } };
    return admin.patch(daemonSets, { name: 'kured', namespace }, { patch, type: 'merge' });
  };
  const move = moveOf(pod);
  await driver.startMove(move);
  await until(move, 'running', 'budget app');
  await setLock(JSON.stringify({ nodeID: host, metadata: { unschedulable: false }, created: '2026-01-01', TTL: 0 }));
  await until(move, 'running', `kured is at work on host ${host} (lock on DaemonSet ${namespace}/kured)`);
  await removeBudget(admin, namespace, 'app');
  expect(await driver.observeMove(move)).toMatchObject({ kind: 'running', isQueued: true });
  await setLock(null);
  expect(await until(move, 'gone')).toEqual({ kind: 'gone' });
});
