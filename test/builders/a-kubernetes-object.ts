/** Objects of a Kubernetes cluster as the driver reads them: valid, and as small as the case allows. */
import { type Cluster, createCluster } from '../../clouds/kubernetes/cache/cluster';
import type { Store } from '../../clouds/kubernetes/cache/store';
import type { KubernetesClient } from '../../clouds/kubernetes/client/kubernetes-client';
import type { Budget } from '../../clouds/kubernetes/objects/budgets';
import type { Node } from '../../clouds/kubernetes/objects/nodes';
import type {
  Autoscaler,
  CsiNode,
  Deployment,
  Job,
  PodGroup,
  ReplicaSet,
  ResourceSlice,
} from '../../clouds/kubernetes/objects/others';
import type { Pod } from '../../clouds/kubernetes/objects/pods';

export const aNode = (given: { [Field in keyof Node]?: Partial<Node[Field]> } = {}): Node => ({
  metadata: { name: 'node-1', ...given.metadata },
  spec: { ...given.spec },
  status: {
    allocatable: { cpu: '8', memory: '32Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True' }],
    ...given.status,
  },
});

export const aPod = (given: { [Field in keyof Pod]?: Partial<Pod[Field]> } = {}): Pod => ({
  metadata: { name: 'pod-1', namespace: 'web', uid: 'uid-1', ...given.metadata },
  spec: { nodeName: 'node-1', containers: [], ...given.spec },
  status: { phase: 'Running', ...given.status },
});

/** Selects the pods with the label app=web, and lets `out` of 3 go. */
export const aBudget = ({
  name = 'web-budget',
  out = 1,
  spec = {},
  status = {},
  owner,
}: {
  readonly name?: string;
  /** The kind of the object that controls it; left out: none does. */
  readonly owner?: string;
  readonly out?: number;
  readonly spec?: Partial<Budget['spec']>;
  readonly status?: Budget['status'];
} = {}): Budget => ({
  metadata: {
    ...{ name, namespace: 'web', uid: `uid-of-${name}`, generation: 1 },
    ...(owner !== undefined && anOwner(owner)),
  },
  spec: { selector: { matchLabels: { app: 'web' } }, minAvailable: 3 - out, ...spec },
  status: {
    ...{ observedGeneration: 1, expectedPods: 3, currentHealthy: 3, desiredHealthy: 3 - out, disruptionsAllowed: out },
    ...status,
  },
});

/** The owner that makes a pod again. */
export const anOwner = (kind: string, name = 'owner-1', uid = `uid-of-${name}`) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }],
});

/** A cluster as watches would have told it. It asks nobody. */
export const aCluster = ({
  jobNamespace,
  ...objects
}: {
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly budgets?: readonly Budget[];
  readonly replicaSets?: readonly ReplicaSet[];
  readonly deployments?: readonly Deployment[];
  readonly autoscalers?: readonly Autoscaler[];
  readonly podGroups?: readonly PodGroup[];
  readonly jobs?: readonly Job[];
  readonly csiNodes?: readonly CsiNode[];
  readonly resourceSlices?: readonly ResourceSlice[];
  readonly jobNamespace?: string;
}): Cluster => {
  const client: Pick<KubernetesClient, 'nowMs'> = { nowMs: () => Date.now() };
  const cluster = createCluster({ client: client as KubernetesClient, signal: AbortSignal.abort(), jobNamespace });
  put(cluster.pods, objects.pods);
  put(cluster.nodes, objects.nodes);
  put(cluster.budgets, objects.budgets);
  put(cluster.replicaSets, objects.replicaSets);
  put(cluster.deployments, objects.deployments);
  put(cluster.autoscalers, objects.autoscalers);
  put(cluster.podGroups, objects.podGroups);
  put(cluster.jobs, objects.jobs);
  put(cluster.csiNodes, objects.csiNodes);
  put(cluster.resourceSlices, objects.resourceSlices);
  return cluster;
};

const put = <T>(store: Pick<Store<T>, 'put'>, objects: readonly T[] = []): void => objects.forEach(store.put);
