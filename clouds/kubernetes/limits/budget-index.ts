/** The PodDisruptionBudgets of the cluster, by the pods that they select, and what each of them allows. */
import type { Cluster } from '../cache/cluster';
import type { Budget } from '../objects/budgets';
import { controllerOf, type Pod } from '../objects/pods';
import { selects } from '../objects/selectors';

export interface BudgetIndex {
  /** The budgets that select the pod. The eviction API serves no pod with several. */
  readonly over: (pod: Pod) => readonly Budget[];
  /** The pods that the budget selects, those without a node among them. */
  readonly under: (budget: Budget) => readonly Pod[];
}

/** For one look at the cluster: what it has found stays found. */
export const createBudgetIndex = (cluster: Pick<Cluster, 'budgets' | 'pods'>): BudgetIndex => {
  const byNamespace = Map.groupBy(cluster.budgets.all(), ({ metadata }) => metadata.namespace);
  let podsByNamespace: ReadonlyMap<string | undefined, readonly Pod[]> | undefined;
  const found = new Map<Budget, readonly Pod[]>();
  return {
    over: (pod) => (byNamespace.get(pod.metadata.namespace) ?? []).filter((budget) => isUnder(budget, pod)),
    under(budget) {
      podsByNamespace ??= Map.groupBy(cluster.pods.all(), ({ metadata }) => metadata.namespace);
      const near = podsByNamespace.get(budget.metadata.namespace) ?? [];
      const pods = found.get(budget) ?? near.filter((pod) => isUnder(budget, pod));
      found.set(budget, pods);
      return pods;
    },
  };
};

/** For a pod of its namespace. A budget without a selector selects nothing. */
const isUnder = ({ spec: { selector } }: Budget, pod: Pod): boolean =>
  selector !== undefined && selects(selector, pod.metadata.labels);

/**
 * True for a budget that a program owns and changes as its application needs it, such as the operator of a database or
 * of a storage cluster: it opens the budget when a node is cordoned, and closes it while data is copied.
 */
export const isSteered = (budget: Budget): boolean => controllerOf(budget) !== undefined;

/**
 * The number of its pods that may be out at once, whatever their state is now; undefined: nobody has worked it out
 * since the budget was changed.
 */
export const mostOut = ({ metadata: { generation = 0 }, status = {} }: Budget): number | undefined => {
  const { observedGeneration, expectedPods, desiredHealthy } = status;
  if (observedGeneration === undefined || observedGeneration < generation) return undefined;
  return expectedPods === undefined || desiredHealthy === undefined
    ? undefined
    : Math.max(0, expectedPods - desiredHealthy);
};
