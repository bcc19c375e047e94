import { needsOf } from '../../../../clouds/kubernetes/classes/needs';
import { askedFor, offersOf, offersOnceItself } from '../../../../clouds/kubernetes/classes/offers';
import { whyNot } from '../../../../clouds/kubernetes/classes/why-not';
import type { PodSpec } from '../../../../clouds/kubernetes/objects/pods';
import type { NodeSelector, Requirement } from '../../../../clouds/kubernetes/objects/selectors';
import { aNode, aPod } from '../../../builders/a-kubernetes-object';

const node = aNode({
  metadata: { name: 'node-1', labels: { zone: 'a', disk: 'ssd', cores: '8', unasked: 'x' } },
  spec: {
    taints: [
      { key: 'dedicated', value: 'db', effect: 'NoSchedule' },
      { key: 'soft', effect: 'PreferNoSchedule' },
      { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' },
      { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
    ],
  },
});
const agent = aPod({
  metadata: { name: 'agent' },
  spec: { containers: [{ ports: [{ hostPort: 80 }, { hostPort: 90, hostIP: '10.0.0.1' }] }] },
});
const tolerant = { tolerations: [{ key: 'dedicated', operator: 'Exists' }] };

const lacksFor = (spec: Partial<PodSpec>, ofVolumes: readonly NodeSelector[] = []): string | undefined => {
  const pod = aPod({ spec });
  return whyNot(needsOf(pod, ofVolumes), offersOf({ node, ownPods: [agent] }, askedFor([pod], ofVolumes)));
};

const selecting = (...matchExpressions: Requirement[]): NodeSelector => ({ nodeSelectorTerms: [{ matchExpressions }] });
const having = (selector: NodeSelector): Partial<PodSpec> => ({
  ...tolerant,
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: selector } },
});

const onPort = (...ports: NonNullable<PodSpec['containers'][number]['ports']>): Partial<PodSpec> => ({
  ...tolerant,
  containers: [{ ports }],
});

it.each<[string, Partial<PodSpec>, string | undefined]>([
  ['nothing that it lacks', tolerant, undefined],
  ['a label that it has', { ...tolerant, nodeSelector: { zone: 'a' } }, undefined],
  ['another value of a label', { ...tolerant, nodeSelector: { zone: 'b', disk: 'ssd' } }, 'label zone=b'],
  ['a node without its taint', {}, 'no taint dedicated=db:NoSchedule'],
  [
    'tolerance of another value',
    { tolerations: [{ key: 'dedicated', value: 'web' }] },
    'no taint dedicated=db:NoSchedule',
  ],
  ['tolerance of this value', { tolerations: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }] }, undefined],
  ['tolerance of everything', { tolerations: [{ operator: 'Exists' }] }, undefined],
  ['one of its disks', having(selecting({ key: 'disk', operator: 'In', values: ['ssd', 'nvme'] })), undefined],
  ['no such disk', having(selecting({ key: 'disk', operator: 'NotIn', values: ['ssd'] })), 'label disk NotIn (ssd)'],
  ['more cores', having(selecting({ key: 'cores', operator: 'Gt', values: ['16'] })), 'label cores Gt (16)'],
  ['a label that it lacks', having(selecting({ key: 'gpu', operator: 'Exists' })), 'label gpu Exists'],
  [
    'one of two terms, of which one fits',
    having({
      nodeSelectorTerms: [
        { matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }] },
        { matchExpressions: [{ key: 'gpu', operator: 'DoesNotExist' }] },
      ],
    }),
    undefined,
  ],
  [
    'another node by its name',
    having({ nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['node-2'] }] }] }),
    'label metadata.name In (node-2)',
  ],
  ['a port of the node that nobody has', onPort({ hostPort: 81 }), undefined],
  ['a port that a pod of the node has', onPort({ hostPort: 80 }), 'free host port 80/TCP'],
  ['that port of another protocol', onPort({ hostPort: 80, protocol: 'UDP' }), undefined],
  ['a port that a pod has on another address', onPort({ hostPort: 90, hostIP: '10.0.0.2' }), undefined],
  ['a port on all addresses', onPort({ hostPort: 90, hostIP: '0.0.0.0' }), 'free host port 90/TCP'],
  ['a port of its own network', onPort({}), undefined],
])('a pod that asks for %s', (_asks, spec, lacks) => expect(lacksFor(spec)).toBe(lacks));

it('a pod is bound to where its volume can be reached', () => {
  const inZone = (zone: string) => selecting({ key: 'zone', operator: 'In', values: [zone] });
  expect(lacksFor(tolerant, [inZone('a')])).toBeUndefined();
  expect(lacksFor(tolerant, [inZone('b')])).toBe('label zone In (b)');
});

it('classes are few: labels that nobody asks for, and tolerations of a state, make none', () => {
  const [one, other] = ['node-2', 'node-3'].map((name) =>
    offersOf({ node: aNode({ metadata: { name } }), ownPods: [] }, askedFor([], [])),
  );
  expect(one).toBe(other);
  const ofState = { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }] };
  expect(needsOf(aPod({ spec: ofState }), [])).toBe('');
});

it.each([
  { state: 'disk-pressure', lacks: 'no taint node.kubernetes.io/disk-pressure:NoSchedule' },
  { state: 'network-unavailable', lacks: 'no taint node.kubernetes.io/network-unavailable:NoSchedule' },
  { state: 'unschedulable', lacks: undefined },
])('the state $state of a node keeps pods away for now', ({ state, lacks }) => {
  const taints = [
    { key: `node.kubernetes.io/${state}`, effect: 'NoSchedule' },
    { key: 'dedicated', effect: 'NoSchedule' },
  ];
  const own = { node: aNode({ spec: { taints } }), ownPods: [] };
  const needs = needsOf(aPod({ spec: tolerant }), []);
  expect(whyNot(needs, offersOf(own, askedFor([], [])))).toBe(lacks);
  const later = offersOnceItself(own, askedFor([], []));
  expect(later === undefined ? undefined : whyNot('', later)).toBe(lacks && 'no taint dedicated:NoSchedule');
});
