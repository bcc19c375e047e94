/** Why a pod is not Ready, in the words of the scheduler or the kubelet. */
import type { Pod } from './pods';

/** Undefined: neither has said anything. */
export const whyNotReady = (pod: Pod): string | undefined => {
  const { status } = pod;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const waiting = containers.flatMap(({ state }) => state?.waiting ?? []).find(({ reason }) => reason !== undefined);
  if (waiting?.reason !== undefined) return withMessage(waiting.reason, waiting.message);
  return whyUnscheduled(pod);
};

/** The scheduler's own words for a pod that it finds no node for; undefined: it has a node, or is to get one. */
export const whyUnscheduled = ({ status }: Pod): string | undefined => {
  const placed = status?.conditions?.find(({ type }) => type === 'PodScheduled');
  if (placed?.status !== 'False' || placed.reason !== 'Unschedulable') return undefined;
  return withMessage(placed.reason, placed.message);
};

/** The message of a registry may be long. */
const mostCharacters = 300;

const withMessage = (reason: string, message: string | undefined): string =>
  message === undefined ? reason : `${reason}: ${message.slice(0, mostCharacters)}`;
