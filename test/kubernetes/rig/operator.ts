/** What the admin of the test cluster does: nodes, workloads, budgets, volumes. */
import { randomUUID } from 'node:crypto';
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { budgets } from '../../../clouds/kubernetes/objects/budgets';
import { isReady, type Node, nodes } from '../../../clouds/kubernetes/objects/nodes';
import {
  daemonSets,
  namespaces,
  podGroups,
  replicaSets,
  statefulSets,
  volumeAttachments,
  volumeClaims,
  volumes,
} from '../../../clouds/kubernetes/objects/others';
import { type Pod, pods, uidOf } from '../../../clouds/kubernetes/objects/pods';
import { eventually } from '../../waiting/eventually';

export interface NodeOptions {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly { readonly key: string; readonly value?: string; readonly effect: string }[];
}

const isTainted = ({ spec: { taints = [] } }: Node): boolean =>
  taints.some(({ key }) => key.startsWith('node.kubernetes.io/'));

/** Makes nodes of 8 processors and 32 GiB (stages.yaml), and waits until they are Ready and take pods. */
export const makeNodes = async (admin: KubernetesClient, ...all: readonly NodeOptions[]): Promise<void> => {
  for (const { name, labels = {}, taints = [] } of all) {
    const metadata = { name, labels: { 'kubernetes.io/hostname': name, ...labels } };
    await admin.create(nodes, { metadata, spec: { taints } });
  }
  // The controller takes its taints away a little later. Until then the scheduler puts all pods on the first node.
  await eventually('the nodes are Ready and take pods', async () => {
    const { items } = await admin.list(nodes);
    const ready = new Set(
      items.filter((node) => isReady(node) && !isTainted(node)).map(({ metadata }) => metadata.name),
    );
    return all.every(({ name }) => ready.has(name)) || undefined;
  });
};

/** @returns its UID */
export const makeNamespace = async (admin: KubernetesClient, name: string): Promise<string> =>
  (await admin.create(namespaces, { metadata: { name } })).metadata.uid ?? '';

export interface PodTemplate {
  readonly name: string;
  readonly namespace: string;
  readonly replicas?: number;
  readonly annotations?: Readonly<Record<string, string>>;
  /** Annotations of the Deployment itself. */
  readonly onWorkload?: Readonly<Record<string, string>>;
  readonly finalizers?: readonly string[];
  /** Labels of its pods; left out: its name as `app`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Volume claims of each pod of a StatefulSet. */
  readonly claims?: readonly object[];
  /** Beside its container. */
  readonly spec?: Readonly<Record<string, unknown>>;
}

const container = {
  name: 'main',
  image: 'none.invalid/app',
  resources: { requests: { cpu: '100m', memory: '64Mi' } },
};

/** The pod of such a workload starts within half a second and ends within a few tenths. */
const quick = { 'sim/start-delay': '10ms', 'sim/stop-delay': '100ms' };

const labelsOf = ({ name, labels = { app: name } }: PodTemplate) => labels;

const templateOf = ({ annotations = {}, finalizers = [], spec = {}, ...names }: PodTemplate) => ({
  metadata: { labels: labelsOf(names), annotations: { ...quick, ...annotations }, finalizers },
  spec: { containers: [container], ...spec },
});

export const makeReplicaSet = async (admin: KubernetesClient, template: PodTemplate): Promise<void> => {
  const { name, namespace, replicas = 1 } = template;
  const spec = { replicas, selector: { matchLabels: { app: name } }, template: templateOf(template) };
  await admin.create(replicaSets, { metadata: { name, namespace }, spec });
};

export const makeDeployment = async (admin: KubernetesClient, template: PodTemplate): Promise<void> => {
  const { name, namespace, replicas = 1, onWorkload = {} } = template;
  const spec = { replicas, selector: { matchLabels: labelsOf(template) }, template: templateOf(template) };
  const path = `/apis/apps/v1/namespaces/${namespace}/deployments`;
  await admin.call({ method: 'POST', path, body: { metadata: { name, namespace, annotations: onWorkload }, spec } });
};

/** A Job whose pod runs until it is told to end (`sim/runs-for`), and is not made again. */
export const makeJob = async (admin: KubernetesClient, template: PodTemplate): Promise<void> => {
  const { name, namespace, spec } = template;
  const pod = templateOf({ ...template, spec: { restartPolicy: 'Never', ...spec } });
  const path = `/apis/batch/v1/namespaces/${namespace}/jobs`;
  const body = { metadata: { name, namespace }, spec: { backoffLimit: 0, template: pod } };
  await admin.call({ method: 'POST', path, body });
};

/** Its pods have names of their own, and each comes back under its name. */
export const makeStatefulSet = async (admin: KubernetesClient, template: PodTemplate): Promise<void> => {
  const { name, namespace, replicas = 1, claims = [] } = template;
  const selector = { matchLabels: { app: name } };
  const spec = {
    volumeClaimTemplates: claims,
    serviceName: name,
    replicas,
    selector,
    template: templateOf(template),
    podManagementPolicy: 'Parallel',
  };
  await admin.create(statefulSets, { metadata: { name, namespace }, spec });
};

