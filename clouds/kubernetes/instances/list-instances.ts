/** Turns pods into instances, and their owners into groups. */
import type { CloudGroup, CloudInstance } from '../../../rules/decisions/fleet/cloud-facts';
import type { Cluster } from '../cache/cluster';
import { needsOf } from '../classes/needs';
import { amountsOfPod } from '../hosts/amounts';
import { controllerOf, type Pod, uidOf } from '../objects/pods';
import { type NodeSelector, selects } from '../objects/selectors';
import { type KeptPods, whyKept } from './kept-pods';

export interface InstanceSources {
  readonly cluster: Cluster;
  readonly kept: KeptPods;
}

export const instancesFrom = ({ cluster, kept }: InstanceSources, pods: Iterable<Pod>): CloudInstance[] =>
  [...pods].filter(cluster.isInstance).map((pod) => instanceFrom(cluster, pod, kept));

const instanceFrom = (cluster: Cluster, pod: Pod, kept: KeptPods): CloudInstance => {
  const { name, namespace = '' } = pod.metadata;
  const needs = needsOf(pod.spec, selectorsOf(cluster, pod));
  const cannotMove = whyKept(pod, kept);
  return {
    instanceId: uidOf(pod),
    instanceName: name,
    projectId: projectOf(cluster, namespace),
    host: pod.spec.nodeName ?? '',
    flavor: workloadOf(cluster, pod).name,
    amounts: amountsOfPod(pod),
    ...(needs !== '' && { needs }),
    state: stateOf(pod),
    ...(cannotMove !== undefined && { cannotMove }),
  };
};

/** The UID of the namespace: a namespace that is made again under its name is another project. */
const projectOf = (cluster: Cluster, namespace: string): string =>
  cluster.namespaces.byName(namespace)?.metadata.uid ?? namespace;

const stateOf = ({ metadata, status }: Pod): string =>
  metadata.deletionTimestamp === undefined ? (status?.phase ?? 'Unknown') : 'Terminating';

/** Where the volumes of a pod can be reached. */
const selectorsOf = (cluster: Cluster, { metadata: { namespace }, spec }: Pod): NodeSelector[] =>
  (spec.volumes ?? []).flatMap(({ persistentVolumeClaim: claim }) => {
    if (claim === undefined) return [];
    const { volumeName = '' } = cluster.volumeClaims.byName(claim.claimName, namespace)?.spec ?? {};
    return cluster.volumes.byName(volumeName)?.spec.nodeAffinity?.required ?? [];
  });

export interface Workload {
  /** Undefined: nothing makes the pod again. */
  readonly uid: string | undefined;
  /** Such as `Deployment web`. */
  readonly name: string;
}

/** The object that people know: the Deployment, not its ReplicaSet. */
export const workloadOf = (cluster: Cluster, pod: Pod): Workload => {
  const owner = controllerOf(pod);
  if (owner === undefined) return { uid: undefined, name: `Pod ${pod.metadata.name}` };
  const replicaSet = owner.kind === 'ReplicaSet' ? cluster.replicaSets.byUid(owner.uid) : undefined;
  const { uid, kind, name } = (replicaSet === undefined ? undefined : controllerOf(replicaSet)) ?? owner;
  return { uid, name: `${kind} ${name}` };
};

/** A group for each workload; for pods without one, for the budget that selects them. */
export const groupsFrom = (cluster: Cluster): CloudGroup[] => {
  const groups = new Map<string, GroupedPods>();
  for (const pod of cluster.pods.all()) {
    const group = cluster.isInstance(pod) ? groupOf(cluster, pod) : undefined;
    if (group === undefined) continue;
    const known = groups.get(group.uid);
    if (known) known.members.push(pod);
    else groups.set(group.uid, { ...group, members: [pod] });
  }
  return [...groups.values()].map((group) => groupFrom(cluster, group));
};

interface GroupedPods {
  readonly uid: string;
  readonly name: string;
  readonly members: Pod[];
}

const groupOf = (cluster: Cluster, pod: Pod): Omit<GroupedPods, 'members'> | undefined => {
  const { uid, name } = workloadOf(cluster, pod);
  if (uid !== undefined) return { uid, name };
  const budget = [...cluster.budgets.all()].find(
    ({ metadata, spec }) =>
      metadata.namespace === pod.metadata.namespace &&
      spec.selector !== undefined &&
      selects(spec.selector, pod.metadata.labels),
  );
  if (budget?.metadata.uid === undefined) return undefined;
  return { uid: budget.metadata.uid, name: `PodDisruptionBudget ${budget.metadata.name}` };
};

const groupFrom = (cluster: Cluster, { uid, name, members }: GroupedPods): CloudGroup => ({
  groupId: uid,
  groupName: name,
  projectId: projectOf(cluster, members[0]?.metadata.namespace ?? ''),
  antiAffinity: members.every(isApartByNode),
  maxInstancesPerHost: 1,
  instanceIds: members.map(uidOf),
});

/** True for a pod that the scheduler puts on no node with another pod of its own labels. */
const isApartByNode = ({ metadata, spec }: Pod): boolean =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(
    ({ topologyKey, labelSelector }) =>
      topologyKey === 'kubernetes.io/hostname' &&
      labelSelector !== undefined &&
      selects(labelSelector, metadata.labels),
  ) === true;
