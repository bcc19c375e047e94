/** The class of a pod: what it needs of a node beside amounts, as text. */
import { canonicalText } from '../../canonical';
import { type HostPort, hostPortsOf } from '../objects/host-ports';
import { ownSelectorOf, type Pod, type PodSpec } from '../objects/pods';
import type { NodeSelector } from '../objects/selectors';
import { isOfKnownState } from './taints-of-state';

export type Toleration = NonNullable<PodSpec['tolerations']>[number];

export interface PodNeeds {
  readonly labels?: Readonly<Record<string, string>>;
  /** Each must fit: the pod's own, and those of its volumes. */
  readonly selectors?: readonly NodeSelector[];
  readonly tolerations?: readonly Toleration[];
  readonly hostPorts?: readonly HostPort[];
}

/** Nearly every pod has these from Kubernetes itself. */
const ofKnownState = ({ key }: Toleration): boolean => key !== undefined && isOfKnownState({ key });

export const needsOf = (pod: Pod, ofVolumes: readonly NodeSelector[]): string => {
  const { nodeSelector, affinity, tolerations = [] } = pod.spec;
  const hostPorts = hostPortsOf(pod);
  const own = ownSelectorOf({ affinity });
  const selectors = [...(own === undefined ? [] : [own]), ...ofVolumes];
  const ofTaints = tolerations.filter((each) => !ofKnownState(each));
  const needs: PodNeeds = {
    ...(nodeSelector !== undefined && Object.keys(nodeSelector).length > 0 && { labels: nodeSelector }),
    ...(selectors.length > 0 && { selectors }),
    ...(ofTaints.length > 0 && { tolerations: ofTaints }),
    ...(hostPorts.length > 0 && { hostPorts }),
  };
  return Object.keys(needs).length === 0 ? '' : canonicalText(needs);
};
