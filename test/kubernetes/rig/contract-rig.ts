/**
 * The test cluster for the contract suite: four nodes of it. Each instance is a pod in a namespace of its own, pinned
 * to the source. A budget that allows nothing stalls its eviction, and two of them fail it.
 */
import type { CloudDriver } from '../../../clouds/cloud-driver';
import { CloudRefusal } from '../../../clouds/cloud-driver';
import { nodes } from '../../../clouds/kubernetes/objects/nodes';
import { replicaSets } from '../../../clouds/kubernetes/objects/others';
import { type Pod, pods, uidOf } from '../../../clouds/kubernetes/objects/pods';
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import type { CloudRig } from '../../integration/clouds/contract';
import { createTestDatabase } from '../../integration/setup/test-database';
import { testKubernetes } from './addresses';
import { openDriver } from './driver-under-test';
import {
  attachVolume,
  detachVolume,
  makeBudget,
  makeNamespace,
  makeNodes,
  makeReplicaSet,
  removeBudget,
  runningPods,
} from './operator';
import { rbac, serviceUser } from './rights';
import { clientOf } from './start-kubernetes';

const noWayBack = (): Promise<never> => Promise.reject(new Error('a pod that was made again has no way back'));

export const makeKubernetesRig = async (): Promise<CloudRig> => {
  const { db, drop } = await createTestDatabase();
  const admin = clientOf(testKubernetes().adminKubeconfig);
  const [source, target, elsewhere, fullHost] = ['contract-1', 'contract-2', 'contract-3', 'contract-full'] as const;
  await makeNodes(admin, ...[source, target, elsewhere, fullHost].map((name) => ({ name })));
  const namespaceOf = new Map<string, string>();
  const opened: { close(): Promise<void> }[] = [];
  /** Instances whose eviction is held up. */
  const stalled = new Set<string>();
  /** Hosts whose next change is refused. */
  const refusing = new Set<string>();
  /** Those of which further moves are quick again. */
  const quickAgain = new Set<string>();

  const at = (instanceId: string): string => {
    const namespace = namespaceOf.get(instanceId);
    if (namespace === undefined) throw new Error(`the rig made no instance ${instanceId}`);
    return namespace;
  };
  const hasOpenMove = async (instanceId: string): Promise<boolean> =>
    (await db.kubernetesMove.count({ where: { instanceId, status: 'trying' } })) > 0;
  /** A budget holds up the move that runs, and no later one. */
  const letGo = async (instanceId: string): Promise<void> => {
    if (!quickAgain.has(instanceId) || (await hasOpenMove(instanceId))) return;
    quickAgain.delete(instanceId);
    stalled.delete(instanceId);
    await removeBudget(admin, at(instanceId), 'stalls');
  };
  const withOperator = (driver: CloudDriver): CloudDriver => ({
    ...driver,
    async startMove(move) {
      await letGo(move.instanceId);
      return driver.startMove(move);
    },
    async disableHost(host, reason) {
      try {
        await driver.disableHost(host, reason);
      } catch (error) {
        if (error instanceof CloudRefusal && refusing.delete(host)) await refuseChanges(admin, host, false);
        throw error;
      }
    },
  });

  let count = 0;
  await makeRefusingPolicy(admin);
  return {
    openDriver() {
      const driver = openDriver(db, { PARLEY_KUBERNETES_FORCED: 'delete' });
      opened.push(driver);
      return withOperator(driver);
    },
    source,
    target,
    elsewhere,
    fullHost,
    async addInstance(): Promise<CloudInstance> {
      const name = `contract-${(count += 1)}`;
      const projectId = await makeNamespace(admin, name);
      await allowDeletion(admin, name);
      await makeReplicaSet(admin, { name, namespace: name, spec: { nodeName: source } });
      const [pod] = await runningPods(admin, { name, namespace: name });
      namespaceOf.set(uidOf(pod!), name);
      return instanceOf(pod!, { projectId, host: source });
    },
    addInstanceApart: noWayBack,
    async stall(instanceId) {
      const namespace = at(instanceId);
      await makeBudget(admin, { name: 'stalls', namespace, app: namespace, minAvailable: 1 });
      stalled.add(instanceId);
    },
    unstall(instanceId) {
      quickAgain.add(instanceId);
      return letGo(instanceId);
    },
    async failNextMove(instanceId) {
      const namespace = at(instanceId);
      if (stalled.has(instanceId)) {
        await forbidDeletion(admin, namespace); // the next one is forced
        return;
      }
      for (const name of ['one', 'other'])
        await makeBudget(admin, { name, namespace, app: namespace, minAvailable: 0 });
    },
    deleteInstance: (instanceId) => removeWithOwner(admin, at(instanceId)),
    actAsProject: (instanceId) => removeWithOwner(admin, at(instanceId)),
    refuseNextDisable(host) {
      refusing.add(host);
      return refuseChanges(admin, host, true);
    },
    leaveWayBack: noWayBack,
    confirm: noWayBack,
    bookHidden: (host) => attachVolume(admin, host),
    unbook: (uid) => detachVolume(admin, uid),
    countMoves: (instanceId) => db.kubernetesMove.count({ where: { instanceId } }),
    async close() {
      await Promise.all(opened.map((driver) => driver.close()));
      for (const name of [source, target, elsewhere, fullHost]) await admin.delete(nodes, { name });
      await admin.close();
      await drop();
    },
  };
};

