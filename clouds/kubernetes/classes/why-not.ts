/** Decides by two texts whether a pod of one class may go to a node of another, amounts apart. */
import { readClass } from '../../class-text';
import { areInConflict, hostPortWords } from '../objects/host-ports';
import type { Taint } from '../objects/nodes';
import { meets, type NodeSelectorTerm, requirementWords } from '../objects/selectors';
import type { PodNeeds, Toleration } from './needs';
import type { NodeOffers } from './offers';

/** The words say nothing of the node: they also follow "a host with". */
export const whyNot = (needsText: string, offersText: string): string | undefined => {
  const lacks = lacksOf(readClass(needsText), readClass(offersText));
  return lacks.length === 0 ? undefined : lacks.join(', ');
};

export const lacksOf = (needs: PodNeeds, offers: NodeOffers): readonly string[] => [
  ...ofLabels(needs, offers),
  ...ofSelectors(needs, offers),
  ...ofTaints(needs, offers),
  ...ofHostPorts(needs, offers),
];

type NodeAspect = (needs: PodNeeds, offers: NodeOffers) => readonly string[];

const ofLabels: NodeAspect = ({ labels = {} }, { labels: there = {} }) =>
  Object.entries(labels)
    .filter(([key, value]) => there[key] !== value)
    .map(([key, value]) => `label ${key}=${value}`);

const ofSelectors: NodeAspect = ({ selectors = [] }, offers) =>
  selectors
    .filter(({ nodeSelectorTerms }) => !nodeSelectorTerms.some((term) => fits(term, offers)))
    .map(({ nodeSelectorTerms }) => nodeSelectorTerms.map(termWords).join(' or '));

/** A term without any requirement fits no node. */
const fits = (
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  { labels = {}, name }: NodeOffers,
): boolean =>
  matchExpressions.length + matchFields.length > 0 &&
  matchExpressions.every((requirement) => meets(labels, requirement)) &&
  matchFields.every((requirement) => name === undefined || meets({ 'metadata.name': name }, requirement));

const termWords = ({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm): string =>
  `label ${[...matchExpressions, ...matchFields].map(requirementWords).join(' and ')}`;

const ofTaints: NodeAspect = ({ tolerations = [] }, { taints = [] }) =>
  taints
    .filter((taint) => !tolerations.some((toleration) => tolerates(toleration, { value: '', ...taint })))
    .map(({ key, value, effect }) => `no taint ${key}${value === undefined ? '' : `=${value}`}:${effect}`);

const ofHostPorts: NodeAspect = ({ hostPorts = [] }, { takenPorts = [] }) =>
  hostPorts
    .filter((port) => takenPorts.some((taken) => areInConflict(port, taken)))
    .map((port) => `free host port ${hostPortWords(port)}`);

/** A taint without a value has the empty one. */
type OfferedTaint = Pick<Taint, 'key' | 'effect'> & { readonly value: string };

export const tolerates = (
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: OfferedTaint,
): boolean => {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key === '') return operator === 'Exists';
  return key === taint.key && (operator === 'Exists' || value === taint.value);
};
