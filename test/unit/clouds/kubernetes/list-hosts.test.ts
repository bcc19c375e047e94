import { listHosts } from '../../../../clouds/kubernetes/hosts/list-hosts';
import type { ResourceSlice } from '../../../../clouds/kubernetes/objects/others';
import { type Pod, runLabel } from '../../../../clouds/kubernetes/objects/pods';
import { aCluster, aNode, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const labelled = (name: string) => aNode({ metadata: { name, uid: name, labels: { disk: name, zone: 'a' } } });

const zoneLabel = 'topology.kubernetes.io/zone';

const onNode = (ownerKind: string, metadata: Partial<Pod['metadata']> = {}) =>
  aPod({
    metadata: { name: 'pod-1', namespace: 'web', uid: 'uid-1', ...anOwner(ownerKind), ...metadata },
    spec: {
      nodeName: 'node-1',
      nodeSelector: { disk: 'node-1' },
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-1'] }] }],
          },
        },
      },
    },
  });

const offersWith = (pod: Pod) =>
  listHosts(aCluster({ nodes: ['node-1', 'node-2'].map(labelled), pods: [pod], jobNamespace: 'work' })).map(
    ({ offers }) => offers,
  );

it.each([
  { what: 'a DaemonSet', pod: onNode('DaemonSet') },
  { what: "Parley's own Jobs", pod: onNode('Job', { namespace: 'work', labels: { [runLabel]: 'key' } }) },
  { what: 'a workload that has ended', pod: { ...onNode('Job'), status: { phase: 'Succeeded' } } },
])('what a pod of $what asks for makes no class of nodes', ({ pod }) => {
  expect(offersWith(pod)).toEqual([undefined, undefined]);
});

it('a node that is not Ready tells since when', () => {
  const lastTransitionTime = '2026-01-05T00:00:00Z';
  const ready = (status: string) => [{ type: 'Ready', status, lastTransitionTime }];
  const states = ['True', 'False', 'Unknown'].map((status) =>
    aNode({ metadata: { name: status, uid: status }, status: { conditions: ready(status) } }),
  );
  const hosts = listHosts(aCluster({ nodes: states }));
  const since = new Date(lastTransitionTime);
  expect(hosts.map(({ isUp, downSince }) => ({ isUp, downSince }))).toEqual([
    { isUp: true },
    { isUp: false, downSince: since },
    { isUp: false, downSince: since },
  ]);
});

it.each([
  { what: 'the zone of its region', labels: { [zoneLabel]: 'b' }, told: { [zoneLabel]: 'b', zone: 'b' } },
  {
    what: 'a label that it has itself',
    labels: { [zoneLabel]: 'b', zone: 'own' },
    told: { [zoneLabel]: 'b', zone: 'own' },
  },
  { what: 'no zone', labels: { rack: 'r1' }, told: { rack: 'r1' } },
])('a node tells its labels, and $what as zone', ({ labels, told }) => {
  const node = aNode({ metadata: { name: 'node-1', uid: 'uid', labels } });
  expect(listHosts(aCluster({ nodes: [node] }))).toMatchObject([{ labels: told }]);
});

it('what an instance asks for makes classes of nodes', () => {
  expect(offersWith(onNode('ReplicaSet'))).toEqual([
    '{"labels":{"disk":"node-1"},"name":"node-1"}',
    '{"labels":{"disk":"node-2"},"name":"node-2"}',
  ]);
});

it('a node tells its devices, also those that it has lost, and what keeps pods away from it', () => {
  const node = aNode({
    spec: {
      unschedulable: true,
      taints: [
        { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
        { key: 'node.kubernetes.io/disk-pressure', effect: 'NoSchedule' },
        { key: 'soft', effect: 'PreferNoSchedule' },
        { key: 'dedicated', value: 'db', effect: 'NoExecute' },
      ],
    },
    status: { allocatable: { cpu: '8', pods: '110', 'nvidia.com/gpu': '0', 'hugepages-2Mi': '4Mi' } },
  });
  expect(listHosts(aCluster({ nodes: [node] }))).toMatchObject([
    {
      devices: { 'nvidia.com/gpu': 0, 'hugepages-2Mi_mib': 4 },
      keepsAway: ['taint node.kubernetes.io/disk-pressure:NoSchedule', 'taint dedicated=db:NoExecute'],
    },
  ]);
});

it('a node tells what its CSI drivers and DRA drivers offer, by the newest generation of each pool', () => {
  const slice = (
    name: string,
    [generation, devices]: readonly [number, number],
    nodeName = 'node-1',
  ): ResourceSlice => ({
    metadata: { name, uid: name },
    spec: {
      ...{ driver: 'gpu.example.com', nodeName, pool: { name: 'gpus', generation } },
      devices: Array.from({ length: devices }, (_, at) => ({ name: `gpu-${at}` })),
    },
  });
  const drivers = [{ name: 'disk.example.com', allocatable: { count: 25 } }, { name: 'file.example.com' }];
  const cluster = aCluster({
    nodes: [aNode({ metadata: { name: 'node-1', uid: 'node-1' }, status: { allocatable: {} } })],
    csiNodes: [{ metadata: { name: 'node-1', uid: 'csi' }, spec: { drivers } }],
    resourceSlices: [slice('a', [2, 4]), slice('b', [2, 3]), slice('old', [1, 8]), slice('c', [2, 1], 'node-2')],
  });
  expect(listHosts(cluster)[0]?.devices).toEqual({
    'volumes of CSI driver disk.example.com': 25,
    'CSI driver file.example.com': 1,
    'devices of driver gpu.example.com': 7,
  });
});
