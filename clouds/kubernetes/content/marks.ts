/**
 * The marks on a node by which others say that they are at work on it: autoscalers that remove it, operators that
 * reboot or configure it. One table for all of them; what they keep in other objects is in others-at-work.ts.
 */
import type { Node, Taint } from '../objects/nodes';

/** A mark that is on a node. */
export interface FoundMark {
  /** The key of a taint, an annotation or a label, or the type of a condition. */
  readonly name: string;
  /** A sentence about the node without its full stop. */
  readonly says: string;
  /** Who takes it back, and how, as a sentence without its full stop. Left out: whoever has set it. */
  readonly help?: string;
  /** The time since when it is there, in milliseconds, where the mark tells it. */
  readonly sinceMs?: number;
}

/** Who has set it, with what they do, in words that follow "… is at work on it:". */
interface Other {
  readonly who: string;
  readonly does: string;
}

type Text = Readonly<Record<string, string>>;

const removes = 'it removes the node';

const byTaint: readonly (Other & { readonly key: RegExp })[] = [
  { key: /^ToBeDeletedByClusterAutoscaler$/, who: 'the cluster autoscaler', does: removes },
  { key: /^karpenter\.sh\/(?:disrupted|disruption)$/, who: 'Karpenter', does: removes },
  { key: /^karpenter\.sh\/rebooting$/, who: 'Karpenter', does: 'it reboots the node' },
  { key: /^aws-node-termination-handler\/(?!rebalance)/, who: 'the AWS node termination handler', does: removes },
  { key: /^cloud\.google\.com\/impending-node-termination$/, who: 'Google Cloud', does: removes },
  { key: /^medik8s\.io\/(?:drain|remediation)$/, who: 'an operator of medik8s', does: 'it drains or repairs the node' },
  { key: /^kubevirt\.io\/drain$/, who: 'somebody', does: 'virtual machines are to leave the node' },
  { key: /^node\.kubernetes\.io\/out-of-service$/, who: 'somebody', does: 'they have taken the node out of service' },
];

const mco = 'the machine-config-operator of OpenShift';
const sriov = 'the SR-IOV network operator';
const isTrue = (value: string): boolean => value !== 'false';

const byAnnotation: readonly (Other & {
  readonly key: string;
  readonly isAtWork: (value: string, all: Text) => boolean;
})[] = [
  {
    ...{ key: 'machineconfiguration.openshift.io/state', who: mco, does: 'it configures or reboots the node' },
    isAtWork: (value) => value === 'Working' || value === 'Rebooting',
  },
  {
    ...{ key: 'machineconfiguration.openshift.io/desiredDrain', who: mco, does: 'it drains or uncordons the node' },
    isAtWork: (value, all) => value !== (all['machineconfiguration.openshift.io/lastAppliedDrain'] ?? ''),
  },
  {
    ...{ key: 'sriovnetwork.openshift.io/current-state', who: sriov, does: 'it drains the node' },
    isAtWork: (value) => value === 'Draining' || value === 'DrainComplete',
  },
  {
    ...{ key: 'sriovnetwork.openshift.io/state', who: sriov, does: 'it drains the node' },
    isAtWork: (value) => value.startsWith('Draining'),
  },
  {
    ...{ key: 'cluster.x-k8s.io/delete-machine', who: 'Cluster API', does: removes },
    isAtWork: isTrue,
  },
  {
    ...{ key: 'machine.openshift.io/delete-machine', who: 'the Machine API of OpenShift', does: removes },
    isAtWork: isTrue,
  },
  {
    ...{ key: 'weave.works/kured-reboot-in-progress', who: 'kured', does: 'it reboots the node' },
    isAtWork: () => true,
  },
  {
    key: 'flatcar-linux-update.v1.flatcar-linux.net/reboot-in-progress',
    ...{ who: 'the Flatcar Linux update operator', does: 'it reboots the node' },
    isAtWork: (value) => value === 'true',
  },
];

/** A node that waits for its turn (`upgrade-required`) is not worked on, and neither is one that was given up. */
const upgradesOfDrivers: ReadonlySet<string> = new Set(
  [
    ...['node-maintenance', 'cordon', 'wait-for-jobs', 'pod-deletion', 'drain', 'pod-restart'],
    ...['post-maintenance', 'validation', 'uncordon'],
  ].map((step) => `${step}-required`),
);

const byLabel: readonly (Other & { readonly key: RegExp; readonly values: ReadonlySet<string> })[] = [
  {
    key: /^nvidia\.com\/\w+-driver-upgrade-state$/,
    values: upgradesOfDrivers,
    ...{ who: "NVIDIA's operator", does: 'it upgrades the driver of the node' },
  },
];

