/**
 * Notices that a budget lets a pod go which it would keep if its controller had counted already: in a rollout the count
 * of a budget is a moment behind the pods, and the API server evicts by that count.
 */
import { nameWithNamespace } from '../client/resource';
import { isPodReady, type Pod } from '../objects/pods';
import type { BudgetIndex } from './budget-index';

/** Why its eviction is put off for a moment; undefined: the API server decides. */
export const whyBehind = (index: BudgetIndex, pod: Pod): string | undefined => {
  if (!isPodReady(pod)) return undefined;
  for (const budget of index.over(pod)) {
    const { observedGeneration, desiredHealthy, disruptionsAllowed = 0 } = budget.status ?? {};
    const isCounted = observedGeneration === budget.metadata.generation && desiredHealthy !== undefined;
    // Where it lets none go, the API server says so in its own words.
    if (!isCounted || disruptionsAllowed === 0) continue;
    const healthy = index.under(budget).filter(isHealthy).length;
    if (healthy > desiredHealthy) continue;
    return `PodDisruptionBudget ${nameWithNamespace(budget)} needs ${desiredHealthy} healthy pods, and only ${healthy} are Ready now`;
  }
  return undefined;
};

const isHealthy = (pod: Pod): boolean => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined;
