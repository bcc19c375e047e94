/**
 * The topology spread constraints that the scheduler keeps whatever happens (DoNotSchedule). It counts the pods of a
 * namespace that a constraint selects, and of these only those count here that have the constraint themselves.
 */
import type { Spread } from '../../../rules/cloud/spread';
import type { Cluster } from '../cache/cluster';
import type { PodNeeds } from '../classes/needs';
import { taintsOf } from '../classes/offers';
import { lacksOf } from '../classes/why-not';
import type { Node } from '../objects/nodes';
import { ownSelectorOf, type Pod, type SpreadConstraint } from '../objects/pods';
import { type LabelSelector, selects } from '../objects/selectors';

export type SpreadsOf = (pod: Pod) => readonly Spread[];

/** For one look at the cluster: pods of a workload share what is worked out for the first of them. */
export const createSpreads = ({ nodes }: Pick<Cluster, 'nodes'>): SpreadsOf => {
  const spreads = new Map<string, Spread>();
  const parts = new Map<string, Spread['partOf']>();
  return (pod) => {
    // The scheduler no longer counts a pod that is ending.
    if (pod.metadata.deletionTimestamp !== undefined) return [];
    const constraints = constraintsOf(pod);
    return constraints.flatMap((constraint) => {
      const selector = selectorOf(constraint, pod);
      if (selector === undefined || !selects(selector, pod.metadata.labels)) return [];
      const nodesAsked = nodesAskedFor(pod, constraint, constraints);
      const { maxSkew, minDomains } = constraint;
      const key = JSON.stringify([pod.metadata.namespace, selector, maxSkew, minDomains, nodesAsked]);
      const spread = spreads.get(key) ?? spreadFrom(key, constraint, partsAmong(nodes.all(), nodesAsked, parts));
      spreads.set(key, spread);
      return [spread];
    });
  };
};

const constraintsOf = ({ spec }: Pod): readonly SpreadConstraint[] =>
  (spec.topologySpreadConstraints ?? []).filter(({ whenUnsatisfiable }) => whenUnsatisfiable === 'DoNotSchedule');

/** Undefined selects no pod. A newer API server itself adds the values of `matchLabelKeys` to the selector. */
const selectorOf = (
  { labelSelector, matchLabelKeys = [] }: SpreadConstraint,
  { metadata }: Pod,
): LabelSelector | undefined => {
  if (labelSelector === undefined) return undefined;
  const { matchExpressions = [] } = labelSelector;
  const added = matchLabelKeys.flatMap((key) => {
    const value = metadata.labels?.[key];
    const isThere = matchExpressions.some((one) => one.key === key);
    return value === undefined || isThere ? [] : [{ key, operator: 'In', values: [value] }];
  });
  return { ...labelSelector, matchExpressions: [...matchExpressions, ...added] };
};

/** Which nodes count, and in which part each is. */
interface NodesAsked {
  readonly topologyKey: string;
  /** A node has to have the labels of all constraints of the pod. */
  readonly labels: readonly string[];
  readonly needs: PodNeeds;
  readonly withTaints: boolean;
}

const nodesAskedFor = (
  { spec }: Pod,
  { topologyKey, nodeAffinityPolicy = 'Honor', nodeTaintsPolicy = 'Ignore' }: SpreadConstraint,
  constraints: readonly SpreadConstraint[],
): NodesAsked => {
  const own = ownSelectorOf(spec);
  return {
    topologyKey,
    labels: constraints.map((each) => each.topologyKey),
    needs: {
      ...(nodeAffinityPolicy === 'Honor' && { labels: spec.nodeSelector ?? {}, selectors: own ? [own] : [] }),
      ...(nodeTaintsPolicy === 'Honor' && { tolerations: spec.tolerations ?? [] }),
    },
    withTaints: nodeTaintsPolicy === 'Honor',
  };
};

const partsAmong = (
  nodes: Iterable<Node>,
  asked: NodesAsked,
  known: Map<string, Spread['partOf']>,
): Spread['partOf'] => {
  const text = JSON.stringify(asked);
  const partOf =
    known.get(text) ??
    new Map(
      [...nodes].filter((node) => isAmong(node, asked)).map((node) => [node.metadata.name, partFor(node, asked)]),
    );
  known.set(text, partOf);
  return partOf;
};

const partFor = ({ metadata }: Node, { topologyKey }: NodesAsked): string => metadata.labels?.[topologyKey] ?? '';

const isAmong = (node: Node, { labels, needs, withTaints }: NodesAsked): boolean => {
  const { name, labels: there = {} } = node.metadata;
  const offers = { labels: there, name, taints: withTaints ? taintsOf(node) : [] };
  return labels.every((key) => there[key] !== undefined) && lacksOf(needs, offers).length === 0;
};

const spreadFrom = (
  key: string,
  { topologyKey, maxSkew, minDomains = 1, nodeTaintsPolicy }: SpreadConstraint,
  partOf: Spread['partOf'],
): Spread => ({
  key,
  name: `topology spread over ${topologyKey} (maxSkew ${String(maxSkew)})`,
  maxSkew,
  partOf,
  minParts: minDomains,
  // A cordon is a taint.
  ...(nodeTaintsPolicy === 'Honor' && { onlyTargets: true }),
});
