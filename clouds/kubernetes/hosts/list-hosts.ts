/** Turns nodes into hosts. */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { CloudHost } from '../../../rules/cloud/cloud-facts';
import type { Cluster } from '../cache/cluster';
import { type AskedFor, askedFor, offersOf, offersOnceItself, taintsInWords } from '../classes/offers';
import { isReady, type Node, notReadySince } from '../objects/nodes';
import { belongsToNode, hasEnded, type Pod } from '../objects/pods';
import { amountsOfNode, devicesOfNode } from './amounts';
import { cordonReason } from './cordon';
import { offersOfDrivers } from './drivers';

export const listHosts = (cluster: Cluster, nodes: Iterable<Node> = cluster.nodes.all()): CloudHost[] => {
  const podsOf = podsByNode(cluster.pods.all());
  // A pod of a DaemonSet chooses its node by name: with it, each node would be a class of its own.
  const asked = askedFor([...cluster.pods.all()].filter(cluster.isInstance), selectorsOfVolumes(cluster));
  const driversOn = offersOfDrivers(cluster);
  return [...nodes].map((node) => {
    const pods = podsOf.get(node.metadata.name) ?? [];
    const ofDrivers = driversOn(node.metadata.name);
    return hostFrom(node, { pods, asked, ofDrivers, hasInstances: pods.some(cluster.isInstance) });
  });
};

const selectorsOfVolumes = (cluster: Cluster) =>
  [...cluster.volumes.all()].flatMap(({ spec }) => spec.nodeAffinity?.required ?? []);

const podsByNode = (pods: Iterable<Pod>): ReadonlyMap<string, readonly Pod[]> => {
  const byNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const { nodeName } = pod.spec;
    if (nodeName === undefined || hasEnded(pod)) continue;
    const known = byNode.get(nodeName);
    if (known) known.push(pod);
    else byNode.set(nodeName, [pod]);
  }
  return byNode;
};

interface AroundNode {
  /** Those on the node that have not ended. */
  readonly pods: readonly Pod[];
  readonly asked: AskedFor;
  /** The offers of drivers on the node. */
  readonly ofDrivers: Amounts;
  readonly hasInstances: boolean;
}

const hostFrom = (node: Node, { pods, asked, ofDrivers, hasInstances }: AroundNode): CloudHost => {
  const own = { node, ownPods: pods.filter(belongsToNode) };
  const offers = offersOf(own, asked);
  const onceItself = offersOnceItself(own, asked);
  const isController = controlPlaneLabels.some((label) => node.metadata.labels?.[label] !== undefined);
  const isCordoned = node.spec.unschedulable === true;
  const downSince = notReadySince(node);
  const keepsAway = taintsInWords(node);
  return {
    name: node.metadata.name,
    type: isController ? 'controller' : 'compute',
    ...labelsOf(node),
    isCompute: !isController || takesWorkload(node) || hasInstances,
    amounts: amountsOfNode(node, own.ownPods),
    ...(offers !== '' && { offers }),
    ...(onceItself !== undefined && { offersOnceItself: onceItself }),
    devices: { ...devicesOfNode(node), ...ofDrivers },
    ...(keepsAway.length > 0 && { keepsAway }),
    enabled: !isCordoned,
    isUp: isReady(node),
    ...(downSince !== undefined && { downSince }),
    ...(isCordoned && { disabledReason: cordonReason(node) }),
  };
};

/** The node's own labels. Its zone is `zone`, as in other clouds, unless it has a label of its own with that name. */
const labelsOf = ({ metadata: { labels } }: Node): Pick<CloudHost, 'labels'> => {
  const zone = labels?.['topology.kubernetes.io/zone'];
  return labels === undefined ? {} : { labels: { ...(zone !== undefined && { zone }), ...labels } };
};

/** The label of before Kubernetes 1.24 stays on older clusters. */
const controlPlaneLabels = ['node-role.kubernetes.io/control-plane', 'node-role.kubernetes.io/master'];

/** A node of the control plane keeps workload away by a taint with the name of its label. */
const takesWorkload = ({ spec }: Node): boolean =>
  spec.taints?.some(({ key, effect }) => controlPlaneLabels.includes(key) && effect !== 'PreferNoSchedule') !== true;
