/** Objects of a Kubernetes cluster as the driver reads them: valid, and as small as the case allows. */
import { type Cluster, createCluster } from '../../clouds/kubernetes/cache/cluster';
import type { KubernetesClient } from '../../clouds/kubernetes/client/kubernetes-client';
import type { Node } from '../../clouds/kubernetes/objects/nodes';
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

/** The owner that makes a pod again. */
export const anOwner = (kind: string, name = 'owner-1', uid = `uid-of-${name}`) => ({
  ownerReferences: [{ apiVersion: 'apps/v1', kind, name, uid, controller: true }],
});

/** A cluster as watches would have told it. It asks nobody. */
export const aCluster = ({
  pods = [],
  nodes = [],
  jobNamespace,
}: {
  readonly pods?: readonly Pod[];
  readonly nodes?: readonly Node[];
  readonly jobNamespace?: string;
}): Cluster => {
  const cluster = createCluster({ client: {} as KubernetesClient, signal: AbortSignal.abort(), jobNamespace });
  pods.forEach(cluster.pods.put);
  nodes.forEach(cluster.nodes.put);
  return cluster;
};