/** `MaintenancePlanned` and `Drained` by themselves say that nobody is at work. `Terminating` is Gardener's. */
const conditions = new Set([
  'DrainInProgress',
  'MaintenanceInProgress',
  'GracefulNodeShutdownInProgress',
  'Terminating',
]);

export interface OwnMarks {
  /** The reason of the conditions that the service sets itself. */
  readonly conditionReason: string;
  /** Further keys of taints, from the settings. */
  readonly furtherTaints: readonly string[];
  /** The time of the cluster. */
  readonly nowMs: number;
}

/** The marks on the node, in no order that matters. */
export const marksOn = (node: Node, own: OwnMarks): readonly FoundMark[] => [
  ...ofDeletion(node),
  ...ofConditions(node, own),
  ...(node.spec.taints ?? []).flatMap((taint) => ofTaint(node, taint, own)),
  ...ofAnnotations(node),
  ...ofLabels(node),
];

const nameOf = ({ metadata: { name } }: Node): string => `host ${name}`;

const sinceOf = (time: string | null | undefined): Pick<FoundMark, 'sinceMs'> => {
  const sinceMs = Date.parse(time ?? '');
  return Number.isNaN(sinceMs) ? {} : { sinceMs };
};

const said = (node: Node, { who, does }: Other, where: string): string =>
  `${who} is at work on ${nameOf(node)}: ${does} (${where})`;

const ofDeletion = (node: Node): readonly FoundMark[] => {
  const { deletionTimestamp } = node.metadata;
  if (deletionTimestamp === undefined) return [];
  return [{ name: 'deletionTimestamp', says: `${nameOf(node)} is being deleted`, ...sinceOf(deletionTimestamp) }];
};

const ofConditions = (node: Node, { conditionReason }: OwnMarks): readonly FoundMark[] =>
  (node.status?.conditions ?? [])
    .filter(({ type, status, reason }) => conditions.has(type) && status === 'True' && reason !== conditionReason)
    .map(({ type, reason = 'no reason given', message = '', lastTransitionTime }) => ({
      name: type,
      says: `somebody else is at work on ${nameOf(node)}: its condition ${type} is true (${reason}${message && `: ${message}`})`,
      ...sinceOf(lastTransitionTime),
    }));

const ofTaint = (node: Node, taint: Taint, { furtherTaints, nowMs }: OwnMarks): readonly FoundMark[] => {
  const { key } = taint;
  const known = byTaint.find((one) => one.key.test(key)) ?? (isCandidate(node, taint, nowMs) ? candidate : undefined);
  const other = known ?? (furtherTaints.includes(key) ? furtherTaint : undefined);
  return other === undefined ? [] : [{ name: key, says: said(node, other, `taint ${key}`), ...sinceOfTaint(taint) }];
};

const furtherTaint: Other = { who: 'somebody', does: 'the settings of the service name its mark' };

/** The cluster autoscaler writes the time into the value. */
const sinceOfTaint = ({ timeAdded, value = '' }: Taint): Pick<FoundMark, 'sinceMs'> =>
  /^\d{10}$/.test(value) ? { sinceMs: Number(value) * 1000 } : sinceOf(timeAdded);

const candidate: Other = { who: 'the cluster autoscaler', does: 'it is about to remove the node' };

/** A node that is not removed by then may stay a candidate for ever, such as one of a group that is at its least. */
const candidateMs = 15 * 60_000;

/** The annotation, which a node under work has, makes the autoscaler take its mark back. */
const isCandidate = ({ metadata }: Node, taint: Taint, nowMs: number): boolean => {
  if (taint.key !== 'DeletionCandidateOfClusterAutoscaler') return false;
  if (metadata.annotations?.['cluster-autoscaler.kubernetes.io/scale-down-disabled'] === 'true') return false;
  const { sinceMs } = sinceOfTaint(taint);
  return sinceMs !== undefined && nowMs - sinceMs < candidateMs;
};

const ofAnnotations = (node: Node): readonly FoundMark[] => {
  const { annotations = {} } = node.metadata;
  return byAnnotation.flatMap(({ key, isAtWork, ...other }) => {
    const value = annotations[key];
    if (value === undefined || !isAtWork(value, annotations)) return [];
    return [{ name: key, says: said(node, other, `annotation ${key}: ${value}`) }];
  });
};

const ofLabels = (node: Node): readonly FoundMark[] =>
  Object.entries(node.metadata.labels ?? {}).flatMap(([key, value]) => {
    const known = byLabel.find((one) => one.key.test(key) && one.values.has(value));
    return known === undefined ? [] : [{ name: key, says: said(node, known, `label ${key}: ${value}`) }];
  });
