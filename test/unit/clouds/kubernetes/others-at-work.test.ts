import type { KubernetesClient } from '../../../../clouds/kubernetes/client/kubernetes-client';
import { KubernetesError } from '../../../../clouds/kubernetes/client/kubernetes-error';
import { createOthersAtWork } from '../../../../clouds/kubernetes/content/others-at-work';
import type { Node } from '../../../../clouds/kubernetes/objects/nodes';
import { aNode } from '../../../builders/a-kubernetes-object';

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

type Listed = Readonly<Record<string, readonly unknown[]>>;

/** A client that lists these objects by kind. A kind without any is not served. */
const clientWith = (listed: Listed) =>
  ({
    list: ({ kind }: { kind: string }) => {
      const items = listed[kind];
      if (items === undefined) return Promise.reject(new KubernetesError('list', 404, { said: 'no such', causes: [] }));
      return Promise.resolve({ items, resourceVersion: '1' });
    },
  }) as unknown as KubernetesClient;

it.each([
  {
    what: 'a condition of somebody else',
    node: withCondition('DrainInProgress', 'True', 'Drainer'),
    says: 'somebody else is at work on host node-1: its condition DrainInProgress is true (Drainer: by us)',
  },
  {
    what: 'the annotation of kured',
    node: aNode({ metadata: { name: 'node-1', annotations: { 'weave.works/kured-reboot-in-progress': 'now' } } }),
    says: 'kured is at work on host node-1 (annotation weave.works/kured-reboot-in-progress)',
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
])('$what keeps a host', async ({ node = aNode(), listed = {}, says }) => {
  const doubts = await createOthersAtWork({ client: clientWith(listed) })(node);
  expect(doubts).toMatchObject([{ owner: 'operator', because: says }]);
});

it.each<{ what: string; node?: Node; listed?: Listed }>([
  { what: 'our own condition', node: withCondition('DrainInProgress', 'True', 'ParleySession') },
  { what: 'a condition that is over', node: withCondition('DrainInProgress', 'False', 'Drainer') },
  { what: 'what is only planned', node: withCondition('MaintenancePlanned', 'True', 'Drainer') },
  { what: 'the lock on another node', listed: lockOn('node-2') },
  { what: 'the NodeMaintenance of another node', listed: maintenanceOf('node-2') },
])('$what keeps no host', async ({ node = aNode(), listed = {} }) => {
  await expect(createOthersAtWork({ client: clientWith(listed) })(node)).resolves.toEqual([]);
});
