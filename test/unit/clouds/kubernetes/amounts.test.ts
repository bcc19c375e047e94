import { amountsOfNode, amountsOfPod } from '../../../../clouds/kubernetes/hosts/amounts';
import type { PodSpec } from '../../../../clouds/kubernetes/objects/pods';
import { quantity } from '../../../../clouds/kubernetes/objects/quantity';
import { aNode, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const requesting = (requests: Record<string, string>) => ({ resources: { requests } });
const amountsBy = (spec: Partial<PodSpec>) => amountsOfPod(aPod({ spec }));

describe('a quantity', () => {
  it.each([
    ['100m', 0.1],
    ['1.5', 1.5],
    ['64Mi', 67_108_864],
    ['2e3', 2000],
    ['1E', 1e18],
    ['5k', 5000],
    ['0', 0],
  ])('%s is %d', (text, number) => expect(quantity(text)).toBeCloseTo(number, 9));

  it('is refused by its words where it is none', () => expect(() => quantity('much')).toThrow('"much"'));
});

describe('what a pod takes', () => {
  it.each<[string, Partial<PodSpec>, Record<string, number>]>([
    ['nothing but a place, when it requests nothing', {}, { pods: 1 }],
    [
      'the sum of its containers, in whole units rounded up',
      { containers: [requesting({ cpu: '100m', memory: '64Mi' }), requesting({ cpu: '0.0005', memory: '1' })] },
      { cpu_millicores: 101, memory_mib: 65, pods: 1 },
    ],
    [
      'resources of other names as they are',
      { containers: [requesting({ 'nvidia.com/gpu': '2', 'ephemeral-storage': '1Gi', 'hugepages-2Mi': '4Mi' })] },
      { 'nvidia.com/gpu': 2, ephemeral_storage_mib: 1024, 'hugepages-2Mi_mib': 4, pods: 1 },
    ],
    [
      'what its greatest init container takes, if that is more',
      { containers: [requesting({ cpu: '1' })], initContainers: [requesting({ cpu: '3' }), requesting({ cpu: '2' })] },
      { cpu_millicores: 3000, pods: 1 },
    ],
    [
      'its sidecars, which run beside both, and its overhead',
      {
        containers: [requesting({ cpu: '1' })],
        initContainers: [{ ...requesting({ cpu: '500m' }), restartPolicy: 'Always' }, requesting({ cpu: '700m' })],
        overhead: { cpu: '250m' },
      },
      { cpu_millicores: 1750, pods: 1 },
    ],
    [
      'what it requests as a whole, in place of what its containers request of that resource',
      {
        containers: [requesting({ cpu: '1', memory: '1Gi', 'nvidia.com/gpu': '1' })],
        resources: { requests: { cpu: '2', 'hugepages-2Mi': '4Mi' } },
        overhead: { cpu: '250m' },
      },
      { cpu_millicores: 2250, memory_mib: 1024, 'hugepages-2Mi_mib': 4, 'nvidia.com/gpu': 1, pods: 1 },
    ],
    [
      'what it requests as a whole where its containers request nothing',
      { containers: [{}], resources: { requests: { cpu: '2', memory: '1Gi' } } },
      { cpu_millicores: 2000, memory_mib: 1024, pods: 1 },
    ],
  ])('is %s', (_situation, spec, expected) => expect(amountsBy(spec)).toEqual(expected));
});

describe('what a node has for instances', () => {
  it('is what it can allocate, without the pods that belong to it', () => {
    const spec = { containers: [requesting({ cpu: '50m', memory: '32Mi' })] };
    const ofNode = [aPod({ metadata: anOwner('DaemonSet'), spec })];
    expect(amountsOfNode(aNode(), ofNode)).toEqual({ cpu_millicores: 7950, memory_mib: 32_736, pods: 109 });
  });

  it('is in whole units rounded down, and leaves out what there is none of', () => {
    const allocatable = { cpu: '3920.5m', memory: '1000Ki', 'nvidia.com/gpu': '0' };
    expect(amountsOfNode(aNode({ status: { allocatable } }), [])).toEqual({ cpu_millicores: 3920 });
  });
});
