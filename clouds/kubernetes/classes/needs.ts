/** The class of a pod: what it needs of a node beside amounts, as text. */
import { canonicalText } from '../../canonical';
import { ownSelectorOf, type PodSpec } from '../objects/pods';
import type { NodeSelector } from '../objects/selectors';

export type Toleration = NonNullable<PodSpec['tolerations']>[number];

export interface PodNeeds {
  readonly labels?: Readonly<Record<string, string>>;
  /** Each must fit: the pod's own, and those of its volumes. */
  readonly selectors?: readonly NodeSelector[];
  readonly tolerations?: readonly Toleration[];
}

/** Every pod has these from Kubernetes itself: they concern the state of a node. */
const ofState = (toleration: Toleration): boolean => toleration.key?.startsWith('node.kubernetes.io/') === true;

export const needsOf = (
  { nodeSelector, affinity, tolerations = [] }: PodSpec,
  ofVolumes: readonly NodeSelector[],
): string => {
  const own = ownSelectorOf({ affinity });
  const selectors = [...(own === undefined ? [] : [own]), ...ofVolumes];
  const ofTaints = tolerations.filter((each) => !ofState(each));
  const needs: PodNeeds = {
    ...(nodeSelector !== undefined && Object.keys(nodeSelector).length > 0 && { labels: nodeSelector }),
    ...(selectors.length > 0 && { selectors }),
    ...(ofTaints.length > 0 && { tolerations: ofTaints }),
  };
  return Object.keys(needs).length === 0 ? '' : canonicalText(needs);
};
