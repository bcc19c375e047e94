/**
 * The taint by which the scheduler prefers other nodes to one that is still to be maintained, so that fewer pods are
 * evicted twice. Its key is the service's own.
 */
import { apiGroup } from '../api-group';
import type { Node, Taint } from '../objects/nodes';

const avoidedTaint: Taint = { key: `${apiGroup}/to-be-maintained`, effect: 'PreferNoSchedule' };

const isOwn = ({ key }: Taint): boolean => key === avoidedTaint.key;

/** The taints that the node should have; undefined: it has them. */
export const taintsFor = ({ spec: { taints = [] } }: Node, isToBeAvoided: boolean): readonly Taint[] | undefined => {
  if (taints.some(isOwn) === isToBeAvoided) return undefined;
  const others = taints.filter((taint) => !isOwn(taint));
  return isToBeAvoided ? [...others, avoidedTaint] : others;
};
