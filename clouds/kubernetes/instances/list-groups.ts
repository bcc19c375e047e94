/**
 * The groups of pods: one for each workload, with what its project has written on it, and one for each
 * PodDisruptionBudget, which the API server keeps whatever is stored. A pod may be in several.
 */
import type { CloudGroup, CloudLimits } from '../../../rules/cloud/cloud-facts';
import type { Cluster } from '../cache/cluster';
import { type BudgetIndex, createBudgetIndex, mostOut } from '../limits/budget-index';
import { type Pod, uidOf } from '../objects/pods';
import { selects } from '../objects/selectors';
import { projectOf } from './list-instances';
import { toldOf, workloadOf } from './workload';

export const groupsFrom = (cluster: Cluster): CloudGroup[] => {
  const index = createBudgetIndex(cluster);
  const workloads = new Map<string, GroupedPods>();
  for (const pod of cluster.pods.all()) {
    const { uid, name } = workloadOf(cluster, pod);
    if (uid === undefined || !cluster.isInstance(pod)) continue;
    const known = workloads.get(uid);
    if (known) known.members.push(pod);
    else workloads.set(uid, { uid, name, members: [pod] });
  }
  return [
    ...[...workloads.values()].map((grouped) => groupOfWorkload(cluster, index, grouped)),
    ...groupsOfBudgets(cluster, index),
  ];
};

interface GroupedPods {
  readonly uid: string;
  readonly name: string;
  readonly members: Pod[];
}

const groupFrom = (cluster: Cluster, { uid, name, members }: GroupedPods): CloudGroup => ({
  groupId: uid,
  groupName: name,
  projectId: projectOf(cluster, members[0]?.metadata.namespace ?? ''),
  antiAffinity: false,
  maxInstancesPerHost: 1,
  instanceIds: members.map(uidOf),
});

const groupOfWorkload = (cluster: Cluster, index: BudgetIndex, grouped: GroupedPods): CloudGroup => ({
  ...groupFrom(cluster, grouped),
  antiAffinity: grouped.members.every(isApartByNode),
  ...limitsOf(cluster, index, grouped),
});

/** Pods of one workload have the same owner, labels and namespace. */
const limitsOf = (cluster: Cluster, index: BudgetIndex, { name, members: [pod] }: GroupedPods): CloudLimits => {
  if (pod === undefined) return {};
  const { recoveryTimeSeconds, maxImpactedMembers, faults } = toldOf(cluster, pod);
  const told: CloudLimits = {
    ...(maxImpactedMembers !== undefined && { maxImpactedMembers }),
    ...(recoveryTimeSeconds !== undefined && { recoveryTimeSeconds }),
    ...(faults.length > 0 && { fault: `${pod.metadata.namespace ?? ''}/${name}: ${faults.join(', ')}` }),
  };
  const [budget] = index.over(pod);
  const isSilent = Object.keys(told).length === 0;
  return isSilent || budget === undefined ? told : { maxImpactedMembers: mostImpacted(budget), ...told };
};

/** A budget that allows nothing keeps its pods where they are (why-not-evicted.ts). */
const mostImpacted = (budget: Parameters<typeof mostOut>[0]): number => Math.max(1, mostOut(budget) ?? 1);

const groupsOfBudgets = (cluster: Cluster, index: BudgetIndex): readonly CloudGroup[] =>
  [...cluster.budgets.all()].flatMap((budget) => {
    const { uid, name } = budget.metadata;
    const members = index.under(budget).filter(cluster.isInstance);
    if (uid === undefined || members.length === 0) return [];
    const group = groupFrom(cluster, { uid, name: `PodDisruptionBudget ${name}`, members });
    return [{ ...group, maxImpactedMembers: mostImpacted(budget), isEnforced: true }];
  });

/** True for a pod that the scheduler puts on no node with another pod of its own labels. */
const isApartByNode = ({ metadata, spec }: Pod): boolean =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.some(
    ({ topologyKey, labelSelector }) =>
      topologyKey === 'kubernetes.io/hostname' &&
      labelSelector !== undefined &&
      selects(labelSelector, metadata.labels),
  ) === true;
