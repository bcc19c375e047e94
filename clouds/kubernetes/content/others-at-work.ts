/**
 * Finds who else drains or maintains a node: by the marks on it (marks.ts), or by what kured, the Node Maintenance
 * Operator and the system-upgrade-controller keep elsewhere. The service waits for them, and never fights: two that
 * drain, reboot and uncordon one node undo each other's work. An admin may have a session ignore a mark that nobody
 * takes back.
 */
import { createRecent } from '../../../calls/recent';
import { type HostDoubt, withoutMarks } from '../../../rules/cloud/host-findings';
import { atTime } from '../../../rules/obstacles/blocker';
import type { Cluster } from '../cache/cluster';
import type { KubernetesClient } from '../client/kubernetes-client';
import { listIfAllowed } from '../client/list-if-allowed';
import { nameWithNamespace } from '../client/resource';
import { ownConditionReason } from '../hosts/conditions';
import type { Node } from '../objects/nodes';
import { type DaemonSet, daemonSets, type NodeMaintenance, nodeMaintenances } from '../objects/others';
import { hasEnded, type Pod } from '../objects/pods';
import { type FoundMark, marksOn } from './marks';

/** Looks at hosts that are made side by side share what they list. */
const keptMs = 2_000;

/** The doubts about a node for which others are the reason. */
export type OthersAtWork = (node: Node) => Promise<readonly HostDoubt[]>;

export interface OthersSources {
  readonly client: KubernetesClient;
  readonly cluster: Pick<Cluster, 'pods'>;
  /** Further keys of taints that are marks. */
  readonly furtherTaints: readonly string[];
  /** The names of the marks that the session ignores that has the host. */
  readonly ignoredOn: (hostname: string) => Promise<readonly string[]>;
}

export const createOthersAtWork = ({ client, cluster, furtherTaints, ignoredOn }: OthersSources): OthersAtWork => {
  const own = { conditionReason: ownConditionReason, furtherTaints };
  const locks = createRecent({
    read: () => Promise.all([listIfAllowed(client, daemonSets), listIfAllowed(client, nodeMaintenances)]),
    keepMs: keptMs,
  });
  return async (node) => {
    const [sets, maintenances] = await locks.get();
    const found = [
      ...marksOn(node, { ...own, nowMs: client.nowMs() }),
      ...byKuredLock(node, sets),
      ...byOperator(node, maintenances),
      ...byUpgrade(node, cluster.pods.all()),
    ];
    if (found.length === 0) return [];
    return withoutMarks(found.map(doubtAbout), await ignoredOn(node.metadata.name));
  };
};

const orIgnore = 'if nobody does, let the session ignore the mark (parley hosts ignore)';

const doubtAbout = ({ name, says, help = 'wait until they have taken it back', sinceMs }: FoundMark): HostDoubt => ({
  owner: 'operator',
  because: sinceMs === undefined ? says : `${says}, since ${atTime(sinceMs)}`,
  help: `${help}; ${orIgnore}`,
  mark: { name, ...(sinceMs !== undefined && { sinceMs }) },
});

const kuredLock = 'weave.works/kured-node-lock';

const byKuredLock = ({ metadata: { name } }: Node, sets: readonly DaemonSet[]): readonly FoundMark[] => {
  const lock = sets.find(({ metadata }) => lockedNode(metadata.annotations?.[kuredLock]) === name);
  if (lock === undefined) return [];
  const says = `kured is at work on host ${name} (lock on DaemonSet ${nameWithNamespace(lock)})`;
  return [{ name: kuredLock, says, help: 'wait until kured is done, or release its lock' }];
};

/** The lock is JSON that names the node. An operator who keeps kured from working locks it for no node. */
const lockedNode = (lock: string | undefined): string | undefined => {
  const [, node] = /"nodeID"\s*:\s*"([^"]*)"/.exec(lock ?? '') ?? [];
  return node;
};

const byOperator = ({ metadata: { name: node } }: Node, all: readonly NodeMaintenance[]): readonly FoundMark[] =>
  all
    .filter(({ spec }) => spec.nodeName === node)
    .map(({ metadata: { name, creationTimestamp }, spec: { reason = 'no reason given' } }) => ({
      name: `NodeMaintenance/${name}`,
      says: `the Node Maintenance Operator has host ${node} in maintenance (NodeMaintenance ${name}: ${reason})`,
      help: `delete NodeMaintenance ${name} when that work is done`,
      ...sinceIn(creationTimestamp),
    }));

const upgradedNode = 'upgrade.cattle.io/node';
const upgradePlan = 'upgrade.cattle.io/plan';

/** Its Job may run on the node, or drain it from there. */
const byUpgrade = ({ metadata: { name: node } }: Node, pods: Iterable<Pod>): readonly FoundMark[] =>
  [...pods]
    .filter((pod) => pod.metadata.labels?.[upgradedNode] === node && !hasEnded(pod))
    .map(({ metadata: { labels = {}, creationTimestamp } }) => ({
      name: `plan.upgrade.cattle.io/${labels[upgradePlan] ?? ''}`,
      says: `the system-upgrade-controller is at work on host ${node} (plan ${labels[upgradePlan] ?? 'without a name'})`,
      ...sinceIn(creationTimestamp),
    }));

const sinceIn = (time: string | undefined): Pick<FoundMark, 'sinceMs'> =>
  time === undefined ? {} : { sinceMs: Date.parse(time) };
