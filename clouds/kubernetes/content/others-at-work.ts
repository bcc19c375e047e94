/**
 * Finds who else drains or maintains a node: a tool that has set one of Kubernetes' lifecycle conditions, kured, or the
 * Node Maintenance Operator. The service waits for them, and never fights: two that drain, reboot and uncordon one node
 * undo each other's work.
 */
import type { HostDoubt } from '../../../rules/cloud/host-findings';
import { createRecent } from '../../recent';
import type { KubernetesClient } from '../client/kubernetes-client';
import { listIfAllowed } from '../client/list-if-allowed';
import { nameWithNamespace } from '../client/resource';
import { ownConditionReason } from '../hosts/conditions';
import type { Node } from '../objects/nodes';
import { type DaemonSet, daemonSets, type NodeMaintenance, nodeMaintenances } from '../objects/others';

/** Looks at hosts that are made side by side share what they list. */
const keptMs = 2_000;

/** The doubts about a node for which others are the reason. */
export type OthersAtWork = (node: Node) => Promise<readonly HostDoubt[]>;

export const createOthersAtWork = ({ client }: { readonly client: KubernetesClient }): OthersAtWork => {
  const locks = createRecent({
    read: () => Promise.all([listIfAllowed(client, daemonSets), listIfAllowed(client, nodeMaintenances)]),
    keepMs: keptMs,
  });
  return async (node) => {
    const [sets, maintenances] = await locks.get();
    return [...byCondition(node), ...byKured(node, sets), ...byOperator(node, maintenances)];
  };
};

const doubt = (because: string, help: string): HostDoubt => ({ owner: 'operator', because, help });

/** `MaintenancePlanned` and `Drained` by themselves say that nobody is at work. */
const atWork = new Set(['DrainInProgress', 'MaintenanceInProgress', 'GracefulNodeShutdownInProgress']);

const byCondition = ({ metadata: { name }, status }: Node): HostDoubt[] =>
  (status?.conditions ?? [])
    .filter((each) => atWork.has(each.type) && each.status === 'True' && each.reason !== ownConditionReason)
    .map(({ type, reason = 'no reason given', message = '' }) =>
      doubt(
        `somebody else is at work on host ${name}: its condition ${type} is true (${reason}${message && `: ${message}`})`,
        'wait until whoever set the condition takes it back',
      ),
    );

const kuredIsRebooting = 'weave.works/kured-reboot-in-progress';
const kuredLock = 'weave.works/kured-node-lock';

const byKured = ({ metadata: { name, annotations = {} } }: Node, sets: readonly DaemonSet[]): HostDoubt[] => {
  const lock = sets.find(({ metadata }) => lockedNode(metadata.annotations?.[kuredLock]) === name);
  if (lock === undefined && annotations[kuredIsRebooting] === undefined) return [];
  const where = lock === undefined ? `annotation ${kuredIsRebooting}` : `lock on DaemonSet ${nameWithNamespace(lock)}`;
  return [doubt(`kured is at work on host ${name} (${where})`, 'wait until kured is done, or release its lock')];
};

/** The lock is JSON that names the node. An operator who keeps kured from working locks it for no node. */
const lockedNode = (lock: string | undefined): string | undefined => {
  const [, node] = /"nodeID"\s*:\s*"([^"]*)"/.exec(lock ?? '') ?? [];
  return node;
};

const byOperator = ({ metadata: { name: node } }: Node, all: readonly NodeMaintenance[]): HostDoubt[] =>
  all
    .filter(({ spec }) => spec.nodeName === node)
    .map(({ metadata: { name }, spec: { reason = 'no reason given' } }) =>
      doubt(
        `the Node Maintenance Operator has host ${node} in maintenance (NodeMaintenance ${name}: ${reason})`,
        `delete NodeMaintenance ${name} when that work is done`,
      ),
    );
