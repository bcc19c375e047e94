import { whyKept } from '../../../../clouds/kubernetes/instances/kept-pods';
import type { Pod } from '../../../../clouds/kubernetes/objects/pods';
import type { EvictionDefaults } from '../../../../rules/cloud/eviction';
import { anOwner, aPod } from '../../../builders/a-kubernetes-object';

const keepAll: EvictionDefaults = { unmanagedPods: 'keep', localData: 'keep', forced: 'keep' };
const keepNone: EvictionDefaults = { unmanagedPods: 'delete', localData: 'delete', forced: 'keep' };

const withVolumes = (mayBeLost: string): Pod =>
  aPod({
    metadata: {
      ...{ name: 'pod-1', ...anOwner('ReplicaSet') },
      annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes': mayBeLost },
    },
    spec: {
      volumes: [
        { name: 'tmp', emptyDir: {} },
        { name: 'shared', emptyDir: { medium: 'Memory' } },
        { name: 'cache', emptyDir: {} },
      ],
    },
  });

it.each([
  { situation: 'nothing says that its volumes may be lost', pod: withVolumes(''), why: /its volume tmp .emptyDir/ },
  { situation: 'one of its volumes may not be lost', pod: withVolumes('tmp'), why: /its volume cache .emptyDir/ },
  { situation: 'another volume may be lost', pod: withVolumes('tmp-2,cache-2'), why: /its volume tmp .emptyDir/ },
  { situation: 'no controller makes it again', pod: aPod(), why: /no controller makes this pod again/ },
])('a pod is kept where $situation', ({ pod, why }) => {
  expect(whyKept(pod, {}, keepAll)).toMatch(why);
  expect(whyKept(pod, {}, keepNone)).toBeUndefined();
  expect(whyKept(pod, { eviction: keepNone }, keepAll)).toBeUndefined();
  expect(whyKept(pod, { eviction: keepAll }, keepNone)).toMatch(why);
});

it.each(['tmp,cache', ' cache , tmp '])(
  'a pod is not kept where all its volumes on disk may be lost: "%s"',
  (names) => {
    expect(whyKept(withVolumes(names), {}, keepAll)).toBeUndefined();
  },
);
