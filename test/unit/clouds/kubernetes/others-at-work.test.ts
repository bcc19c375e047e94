import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { createOthersAtWork } from '../../../../clouds/kubernetes/content/others-at-work';
import type { Node, Taint } from '../../../../clouds/kubernetes/objects/nodes';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import { aCluster, aNode, aPod } from '../../../builders/a-kubernetes-object';

const lockOn = (nodeID: string) => ({
  DaemonSet: [
    {
      metadata: {
        name: 'kured',
        namespace: 'kube-system',
        annotations: { 'weave.works/kured-node-lock': `{"nodeID":"${nodeID}","metadata":{"unschedulable":false}}` },
      },
    },
  ],
});
const maintenanceOf = (nodeName: string) => ({
  NodeMaintenance: [{ metadata: { name: 'patch' }, spec: { nodeName, reason: 'new disk' } }],
});
const withCondition = (type: string, status: string, reason: string): Node =>
  aNode({ status: { conditions: [{ type, status, reason, message: 'by us' }] } });

const withTaint = (key: string, more: Partial<Taint> = {}): Node =>
  aNode({ spec: { taints: [{ key, effect: 'NoSchedule', ...more }] } });
const withAnnotations = (annotations: Readonly<Record<string, string>>): Node =>
  aNode({ metadata: { name: 'node-1', annotations } });
const withLabel = (key: string, value: string): Node =>
  aNode({ metadata: { name: 'node-1', labels: { [key]: value } } });
const mco = 'machineconfiguration.openshift.io';
const upgradeOn = (node: string, phase = 'Running'): Pod =>
  aPod({
    metadata: { name: 'apply', labels: { 'upgrade.cattle.io/node': node, 'upgrade.cattle.io/plan': 'k3s' } },
    status: { phase },
  });

type Listed = Readonly<Record<string, readonly unknown[]>>;

/** The clock of the cluster, which is ahead of this machine's. */
const clusterMs = Date.now() + 3_600_000;

/** A client that lists these objects by kind. A kind without any is not served. */
const clientWith = (listed: Listed) =>
  ({
    list: ({ kind }: { kind: string }) => {
      const items = listed[kind];
      if (items === undefined) return Promise.reject(new KubernetesError('list', 404, { said: 'no such', causes: [] }));
      return Promise.resolve({ items, resourceVersion: '1' });
    },
    nowMs: () => clusterMs,
  }) as unknown as KubernetesClient;

interface Around {
  readonly listed?: Listed;
  readonly pods?: readonly Pod[];
  readonly ignored?: readonly string[];
}

const doubtsAbout = (node: Node, { listed = {}, pods = [], ignored = [] }: Around = {}) =>
  createOthersAtWork({
    client: clientWith(listed),
    cluster: aCluster({ pods }),
    furtherTaints: ['own.example/at-work'],
    ignoredOn: () => Promise.resolve(ignored),
  })(node);

