/** The class of a node: its labels, as far as pods ask for them, its taints and, where asked for, its name, as text. */
import { canonicalText } from '../../canonical';
import { areInConflict, type HostPort, hostPortsOf, hostPortWords } from '../objects/host-ports';
import type { Node, Taint } from '../objects/nodes';
import { ownSelectorOf, type Pod } from '../objects/pods';
import type { NodeSelector, NodeSelectorTerm } from '../objects/selectors';
import { isOfKnownState, isPassing } from './taints-of-state';

export interface NodeOffers {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Pick<Taint, 'key' | 'value' | 'effect'>[];
  /** Its name, when a pod or a volume chooses nodes by name. */
  readonly name?: string;
  /** The ports that its own pods have taken, as far as other pods want them. */
  readonly takenPorts?: readonly HostPort[];
}

/** The labels that pods and volumes ask for. A label that nobody asks for would only make more classes. */
export interface AskedFor {
  readonly labels: ReadonlySet<string>;
  readonly names: boolean;
  readonly hostPorts: readonly HostPort[];
}

export const askedFor = (pods: Iterable<Pod>, ofVolumes: Iterable<NodeSelector>): AskedFor => {
  const labels = new Set<string>();
  const hostPorts = new Map<string, HostPort>();
  const terms: NodeSelectorTerm[] = [...ofVolumes].flatMap(({ nodeSelectorTerms }) => nodeSelectorTerms);
  for (const pod of pods) {
    const { spec } = pod;
    for (const port of hostPortsOf(pod)) hostPorts.set(hostPortWords(port), port);
    for (const key of Object.keys(spec.nodeSelector ?? {})) labels.add(key);
    terms.push(...(ownSelectorOf(spec)?.nodeSelectorTerms ?? []));
  }
  for (const { matchExpressions = [] } of terms) for (const { key } of matchExpressions) labels.add(key);
  return {
    labels,
    names: terms.some(({ matchFields = [] }) => matchFields.length > 0),
    hostPorts: [...hostPorts.values()],
  };
};

/** The taints that keep pods away, beside those of a state that planning knows. */
export const taintsOf = ({ spec }: Pick<Node, 'spec'>): readonly Taint[] =>
  (spec.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule' && !isOfKnownState(taint));

/** The same in words, of those that the node has at present. That it is cordoned is no news. */
export const taintsInWords = ({ spec: { taints = [] } }: Pick<Node, 'spec'>): readonly string[] =>
  taints
    .filter(({ key, effect }) => effect !== 'PreferNoSchedule' && key !== 'node.kubernetes.io/unschedulable')
    .map(({ key, value, effect }) => `taint ${key}${value ? `=${value}` : ''}:${effect}`);

/** A node, and the pods that belong to it. */
export interface NodeWithOwn {
  readonly node: Pick<Node, 'metadata' | 'spec'>;
  readonly ownPods: readonly Pod[];
}

export const offersOf = (
  { node: { metadata, spec }, ownPods }: NodeWithOwn,
  { labels: wanted, names, hostPorts }: AskedFor,
): string => {
  const taken = ownPods.flatMap(hostPortsOf).filter((port) => hostPorts.some((other) => areInConflict(port, other)));
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => wanted.has(key));
  const taints = taintsOf({ spec });
  const offers: NodeOffers = {
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...(taints.length > 0 && { taints }),
    ...(names && { name: metadata.name }),
    ...(taken.length > 0 && { takenPorts: taken }),
  };
  return Object.keys(offers).length === 0 ? '' : canonicalText(offers);
};

/** The class that the node has once what keeps pods away for a while has passed; undefined: nothing does. */
export const offersOnceItself = ({ node, ownPods }: NodeWithOwn, asked: AskedFor): string | undefined => {
  const { metadata, spec } = node;
  const { taints = [] } = spec;
  const lasting = taints.filter((taint) => !isPassing(taint));
  if (lasting.length === taints.length) return undefined;
  return offersOf({ node: { metadata, spec: { ...spec, taints: lasting } }, ownPods }, asked);
};
