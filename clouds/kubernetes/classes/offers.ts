/** The class of a node: its labels, as far as pods ask for them, its taints and, where asked for, its name, as text. */
import { canonicalText } from '../../canonical';
import type { Node, Taint } from '../objects/nodes';
import { ownSelectorOf, type Pod } from '../objects/pods';
import type { NodeSelector, NodeSelectorTerm } from '../objects/selectors';

export interface NodeOffers {
  readonly labels?: Readonly<Record<string, string>>;
  readonly taints?: readonly Pick<Taint, 'key' | 'value' | 'effect'>[];
  /** Its name, when a pod or a volume chooses nodes by name. */
  readonly name?: string;
}

/** The labels that pods and volumes ask for. A label that nobody asks for would only make more classes. */
export interface AskedFor {
  readonly labels: ReadonlySet<string>;
  readonly names: boolean;
}

export const askedFor = (pods: Iterable<Pod>, ofVolumes: Iterable<NodeSelector>): AskedFor => {
  const labels = new Set<string>();
  const terms: NodeSelectorTerm[] = [...ofVolumes].flatMap(({ nodeSelectorTerms }) => nodeSelectorTerms);
  for (const { spec } of pods) {
    for (const key of Object.keys(spec.nodeSelector ?? {})) labels.add(key);
    terms.push(...(ownSelectorOf(spec)?.nodeSelectorTerms ?? []));
  }
  for (const { matchExpressions = [] } of terms) for (const { key } of matchExpressions) labels.add(key);
  return { labels, names: terms.some(({ matchFields = [] }) => matchFields.length > 0) };
};

/** Taints that come and go with the state of a node, which planning knows. */
const ofState = ({ key }: Taint): boolean => key.startsWith('node.kubernetes.io/');

/** Those that keep pods away whatever the state of the node is. */
export const taintsOf = ({ spec }: Pick<Node, 'spec'>): readonly Taint[] =>
  (spec.taints ?? []).filter((taint) => taint.effect !== 'PreferNoSchedule' && !ofState(taint));

export const offersOf = ({ metadata, spec }: Node, { labels: wanted, names }: AskedFor): string => {
  const labels = Object.entries(metadata.labels ?? {}).filter(([key]) => wanted.has(key));
  const taints = taintsOf({ spec });
  const offers: NodeOffers = {
    ...(labels.length > 0 && { labels: Object.fromEntries(labels) }),
    ...(taints.length > 0 && { taints }),
    ...(names && { name: metadata.name }),
  };
  return Object.keys(offers).length === 0 ? '' : canonicalText(offers);
};
