import { needsOf } from '../../../../clouds/kubernetes/classes/needs';
import { askedFor, offersOf } from '../../../../clouds/kubernetes/classes/offers';
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
    ],
  },
});
const tolerant = { tolerations: [{ key: 'dedicated', operator: 'Exists' }] };

const lacksFor = (spec: Partial<PodSpec>, ofVolumes: readonly NodeSelector[] = []): string | undefined => {
  const pod = aPod({ spec });
  return whyNot(needsOf(pod.spec, ofVolumes), offersOf(node, askedFor([pod], ofVolumes)));
};

const selecting = (...matchExpressions: Requirement[]): NodeSelector => ({ nodeSelectorTerms: [{ matchExpressions }] });
const having = (selector: NodeSelector): Partial<PodSpec> => ({
  ...tolerant,
  affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: selector } },
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
])('a pod that asks for %s', (_asks, spec, lacks) => expect(lacksFor(spec)).toBe(lacks));

it('a pod is bound to where its volume can be reached', () => {
  const inZone = (zone: string) => selecting({ key: 'zone', operator: 'In', values: [zone] });
  expect(lacksFor(tolerant, [inZone('a')])).toBeUndefined();
  expect(lacksFor(tolerant, [inZone('b')])).toBe('label zone In (b)');
});

it('classes are few: labels that nobody asks for, and tolerations of a state, make none', () => {
  const [pod, other] = [aNode({ metadata: { name: 'node-2' } }), aNode({ metadata: { name: 'node-3' } })];
  expect(offersOf(pod, askedFor([], []))).toBe(offersOf(other, askedFor([], [])));
  const ofState = { tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute' }] };
  expect(needsOf(aPod({ spec: ofState }).spec, [])).toBe('');
});