/** A pod of it is on each node that it suits. */
export const makeDaemonSet = async (admin: KubernetesClient, template: PodTemplate): Promise<void> => {
  const { name, namespace } = template;
  const spec = { selector: { matchLabels: { app: name } }, template: templateOf(template) };
  await admin.create(daemonSets, { metadata: { name, namespace }, spec });
};

/** Changes annotations; null takes one away. They steer kwok (stages.yaml). */
export const annotatePod = async (
  admin: KubernetesClient,
  { metadata: { name, namespace } }: Pod,
  annotations: Readonly<Record<string, string | null>>,
): Promise<void> => {
  await admin.patch(pods, { name, namespace }, { patch: { metadata: { annotations } }, type: 'merge' });
};

/** A pod that no controller makes again. */
export const makeBarePod = async (admin: KubernetesClient, template: PodTemplate): Promise<Pod> => {
  const { name, namespace } = template;
  const { metadata, spec } = templateOf(template);
  return admin.create(pods, { metadata: { name, namespace, ...metadata }, spec });
};

/** Waits until so many pods with the label are Running on their nodes. */
export const runningPods = (
  admin: KubernetesClient,
  { name, namespace, replicas = 1 }: Pick<PodTemplate, 'name' | 'namespace' | 'replicas'>,
): Promise<readonly Pod[]> =>
  eventually(`${replicas} pods of ${namespace}/${name} run`, async () => {
    const { items } = await admin.list(pods, { namespace, labelSelector: `app=${name}` });
    const running = items.filter(
      ({ metadata, status }) => status?.phase === 'Running' && metadata.deletionTimestamp === undefined,
    );
    return running.length === replicas ? running : undefined;
  });

export const findPod = async (admin: KubernetesClient, uid: string): Promise<Pod | undefined> =>
  (await admin.list(pods)).items.find((pod) => uidOf(pod) === uid);

export interface BudgetOptions {
  readonly name: string;
  readonly namespace: string;
  readonly app: string;
  readonly minAvailable: number;
  /** Evicts pods that are not Ready, whatever the budget says. */
  readonly evictsUnhealthy?: true;
}

/** Waits until the budget counts its pods. */
export const makeBudget = async (
  admin: KubernetesClient,
  { name, namespace, app, minAvailable, evictsUnhealthy }: BudgetOptions,
): Promise<void> => {
  const policy = evictsUnhealthy && { unhealthyPodEvictionPolicy: 'AlwaysAllow' };
  const spec = { minAvailable, selector: { matchLabels: { app } }, ...policy };
  await admin.create(budgets, { metadata: { name, namespace }, spec });
  const path = `${budgets.pathIn(namespace)}/${name}`;
  await eventually(`the budget ${name} counts its pods`, async () => {
    const { status } = (await admin.call({ method: 'GET', path })) as { status?: { observedGeneration?: number } };
    return status?.observedGeneration === 1 ? true : undefined;
  });
};

export const removeBudget = (admin: KubernetesClient, namespace: string, name: string): Promise<boolean> =>
  admin.delete(budgets, { namespace, name });

/** Pods of one gang: they start together, and one impact is that of all. */
export const makePodGroup = async (
  admin: KubernetesClient,
  { name, namespace, replicas = 1 }: Pick<PodTemplate, 'name' | 'namespace' | 'replicas'>,
): Promise<void> => {
  const spec = { schedulingPolicy: { gang: { minCount: replicas } }, disruptionMode: { all: {} } };
  await admin.create(podGroups, { metadata: { name, namespace }, spec });
};

/** A disk of the node, and the claim that it is bound to. */
export const makeLocalVolume = async (
  admin: KubernetesClient,
  { name, namespace, node }: { readonly name: string; readonly namespace: string; readonly node: string },
): Promise<void> => {
  const there = { key: 'kubernetes.io/hostname', operator: 'In', values: [node] };
  const size = { storage: '1Gi' };
  const shared = { accessModes: ['ReadWriteOnce'], storageClassName: '' };
  const nodeAffinity = { required: { nodeSelectorTerms: [{ matchExpressions: [there] }] } };
  const local = { ...shared, capacity: size, local: { path: '/disk' }, nodeAffinity, claimRef: { name, namespace } };
  await admin.create(volumes, { metadata: { name }, spec: local });
  const claim = { ...shared, volumeName: name, resources: { requests: size } };
  await admin.create(volumeClaims, { metadata: { name, namespace }, spec: claim });
};

/** Attaches a volume to a node, as its driver would. @returns the UID of the attachment */
export const attachVolume = async (admin: KubernetesClient, nodeName: string): Promise<string> => {
  const name = `volume-${randomUUID()}`;
  const source = { persistentVolumeName: name };
  const spec = { attacher: 'csi.example.org', nodeName, source };
  return (await admin.create(volumeAttachments, { metadata: { name }, spec })).metadata.uid ?? '';
};

export const detachVolume = async (admin: KubernetesClient, uid: string): Promise<void> => {
  const { items } = await admin.list(volumeAttachments);
  const attached = items.find(({ metadata }) => metadata.uid === uid);
  if (attached !== undefined) await admin.delete(volumeAttachments, { name: attached.metadata.name });
};
