import { groupsFrom } from '../../../../clouds/kubernetes/instances/list-groups';
import { annotationNames } from '../../../../clouds/kubernetes/limits/annotations';
import { createStandingTeller } from '../../../../clouds/kubernetes/limits/pods-away';
import type { PodGroup } from '../../../../clouds/kubernetes/objects/others';
import { aCluster, anOwner, aPod } from '../../../builders/a-kubernetes-object';

const gang = (name: string, nodeName?: string) =>
  aPod({
    metadata: {
      ...{ name, uid: `uid-of-${name}`, ...anOwner('Job', 'train') },
      annotations: { [annotationNames.maxImpactedMembers]: '1', [annotationNames.recoveryTime]: '60' },
    },
    spec: {
      schedulingGroup: { podGroupName: 'ring' },
      containers: [],
      ...(nodeName === undefined ? {} : { nodeName }),
    },
  });

const ring = (disruptionMode: PodGroup['spec']['disruptionMode']): PodGroup => ({
  metadata: { name: 'ring', namespace: 'web', uid: 'uid-of-ring' },
  spec: { ...(disruptionMode && { disruptionMode }) },
});

const groupsOf = (podGroups: readonly PodGroup[]) => {
  const pods = [gang('a', 'node-1'), gang('b', 'node-2')];
  return groupsFrom({ cluster: aCluster({ pods, podGroups }), standings: createStandingTeller(300) });
};

it('pods that are disrupted together are one unit, whatever limit their workload has for single pods', () => {
  expect(groupsOf([ring({ all: {} })])).toMatchObject([
    {
      ...{ groupId: 'uid-of-ring', groupName: 'PodGroup ring', instanceIds: ['uid-of-a', 'uid-of-b'] },
      ...{ keptBy: { kind: 'service', limit: 'unit' }, maxImpactedMembers: 2, recoveryTimeSeconds: 60 },
    },
  ]);
});

it.each([
  { mode: 'single pods may be disrupted', podGroups: [ring(undefined)] },
  { mode: 'nobody serves PodGroups', podGroups: [] },
])('pods of a PodGroup are those of their workload where $mode', ({ podGroups }) => {
  const groups = groupsOf(podGroups);
  expect(groups).toMatchObject([{ groupId: 'uid-of-train', groupName: 'Job train', maxImpactedMembers: 1 }]);
  expect(groups[0]).not.toHaveProperty('keptBy');
});
