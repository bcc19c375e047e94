/** Expectations as the scheduler of Kubernetes 1.37 was seen to count, and as its documentation of the fields says. */
import { createSpreads } from '../../../../clouds/kubernetes/instances/spreads';
import type { Node } from '../../../../clouds/kubernetes/objects/nodes';
import type { Pod, SpreadConstraint } from '../../../../clouds/kubernetes/objects/pods';
import { aCluster, aNode, aPod } from '../../../builders/a-kubernetes-object';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';
const cordoned = 'node.kubernetes.io/unschedulable';

const nodeWith = (name: string, labels: Readonly<Record<string, string>>, spec: Node['spec'] = {}): Node =>
  aNode({ metadata: { name, uid: name, labels: { [hostname]: name, ...labels } }, spec });

const nodes = [
  nodeWith('a', { [zone]: 'z1', disk: 'ssd' }),
  nodeWith('b', { [zone]: 'z2' }, { unschedulable: true, taints: [{ key: cordoned, effect: 'NoSchedule' }] }),
  nodeWith('c', { [zone]: 'z2' }, { taints: [{ key: 'dedicated', value: 'gpu', effect: 'NoSchedule' }] }),
  nodeWith('unlabelled', {}),
];

const overHosts: SpreadConstraint = {
  ...{ maxSkew: 1, topologyKey: hostname, whenUnsatisfiable: 'DoNotSchedule' },
  labelSelector: { matchLabels: { app: 'web' } },
};
const overZones: SpreadConstraint = { ...overHosts, topologyKey: zone };

const podWith = (constraints: SpreadConstraint[], given: { [Field in keyof Pod]?: Partial<Pod[Field]> } = {}): Pod =>
  aPod({
    metadata: { name: 'web-1', namespace: 'web', labels: { app: 'web', version: '1' }, ...given.metadata },
    spec: { nodeName: 'a', containers: [], ...given.spec, topologySpreadConstraints: constraints },
  });

const spreadsOf = createSpreads(aCluster({ nodes }));
const partsOf = (pod: Pod) => spreadsOf(pod).map(({ partOf }) => Object.fromEntries(partOf));

it.each<{ pod: string; given: Pod; parts: readonly Readonly<Record<string, string>>[] }>([
  {
    pod: 'over hosts has a part for each node, cordoned and tainted ones too',
    given: podWith([overHosts]),
    parts: [{ a: 'a', b: 'b', c: 'c', unlabelled: 'unlabelled' }],
  },
  {
    pod: 'over zones and hosts counts only nodes with the labels of both',
    given: podWith([overZones, overHosts]),
    parts: [
      { a: 'z1', b: 'z2', c: 'z2' },
      { a: 'a', b: 'b', c: 'c' },
    ],
  },
  {
    pod: 'with a node selector counts the nodes that it chooses',
    given: podWith([overHosts], { spec: { nodeSelector: { disk: 'ssd' } } }),
    parts: [{ a: 'a' }],
  },
  {
    pod: 'whose affinity is ignored counts all nodes',
    given: podWith([{ ...overHosts, nodeAffinityPolicy: 'Ignore' }], { spec: { nodeSelector: { disk: 'ssd' } } }),
    parts: [{ a: 'a', b: 'b', c: 'c', unlabelled: 'unlabelled' }],
  },
  {
    pod: 'that honors taints counts no tainted node, and leaves a cordoned one to planning',
    given: podWith([{ ...overZones, nodeTaintsPolicy: 'Honor' }]),
    parts: [{ a: 'z1', b: 'z2' }],
  },
  {
    pod: 'that tolerates a taint which it honors counts that node',
    given: podWith([{ ...overZones, nodeTaintsPolicy: 'Honor' }], { spec: { tolerations: [{ operator: 'Exists' }] } }),
    parts: [{ a: 'z1', b: 'z2', c: 'z2' }],
  },
  {
    pod: 'that may be placed anyway has none',
    given: podWith([{ ...overHosts, whenUnsatisfiable: 'ScheduleAnyway' }]),
    parts: [],
  },
  {
    pod: 'that its own constraint does not select has none',
    given: podWith([{ ...overHosts, labelSelector: { matchLabels: { app: 'db' } } }]),
    parts: [],
  },
  {
    pod: 'without a selector has none',
    given: podWith([{ maxSkew: 1, topologyKey: hostname, whenUnsatisfiable: 'DoNotSchedule' }]),
    parts: [],
  },
  {
    pod: 'that is ending counts no more',
    given: podWith([overHosts], { metadata: { name: 'web-1', deletionTimestamp: '2026-11-28T00:00:00Z' } }),
    parts: [],
  },
])('a pod $pod', ({ given, parts }) => {
  expect(partsOf(given)).toEqual(parts);
});

describe('pods are counted together', () => {
  const keyOf = (constraint: SpreadConstraint, metadata: Partial<Pod['metadata']> = {}) =>
    spreadsOf(
      podWith([constraint], { metadata: { namespace: 'web', labels: { app: 'web', version: '1' }, ...metadata } }),
    )[0]?.key;
  const version2 = { labels: { app: 'web', version: '2' } };
  const byVersion = { ...overHosts, matchLabelKeys: ['version'] };

  it.each([
    { pods: 'of one constraint', one: keyOf(overHosts), other: keyOf(overHosts, version2), together: true },
    { pods: 'of two namespaces', one: keyOf(overHosts), other: keyOf(overHosts, { namespace: 'b' }), together: false },
    { pods: 'with other limits', one: keyOf(overHosts), other: keyOf({ ...overHosts, maxSkew: 2 }), together: false },
    { pods: 'of two versions by a key', one: keyOf(byVersion), other: keyOf(byVersion, version2), together: false },
    { pods: 'of one version by a key', one: keyOf(byVersion), other: keyOf(byVersion), together: true },
  ])('$pods: $together', ({ one, other, together }) => {
    expect(one === other).toBe(together);
  });
});

it('says how far a part may be ahead, of how many parts, and whether a cordoned node is one', () => {
  expect(spreadsOf(podWith([{ ...overZones, maxSkew: 2, minDomains: 3, nodeTaintsPolicy: 'Honor' }]))).toMatchObject([
    { name: `topology spread over ${zone} (maxSkew 2)`, maxSkew: 2, minParts: 3, onlyTargets: true },
  ]);
});
