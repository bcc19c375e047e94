/** Turns pods into instances. */
import type { CloudInstance, KeptUnless } from '../../../rules/cloud/cloud-facts';
import type { PlaceAfter } from '../../../rules/cloud/departure';
import type { EvictionDefaults } from '../../../rules/cloud/eviction';
import { wayIn } from '../../../rules/cloud/seen-in-session';
import type { Cluster } from '../cache/cluster';
import { needsOf } from '../classes/needs';
import { tolerates } from '../classes/why-not';
import { amountsOfPod } from '../hosts/amounts';
import { type BudgetIndex, createBudgetIndex } from '../limits/budget-index';
import { whyNotEvicted } from '../limits/why-not-evicted';
import { controllerOf, isPodReady, type Pod, secondsToReady, uidOf } from '../objects/pods';
import type { NodeSelector } from '../objects/selectors';
import type { Surger } from '../surge/surge';
import { endsByItself } from './ends-by-itself';
import { endsForGood } from './ends-for-good';
import { lossesOf } from './kept-pods';
import { createSpreads, type SpreadsOf } from './spreads';
import { toldOf, workloadOf } from './workload';

/** Most processes end in a moment. */
const usualEndSeconds = 2;

export interface InstanceSources {
  readonly cluster: Cluster;
  /** The settings of the service. */
  readonly eviction: EvictionDefaults;
  readonly completeSeconds: number;
  /** Decides whether one more replica lets a pod go. */
  readonly surgeFor: Surger['decide'];
}

export const instancesFrom = (sources: InstanceSources, pods: Iterable<Pod>): CloudInstance[] => {
  const look: LookAtPods = { index: createBudgetIndex(sources.cluster), spreadsOf: createSpreads(sources.cluster) };
  return [...pods].filter(sources.cluster.isInstance).map((pod) => instanceFrom(sources, look, pod));
};

/** Serves all pods of one look. */
interface LookAtPods {
  readonly index: BudgetIndex;
  readonly spreadsOf: SpreadsOf;
}

const instanceFrom = (sources: InstanceSources, look: LookAtPods, pod: Pod): CloudInstance => {
  const { cluster, eviction, completeSeconds } = sources;
  const { name, namespace = '' } = pod.metadata;
  const { leadTimeSeconds, wantsQuestions, completes = false, terms } = toldOf(cluster, pod);
  const keptUnless = whatKeeps(sources, look.index, pod);
  return {
    instanceId: uidOf(pod),
    instanceName: name,
    projectId: projectOf(cluster, namespace),
    host: pod.spec.nodeName ?? '',
    flavor: workloadOf(cluster, pod).name,
    amounts: amountsOfPod(pod),
    ...whereItMayGo(cluster, look, pod),
    state: stateOf(pod),
    departure: {
      ...wayIn(null, keptUnless),
      place: placeAfter(pod, eviction),
      ...endsByItself(pod, completes, completeSeconds),
    },
    ...(keptUnless.length > 0 && { keptUnless }),
    ...(serves(pod) ? {} : { isUnhealthy: true }),
    ...whatComesAfter(pod),
    ...endsForGood(cluster, pod),
    ...expectedMoveOf(pod),
    ...(leadTimeSeconds !== undefined && { leadTimeSeconds }),
    ...(wantsQuestions && { wantsQuestions }),
    ...(terms && { terms }),
  };
};

const whatComesAfter = (pod: Pod): Pick<CloudInstance, 'madeAtMs' | 'mayComeBack' | 'keepsName'> => ({
  madeAtMs: Date.parse(pod.metadata.creationTimestamp ?? '') || 0,
  ...whyBack(pod),
  ...(controllerOf(pod)?.kind === 'StatefulSet' && { keepsName: true }),
});

/** The pod that takes its place starts as this one has started. What it takes to end is not seen. */
const expectedMoveOf = (pod: Pod): Pick<CloudInstance, 'expectedMoveSeconds'> => {
  const seconds = secondsToReady(pod);
  return seconds === undefined ? {} : { expectedMoveSeconds: seconds + usualEndSeconds };
};

const whereItMayGo = (
  cluster: Cluster,
  { spreadsOf }: LookAtPods,
  pod: Pod,
): Pick<CloudInstance, 'needs' | 'spreads'> => {
  const needs = needsOf(pod, selectorsOf(cluster, pod));
  const spreads = spreadsOf(pod);
  return { ...(needs !== '' && { needs }), ...(spreads.length > 0 && { spreads }) };
};

const placeAfter = (pod: Pod, { localData }: EvictionDefaults): PlaceAfter =>
  controllerOf(pod) === undefined ? { kind: 'nowhere' } : { kind: 'elsewhere', ifNone: localData };

const whatKeeps = (
  { cluster, eviction, surgeFor }: InstanceSources,
  index: BudgetIndex,
  pod: Pod,
): readonly KeptUnless[] => {
  // An eviction that was accepted cannot be taken back.
  if (pod.metadata.deletionTimestamp !== undefined) return [];
  const way = whyNotEvicted(index, pod, { nowMs: cluster.nowMs(), surgeFor });
  // A pod that may be deleted past its budgets is kept by none.
  const byBudget = { option: 'forced', byDefault: eviction.forced, way } as const;
  return [...lossesOf(pod, eviction), ...(way.kind === 'moves' ? [] : [byBudget])];
};

const cordonTaint = { key: 'node.kubernetes.io/unschedulable', value: '', effect: 'NoSchedule' };

/** The scheduler puts it on a cordoned node as on any other. */
const whyBack = ({ spec: { tolerations = [] } }: Pod): Pick<CloudInstance, 'mayComeBack'> =>
  tolerations.some((toleration) => tolerates(toleration, cordonTaint))
    ? { mayComeBack: `it tolerates the taint ${cordonTaint.key}, so it may be made again on a cordoned node` }
    : {};

/** What is Ready counts for a budget, until it is to end. */
const serves = (pod: Pod): boolean => isPodReady(pod) && pod.metadata.deletionTimestamp === undefined;

/** The UID of the namespace: a namespace that is made again under its name is another project. */
export const projectOf = (cluster: Cluster, namespace: string): string =>
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