const instanceOf = (pod: Pod, { projectId, host }: Pick<CloudInstance, 'projectId' | 'host'>): CloudInstance => ({
  instanceId: uidOf(pod),
  instanceName: pod.metadata.name,
  projectId,
  host,
  flavor: `ReplicaSet ${pod.metadata.labels?.['app'] ?? ''}`,
  amounts: { cpu_millicores: 100, memory_mib: 64, pods: 1 },
  state: 'Running',
  departure: { kind: 'moves', place: { kind: 'elsewhere', ifNone: 'keep' } },
  madeAtMs: Date.parse(pod.metadata.creationTimestamp ?? ''),
});

type Admin = ReturnType<typeof clientOf>;

/** The project takes the whole workload away. */
const removeWithOwner = async (admin: Admin, namespace: string): Promise<void> => {
  await admin.delete(replicaSets, { namespace, name: namespace }, { propagationPolicy: 'Orphan' });
  const { items } = await admin.list(pods, { namespace });
  for (const { metadata } of items)
    await admin.delete(pods, { namespace, name: metadata.name }, { gracePeriodSeconds: 0 });
};

const deletionRight = (namespace: string) => ({
  roles: `${rbac}/namespaces/${namespace}/roles`,
  bindings: `${rbac}/namespaces/${namespace}/rolebindings`,
});

const allowDeletion = async (admin: Admin, namespace: string): Promise<void> => {
  const { roles, bindings } = deletionRight(namespace);
  const metadata = { name: 'deletes', namespace };
  const rules = [{ apiGroups: [''], resources: ['pods'], verbs: ['delete'] }];
  const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'deletes' };
  await admin.call({ method: 'POST', path: roles, body: { metadata, rules } });
  await admin.call({ method: 'POST', path: bindings, body: { metadata, roleRef, subjects: [serviceUser] } });
};

const forbidDeletion = async (admin: Admin, namespace: string): Promise<void> => {
  await admin.call({ method: 'DELETE', path: `${deletionRight(namespace).bindings}/deletes` });
};

const refusingLabel = 'test/refuses';
const admission = '/apis/admissionregistration.k8s.io/v1';

/** Nobody but the admin changes a node with the label. */
const makeRefusingPolicy = async (admin: Admin): Promise<void> => {
  const metadata = { name: 'refuses' };
  const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['UPDATE'], resources: ['nodes'] }];
  const message = 'the test refuses it';
  const expression = `!('${refusingLabel}' in object.metadata.?labels.orValue({})) || request.userInfo.username != 'parley'`;
  const spec = {
    failurePolicy: 'Fail',
    matchConstraints: { resourceRules: rules },
    validations: [{ expression, message }],
  };
  await admin.call({ method: 'POST', path: `${admission}/validatingadmissionpolicies`, body: { metadata, spec } });
  const binding = { metadata, spec: { policyName: 'refuses', validationActions: ['Deny'] } };
  await admin.call({ method: 'POST', path: `${admission}/validatingadmissionpolicybindings`, body: binding });
};

const refuseChanges = async (admin: Admin, host: string, isRefused: boolean): Promise<void> => {
  const labels = { [refusingLabel]: isRefused ? 'true' : null };
  await admin.patch(nodes, { name: host }, { patch: { metadata: { labels } }, type: 'merge' });
};
