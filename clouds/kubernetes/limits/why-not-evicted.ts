/**
 * Finds pods that their budgets keep where they are, before anybody asks for their eviction: budgets that can never be
 * met, and applications that are broken. A budget that is only used up for the moment keeps nobody.
 */
import type { CloudInstance } from '../../../rules/cloud/cloud-facts';
import { nameWithNamespace } from '../client/resource';
import type { Budget } from '../objects/budgets';
import { isPodReady, notReadySince, type Pod } from '../objects/pods';
import type { SurgeDecision } from '../surge/decide-surge';
import { type BudgetIndex, mostOut } from './budget-index';

/** An application whose pod is not Ready for longer does not just start. */
const brokenMs = 5 * 60_000;

export interface LookAtBudget {
  readonly nowMs: number;
  /** Decides whether the budget lets the pod go once there is one more replica. */
  readonly surgeFor: (budget: Budget, pod: Pod) => SurgeDecision;
}

/** Why the pod cannot be evicted; empty: it can be, as soon as its budget allows it. */
export const whyNotEvicted = (
  index: BudgetIndex,
  pod: Pod,
  { nowMs, surgeFor }: LookAtBudget,
): Pick<CloudInstance, 'cannotMove' | 'cannotMoveNow' | 'isWorthTrying'> => {
  const [budget, ...others] = index.over(pod);
  if (budget === undefined) return {};
  if (others.length > 0) return { cannotMove: severalWords([budget, ...others]) };
  if (isServedAnyway(budget, pod)) return {};
  // A workload that is being scaled may have as few pods for a while: whoever asks already goes on asking.
  if (mostOut(budget) === 0) return holdsForGood(budget, surgeFor(budget, pod));
  const broken = budget.status?.disruptionsAllowed === 0 ? findBroken(index.under(budget), nowMs) : undefined;
  return broken === undefined ? {} : { cannotMoveNow: brokenWords(budget, broken) };
};

/** One more replica lets it go, where its project asks for that and it helps. */
const holdsForGood = (budget: Budget, surge: SurgeDecision): Pick<CloudInstance, 'cannotMove' | 'isWorthTrying'> => {
  if (surge.kind === 'raise' || surge.kind === 'raised') return {};
  const why = surge.kind === 'cannot' ? `; ${surge.because}` : '';
  return { cannotMove: `${neverWords(budget)}${why}`, isWorthTrying: true };
};

/** The eviction API serves a pod that is not Ready where the budget says so, or enough others are healthy. */
const isServedAnyway = ({ spec, status = {} }: Budget, pod: Pod): boolean => {
  if (isPodReady(pod)) return false;
  const { currentHealthy = 0, desiredHealthy = 0 } = status;
  return spec.unhealthyPodEvictionPolicy === 'AlwaysAllow' || (desiredHealthy > 0 && currentHealthy >= desiredHealthy);
};

const findBroken = (pods: readonly Pod[], nowMs: number): Pod | undefined =>
  pods.find((pod) => {
    const sinceMs = notReadySince(pod);
    return pod.metadata.deletionTimestamp === undefined && sinceMs !== undefined && nowMs - sinceMs >= brokenMs;
  });

const severalWords = (all: readonly Budget[]): string =>
  `PodDisruptionBudgets ${all.map(nameWithNamespace).sort().join(' and ')} both select this pod, and Kubernetes evicts no pod ` +
  'that more than one selects: leave one of them';

const neverWords = (budget: Budget): string => {
  const { minAvailable, maxUnavailable } = budget.spec;
  const said = minAvailable === undefined ? `maxUnavailable ${maxUnavailable ?? 1}` : `minAvailable ${minAvailable}`;
  const { expectedPods = 0 } = budget.status ?? {};
  return (
    `PodDisruptionBudget ${nameWithNamespace(budget)} (${said}) never lets one of its ${expectedPods} pods go: ` +
    'add a replica, or let the budget allow one pod less'
  );
};

const brokenWords = (budget: Budget, broken: Pod): NonNullable<CloudInstance['cannotMoveNow']> => {
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return {
    because:
      `PodDisruptionBudget ${nameWithNamespace(budget)} needs ${desiredHealthy} healthy pods and has ${currentHealthy}, and pod ` +
      `${nameWithNamespace(broken)} has not been Ready for more than ${brokenMs / 60_000} minutes`,
    owner: 'project',
    help: 'let its project repair that pod, or set unhealthyPodEvictionPolicy: AlwaysAllow in the budget',
  };
};
