/**
 * Finds pods whose eviction the API server would refuse now, and for which nothing tells when that ends: budgets that
 * let no pod go, and applications that are broken. Whoever owns the budget may open it once the node is cordoned, so
 * such a pod is asked for all the same. Only a pod under two budgets is never evicted. A budget that is used up for the
 * moment is no reason, and neither is one that a program steers: it acts on what it sees.
 */
import type { MayBeRefused, WayToLeave } from '../../../rules/cloud/departure';
import { nameWithNamespace } from '../client/resource';
import type { Budget } from '../objects/budgets';
import { isPodReady, notReadySince, type Pod } from '../objects/pods';
import type { SurgeDecision } from '../surge/decide-surge';
import { type BudgetIndex, isSteered, mostOut } from './budget-index';

/** An application whose pod is not Ready for longer does not just start. */
const brokenMs = 5 * 60_000;

export interface LookAtBudget {
  readonly nowMs: number;
  /** Decides whether the budget lets the pod go once there is one more replica. */
  readonly surgeFor: (budget: Budget, pod: Pod) => SurgeDecision;
}

/** `moves`: it can be evicted as soon as its budget allows it. */
export const whyNotEvicted = (index: BudgetIndex, pod: Pod, look: LookAtBudget): WayToLeave => {
  const [budget, ...others] = index.over(pod);
  if (budget === undefined) return { kind: 'moves' };
  if (others.length > 0) return { kind: 'byProject', because: severalWords([budget, ...others]) };
  if (isSteered(budget) || isServedAnyway(budget, pod)) return { kind: 'moves' };
  const mayBeRefused = whyRefused(index, budget, { pod, ...look });
  return mayBeRefused === undefined ? { kind: 'moves' } : { kind: 'mayBeRefused', ...mayBeRefused };
};

/** Its controller cannot count its pods, so the API server lets none go. */
const whyNotCounted = ({ status, ...budget }: Budget): MayBeRefused | undefined => {
  const allowed = status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  if (allowed?.status !== 'False' || allowed.reason !== 'SyncFailed') return undefined;
  return {
    because: `PodDisruptionBudget ${nameWithNamespace(budget)} lets no pod go, because its controller cannot count its pods: ${allowed.message ?? allowed.reason}`,
    help: 'let its project put right what the reason names, or select pods of one kind of controller alone',
  };
};

const whyRefused = (
  index: BudgetIndex,
  budget: Budget,
  { pod, nowMs, surgeFor }: LookAtBudget & { readonly pod: Pod },
): MayBeRefused | undefined => {
  const notCounted = whyNotCounted(budget);
  if (notCounted !== undefined) return notCounted;
  if (mostOut(budget) === 0) return whyNone(budget, surgeFor(budget, pod));
  const broken = budget.status?.disruptionsAllowed === 0 ? findBroken(index.under(budget), nowMs) : undefined;
  return broken && brokenWords(budget, broken);
};

/** One more replica lets it go, where its project asks for that and it helps. */
const whyNone = (budget: Budget, surge: SurgeDecision): MayBeRefused | undefined => {
  if (surge.kind === 'raise' || surge.kind === 'raised') return undefined;
  const why = surge.kind === 'cannot' ? `; ${surge.because}` : '';
  return { because: `${noneWords(budget)}${why}`, help: 'add a replica, or let the budget allow one pod less' };
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

const noneWords = (budget: Budget): string => {
  const { minAvailable, maxUnavailable } = budget.spec;
  const said = minAvailable === undefined ? `maxUnavailable ${maxUnavailable ?? 1}` : `minAvailable ${minAvailable}`;
  const { expectedPods = 0 } = budget.status ?? {};
  return `PodDisruptionBudget ${nameWithNamespace(budget)} (${said}) lets none of its ${expectedPods} pods go now`;
};

const brokenWords = (budget: Budget, broken: Pod): MayBeRefused => {
  const { currentHealthy = 0, desiredHealthy = 0 } = budget.status ?? {};
  return {
    because:
      `PodDisruptionBudget ${nameWithNamespace(budget)} needs ${desiredHealthy} healthy pods and has ${currentHealthy}, and pod ` +
      `${nameWithNamespace(broken)} has not been Ready for more than ${brokenMs / 60_000} minutes`,
    help: 'let its project repair that pod, or set unhealthyPodEvictionPolicy: AlwaysAllow in the budget',
  };
};