it.each<{ what: string; node?: Node; says: string } & Around>([
  {
    what: 'a condition of somebody else',
    node: withCondition('DrainInProgress', 'True', 'Drainer'),
    says: 'somebody else is at work on host node-1: its condition DrainInProgress is true (Drainer: by us)',
  },
  {
    what: 'the annotation of kured',
    node: aNode({ metadata: { name: 'node-1', annotations: { 'weave.works/kured-reboot-in-progress': 'now' } } }),
    says: 'kured is at work on host node-1: it reboots the node (annotation weave.works/kured-reboot-in-progress: now)',
  },
  {
    what: 'the lock of kured',
    listed: lockOn('node-1'),
    says: 'kured is at work on host node-1 (lock on DaemonSet kube-system/kured)',
  },
  {
    what: 'a NodeMaintenance',
    listed: maintenanceOf('node-1'),
    says: 'the Node Maintenance Operator has host node-1 in maintenance (NodeMaintenance patch: new disk)',
  },
  {
    what: 'its own deletion',
    node: aNode({ metadata: { name: 'node-1', deletionTimestamp: '2026-01-05T00:00:00Z' } }),
    says: 'host node-1 is being deleted, since 2026-01-05T00:00:00.000Z',
  },
  {
    what: 'the taint of the cluster autoscaler',
    node: withTaint('ToBeDeletedByClusterAutoscaler', { value: '1767571200' }),
    says:
      'the cluster autoscaler is at work on host node-1: it removes the node (taint ToBeDeletedByClusterAutoscaler), ' +
      'since 2026-01-05T00:00:00.000Z',
  },
  {
    what: 'the taint of a node that is about to be removed',
    node: withTaint('DeletionCandidateOfClusterAutoscaler', { value: String(Math.floor(clusterMs / 1000)) }),
    says: 'the cluster autoscaler is at work on host node-1: it is about to remove the node',
  },
  { what: 'the taint of Karpenter', node: withTaint('karpenter.sh/disrupted'), says: 'Karpenter is at work' },
  { what: 'that of an older Karpenter', node: withTaint('karpenter.sh/disruption'), says: 'Karpenter is at work' },
  {
    what: 'a taint that the settings name',
    node: withTaint('own.example/at-work'),
    says: 'somebody is at work on host node-1: the settings of the service name its mark (taint own.example/at-work)',
  },
  {
    what: 'a configuration of OpenShift',
    node: withAnnotations({ [`${mco}/state`]: 'Working' }),
    says: 'the machine-config-operator of OpenShift is at work on host node-1: it configures or reboots the node',
  },
  {
    what: 'a drain of OpenShift',
    node: withAnnotations({ [`${mco}/desiredDrain`]: 'drain-b', [`${mco}/lastAppliedDrain`]: 'uncordon-a' }),
    says: 'the machine-config-operator of OpenShift is at work on host node-1: it drains or uncordons the node',
  },
  {
    what: 'an upgrade of its driver',
    node: withLabel('nvidia.com/gpu-driver-upgrade-state', 'drain-required'),
    says: "NVIDIA's operator is at work on host node-1: it upgrades the driver of the node",
  },
  {
    what: 'a machine that is to be deleted',
    node: withAnnotations({ 'cluster.x-k8s.io/delete-machine': '' }),
    says: 'Cluster API is at work on host node-1: it removes the node',
  },
  {
    what: 'a plan of the system-upgrade-controller',
    pods: [upgradeOn('node-1')],
    says: 'the system-upgrade-controller is at work on host node-1 (plan k3s)',
  },
])('$what keeps a host', async ({ node = aNode(), says, ...around }) => {
  const [doubt, ...others] = await doubtsAbout(node, around);
  expect(others).toEqual([]);
  expect(doubt?.because).toContain(says);
  expect(await doubtsAbout(node, { ...around, ignored: [doubt?.mark?.name ?? ''] })).toEqual([]);
});

it('the age of a mark is told where the mark tells it', async () => {
  const [doubt] = await doubtsAbout(withTaint('karpenter.sh/disrupted', { timeAdded: '2026-01-05T00:00:00Z' }));
  expect(doubt?.mark).toEqual({ name: 'karpenter.sh/disrupted', sinceMs: Date.parse('2026-01-05T00:00:00Z') });
});

it.each<{ what: string; node?: Node } & Around>([
  { what: 'our own condition', node: withCondition('DrainInProgress', 'True', 'ParleySession') },
  { what: 'a condition that is over', node: withCondition('DrainInProgress', 'False', 'Drainer') },
  { what: 'what is only planned', node: withCondition('MaintenancePlanned', 'True', 'Drainer') },
  { what: 'the lock on another node', listed: lockOn('node-2') },
  { what: 'the NodeMaintenance of another node', listed: maintenanceOf('node-2') },
  { what: 'the upgrade of another node', pods: [upgradeOn('node-2')] },
  { what: 'an upgrade that is over', pods: [upgradeOn('node-1', 'Succeeded')] },
  { what: 'a taint of its own', node: withTaint('dedicated') },
  {
    what: 'a candidate for removal that nobody removes',
    node: withTaint('DeletionCandidateOfClusterAutoscaler', { value: '1767571200' }),
  },
  { what: 'a configuration that is done', node: withAnnotations({ [`${mco}/state`]: 'Done' }) },
  {
    what: 'a drain that is over',
    node: withAnnotations({ [`${mco}/desiredDrain`]: 'uncordon-a', [`${mco}/lastAppliedDrain`]: 'uncordon-a' }),
  },
  { what: 'an upgrade that waits', node: withLabel('nvidia.com/gpu-driver-upgrade-state', 'upgrade-required') },
  { what: 'an upgrade that is done', node: withLabel('nvidia.com/gpu-driver-upgrade-state', 'upgrade-done') },
])('$what keeps no host', async ({ node = aNode(), ...around }) => {
  await expect(doubtsAbout(node, around)).resolves.toEqual([]);
});
