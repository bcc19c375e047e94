/** Taints by which Kubernetes and its agents keep pods away from a node for as long as it is in some state. */
import type { Taint } from '../objects/nodes';

type OfKey = Pick<Taint, 'key'>;

/** Planning knows these states of a node as up and enabled. */
const knownStates: ReadonlySet<string> = new Set(
  ['not-ready', 'unreachable', 'unschedulable'].map((state) => `node.kubernetes.io/${state}`),
);

export const isOfKnownState = ({ key }: OfKey): boolean => knownStates.has(key);

/** Pressure, a network or an agent that is not up yet, a node that its cloud or its autoscaler still sets up. */
const passing = [
  /^node\.kubernetes\.io\/(?:memory|disk|pid)-pressure$/,
  /^node\.kubernetes\.io\/network-unavailable$/,
  /^node\.cloudprovider\.kubernetes\.io\//,
  /^readiness\.k8s\.io\//,
  /^karpenter\.sh\/unregistered$/,
  /\/agent-not-ready$/,
];

/** True when the taint is expected to go by itself. */
export const isPassing = ({ key }: OfKey): boolean => passing.some((pattern) => pattern.test(key));
