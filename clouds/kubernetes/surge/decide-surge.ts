/**
 * Decides whether one more replica lets a pod go that its budget holds for good, whose number is raised for that, and
 * when it is set back. It reads what is known of the cluster, and changes nothing.
 */
import { type IdKey, keyOf } from '../../../rules/cloud/id';
import { apiGroup } from '../api-group';
import type { Cluster } from '../cache/cluster';
import { nameWithNamespace } from '../client/resource';
import { deploymentOf, toldOf } from '../instances/workload';
import { annotationNames } from '../limits/annotations';
import type { Budget } from '../objects/budgets';
import type { Autoscaler, Deployment } from '../objects/others';
import { isPodReady, type Pod, uidOf } from '../objects/pods';

/** Is on the object whose number the service has raised, and says from what to what. */
export const surgedAnnotation = `${apiGroup}/surged`;

/** Sets the number of replicas: the Deployment itself, or the autoscaler that would undo a change of it. */
export type Scaled = Deployment | Autoscaler;

export interface Surge {
  readonly before: number;
  readonly raisedTo: number;
  /** Set where somebody is about to set it back: nobody may rely on it before it is written anew. */
  readonly isEnding?: true;
}

export type SurgeDecision =
  | { readonly kind: 'notAsked' }
  /** In words that follow the reason why the budget holds the pod. */
  | { readonly kind: 'cannot'; readonly because: string }
  | { readonly kind: 'raised'; readonly scaled: Scaled; readonly surge: Surge }
  /** Also where it is raised and about to be set back: `surge.isEnding`. */
  | { readonly kind: 'raise'; readonly scaled: Scaled; readonly surge: Surge };

export const isAutoscaler = (scaled: Scaled): scaled is Autoscaler => 'scaleTargetRef' in (scaled.spec ?? {});

/** The API server fills both in with 1. */
export const numberOf = (scaled: Scaled): number =>
  (isAutoscaler(scaled) ? scaled.spec.minReplicas : scaled.spec?.replicas) ?? 1;

const endingWords = ', to be set back';

export const surgeOf = ({ metadata: { annotations } }: Pick<Scaled, 'metadata'>): Surge | undefined => {
  const remembered = annotations?.[surgedAnnotation] ?? '';
  const [, before, raisedTo, ending] = /^from (\d+) to (\d+)(, to be set back)?$/.exec(remembered) ?? [];
  if (before === undefined) return undefined;
  return { before: Number(before), raisedTo: Number(raisedTo), ...(ending !== undefined && { isEnding: true }) };
};

/** The value of the annotation, from which `surgeOf` reads it. */
export const rememberedAs = ({ before, raisedTo, isEnding }: Surge): string =>
  `from ${before} to ${raisedTo}${isEnding ? endingWords : ''}`;

export interface SurgeSources {
  readonly cluster: Cluster;
  /** The first right for a surge that the login lacks; undefined: it has all of them. */
  readonly missingRight: string | undefined;
}

/** @param budget the only one over the pod, which by its numbers lets none of its pods go, or just did */
export const decideSurge = ({ cluster, missingRight }: SurgeSources, budget: Budget, pod: Pod): SurgeDecision => {
  if (toldOf(cluster, pod).surges !== true) return { kind: 'notAsked' };
  if (missingRight !== undefined) return cannot(`the service lacks the right to ${missingRight}`);
  const deployment = deploymentOf(cluster, pod);
  if (deployment === undefined) return cannot('its pods are those of no Deployment');
  const makers = makersOf(cluster, deployment);
  for (const one of makers) {
    const surge = surgeOf(one);
    if (surge !== undefined) return goOn(one, surge);
  }
  if (!oneMoreHelps(budget)) return cannot('with one more replica the budget would let none go either');
  return begin(deployment, makers[0]);
};

/** The objects that may have been raised, first the one to raise. An autoscaler may be younger than what was raised. */
export const makersOf = (cluster: Cluster, deployment: Deployment): readonly [Scaled, ...Scaled[]] => {
  const autoscaler = autoscalerOf(cluster, deployment);
  return autoscaler === undefined ? [deployment] : [autoscaler, deployment];
};

/**
 * True while its controller gives pods up. An eviction at that moment could be allowed by a count that has the pod
 * which is given up.
 */
export const isShrinking = ({ metadata: { generation = 0 }, spec, status = {} }: Deployment): boolean =>
  (status.observedGeneration ?? generation) < generation || (status.updatedReplicas ?? 0) > (spec?.replicas ?? 1);

const begin = (deployment: Deployment, scaled: Scaled): SurgeDecision => {
  const raisedTo = (deployment.spec?.replicas ?? 1) + 1;
  if (isAutoscaler(scaled) && scaled.spec.maxReplicas < raisedTo) {
    return cannot(
      `HorizontalPodAutoscaler ${nameWithNamespace(scaled)} allows ${scaled.spec.maxReplicas} replicas (maxReplicas)`,
    );
  }
  return { kind: 'raise', scaled, surge: { before: numberOf(scaled), raisedTo } };
};

const cannot = (because: string): SurgeDecision => ({
  kind: 'cannot',
  because: `its annotation ${annotationNames.surge} does not help, since ${because}`,
});

const goOn = (scaled: Scaled, surge: Surge): SurgeDecision => {
  if (numberOf(scaled) === surge.raisedTo) return { kind: surge.isEnding ? 'raise' : 'raised', scaled, surge };
  return cannot(`somebody has changed ${nameOf(scaled)} after the service had raised it to ${surge.raisedTo}`);
};

/** A share of the pods grows with them. */
const oneMoreHelps = ({ spec: { minAvailable }, status = {} }: Budget): boolean => {
  if (minAvailable === undefined) return false;
  const pods = (status.expectedPods ?? 0) + 1;
  const needed = typeof minAvailable === 'number' ? minAvailable : Math.ceil((parseFloat(minAvailable) / 100) * pods);
  return needed < pods;
};

const autoscalerOf = (
  { autoscalers }: Cluster,
  { metadata: { namespace, name } }: Deployment,
): Autoscaler | undefined =>
  [...autoscalers.all()].find(
    ({ metadata, spec: { scaleTargetRef: target } }) =>
      metadata.namespace === namespace && target.kind === 'Deployment' && target.name === name,
  );

/** Such as `Deployment web/shop`. */
export const nameOf = (scaled: Scaled): string =>
  `${isAutoscaler(scaled) ? 'HorizontalPodAutoscaler' : 'Deployment'} ${nameWithNamespace(scaled)}`;

/**
 * - wait: pods of it are still to leave, or too few are Ready.
 * - setBack: the number before counts again.
 * - forget: somebody else has changed the number, which stays.
 */
export type SurgeEnd = 'wait' | 'setBack' | 'forget';

/**
 * @param pods of the Deployment
 * @param moved the pods that are to leave
 */
export const decideEnd = (scaled: Scaled, pods: readonly Pod[], moved: ReadonlySet<IdKey>): SurgeEnd => {
  const surge = surgeOf(scaled);
  if (surge === undefined || pods.some((pod) => moved.has(keyOf(uidOf(pod))))) return 'wait';
  if (numberOf(scaled) !== surge.raisedTo) return 'forget';
  const ready = pods.filter((pod) => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined);
  return ready.length < surge.raisedTo - 1 ? 'wait' : 'setBack';
};
