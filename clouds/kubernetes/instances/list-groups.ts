/**
 * The groups of pods: one for each workload, or for each PodGroup that is disrupted as a whole, with what its project
 * has written on it, and one for each PodDisruptionBudget, which the API server keeps whatever is stored. A pod may be
 * in several.
 */
import type { CloudGroup, CloudLimits } from '../../../rules/cloud/cloud-facts';
import type { Cluster } from '../cache/cluster';
import type { ToldConstraints } from '../limits/annotations';
import { type BudgetIndex, createBudgetIndex, isSteered, mostOut } from '../limits/budget-index';
import type { StandingTeller } from '../limits/pods-away';
import { hostPortsOf } from '../objects/host-ports';
import { belongsToNode, controllerOf, hasEnded, type Pod, uidOf } from '../objects/pods';
import { selects } from '../objects/selectors';
import { groupsOfHostPorts } from './groups-of-host-ports';
import { projectOf } from './list-instances';
import { gangOf, toldOf, workloadOf } from './workload';

export interface GroupSources {
  readonly cluster: Cluster;
  readonly standings: StandingTeller;
}

export const groupsFrom = ({ cluster, standings }: GroupSources): CloudGroup[] => {
  const index = createBudgetIndex(cluster);
  const workloads = new Map<string, GroupedPods>();
  for (const pod of cluster.pods.all()) {
    const gang = gangOf(cluster, pod);
    const { uid, name } = gang ?? workloadOf(cluster, pod);
    if (uid === undefined || belongsToNode(pod)) continue;
    const known = workloads.get(uid) ?? { uid, name, pods: [], isGang: gang !== undefined };
    workloads.set(uid, known);
    known.pods.push(pod);
  }
  const all = [...workloads.values()];
  const now = all.map(({ uid, name, pods, isGang }) => {
    // A workload may have several gangs.
    return { uid, name, pods, replicas: isGang ? undefined : replicasOf(cluster, pods) };
  });
  const membersOf = standings.membersOf(now, cluster.nowMs());
  return [
    // The group of its workload is that of a pod: of several, the last one counts.
    ...groupsOfHostPorts(cluster, (pod) => workloadOf(cluster, pod).uid),
    ...all.flatMap((grouped) => groupsOfWorkload({ cluster, membersOf, index }, grouped)),
    ...groupsOfBudgets(cluster, index),
  ];
};

interface GroupedPods {
  readonly uid: string;
  readonly name: string;
  /** All that there are, with a node or without. */
  readonly pods: Pod[];
  /** Its pods are disrupted together. */
  readonly isGang: boolean;
}

interface NamedMembers {
  readonly uid: string;
  readonly name: string;
  readonly members: readonly Pod[];
}

const groupFrom = (cluster: Cluster, { uid, name, members }: NamedMembers): CloudGroup => ({
  groupId: uid,
  groupName: name,
  projectId: projectOf(cluster, members[0]?.metadata.namespace ?? ''),
  antiAffinity: false,
  maxInstancesPerHost: 1,
  instanceIds: members.map(uidOf),
});

interface LookAtWorkloads {
  readonly cluster: Cluster;
  readonly index: BudgetIndex;
  readonly membersOf: ReturnType<StandingTeller['membersOf']>;
}

const groupsOfWorkload = (
  { cluster, membersOf, index }: LookAtWorkloads,
  { uid, name, pods, isGang }: GroupedPods,
): readonly CloudGroup[] => {
  const members = pods.filter(cluster.isInstance);
  const [pod] = members;
  if (pod === undefined) return [];
  return [
    {
      ...groupFrom(cluster, { uid, name, members }),
      antiAffinity: members.every(isApartByNode) || members.every(hasHostPort),
      kind: 'workload',
      ...limitsOf(toldOf(cluster, pod), { index, name, pod }),
      ...(isGang && asOneUnit(pods)),
      members: membersOf.get(uid) ?? [],
    },
  ];
};

/** One impact is that of all, whatever limit its project wrote for single pods. */
const asOneUnit = (pods: readonly Pod[]): CloudLimits => ({
  maxImpactedMembers: pods.filter((pod) => !hasEnded(pod)).length,
  keptBy: { kind: 'service', limit: 'unit' },
});

/** Undefined where one of the objects that make the pods does not tell it, such as a Job. */
const replicasOf = ({ replicaSets, statefulSets }: Cluster, pods: readonly Pod[]): number | undefined => {
  let sum = 0;
  for (const uid of new Set(pods.map((pod) => controllerOf(pod)?.uid ?? ''))) {
    const { replicas } = (replicaSets.byUid(uid) ?? statefulSets.byUid(uid))?.spec ?? {};
    if (replicas === undefined) return undefined;
    sum += replicas;
  }
  return sum;
};

interface SomePod {
  readonly index: BudgetIndex;
  /** The name of its workload. */
  readonly name: string;
  readonly pod: Pod;
}

/** Pods of one workload have the same labels, so that one stands for all. */
const limitsOf = (
  { recoveryTimeSeconds, maxImpactedMembers, faults }: ToldConstraints,
  { index, name, pod }: SomePod,
): CloudLimits => {
  const told: CloudLimits = {
    ...(maxImpactedMembers !== undefined && { maxImpactedMembers }),
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    ...(faults.length > 0 && { fault: `${pod.metadata.namespace ?? ''}/${name}: ${faults.join(', ')}` }),
  };
  const [budget] = index.over(pod);
  const isSilent = Object.keys(told).length === 0;
  return isSilent || budget === undefined ? told : { maxImpactedMembers: mostImpacted(budget), ...told };
};

/** Of a budget that allows none now, one pod at a time is asked for (why-not-evicted.ts). */
const mostImpacted = (budget: Parameters<typeof mostOut>[0]): number => Math.max(1, mostOut(budget) ?? 1);

const groupsOfBudgets = (cluster: Cluster, index: BudgetIndex): readonly CloudGroup[] =>
  [...cluster.budgets.all()].flatMap((budget) => {
    const { uid, name } = budget.metadata;
    const members = index.under(budget).filter(cluster.isInstance);
    if (uid === undefined || members.length === 0) return [];
    const group = groupFrom(cluster, { uid, name: `PodDisruptionBudget ${name}`, members });
    const keptBy = { kind: 'cloud', isSteered: isSteered(budget) } as const;
    return [{ ...group, maxImpactedMembers: mostImpacted(budget), keptBy }];
  });

/** Pods of one workload want the same port. */
const hasHostPort = (pod: Pod): boolean => hostPortsOf(pod).length > 0;

/** True for a pod that the scheduler puts on no node with another pod of its own labels. */
const isApartByNode = ({ metadata, spec }: Pod): boolean =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(
    ({ topologyKey, labelSelector }) =>
      topologyKey === 'kubernetes.io/hostname' &&
      labelSelector !== undefined &&
      selects(labelSelector, metadata.labels),
  ) === true;
