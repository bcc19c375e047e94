/** The cluster on which ways of draining are compared: equal nodes, and applications with budgets spread over them. */
import type { KubernetesClient } from '../../../clouds/kubernetes/client/kubernetes-client';
import { isReady, nodes } from '../../../clouds/kubernetes/objects/nodes';
import { pods } from '../../../clouds/kubernetes/objects/pods';
import { eventually } from '../../waiting/eventually';
import { makeBudget, makeDeployment, makeNamespace, makeNodes, runningPods } from '../rig/operator';

export interface ClusterSize {
  readonly nodes: number;
  readonly applications: number;
  readonly replicas: number;
  /** The pods of an application that its budget lets be away at once. */
  readonly away: number;
}

export const nodeNames = ({ nodes: count }: ClusterSize): readonly string[] =>
  Array.from({ length: count }, (_, index) => `node-${String(index + 1).padStart(3, '0')}`);

const applicationsOf = ({ applications, replicas }: ClusterSize) =>
  Array.from({ length: applications }, (_, index) => ({ name: 'web', namespace: `app-${index + 1}`, replicas }));

/** A pod takes two seconds to start and one to end. */
const pace = { 'sim/start-delay': '2s', 'sim/stop-delay': '1s' };

export const fillCluster = async (admin: KubernetesClient, size: ClusterSize): Promise<void> => {
  await makeNodes(admin, ...nodeNames(size).map((name) => ({ name })));
  await Promise.all(
    applicationsOf(size).map(async (application) => {
      await makeNamespace(admin, application.namespace);
      await makeDeployment(admin, { ...application, annotations: pace });
      await runningPods(admin, application);
      await makeBudget(admin, { ...application, app: 'web', minAvailable: size.replicas - size.away });
    }),
  );
};

/** As new: every node takes pods, and the scheduler has spread them anew. */
export const respread = async (admin: KubernetesClient, size: ClusterSize): Promise<void> => {
  for (const { namespace } of applicationsOf(size)) {
    await admin.call({ method: 'DELETE', path: pods.pathIn(namespace) });
  }
  await eventually('no pod ends any more', async () => {
    const { items } = await admin.list(pods);
    return items.every(({ metadata }) => metadata.deletionTimestamp === undefined) || undefined;
  });
  await Promise.all(applicationsOf(size).map((application) => runningPods(admin, application)));
  const { items } = await admin.list(nodes);
  const unfit = items.filter((node) => node.spec.unschedulable === true || !isReady(node));
  if (unfit.length > 0)
    throw new Error(`not every node takes pods: ${unfit.map((node) => node.metadata.name).join(', ')}`);
};
