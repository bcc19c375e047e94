import type { Group } from '../../../../planning/fleet/fleet';
import { type GroupingInput, type StoredGroup, groupInstances } from '../../../../planning/fleet/group-of';

const instance = { instanceId: 'i', projectId: 'p', flavor: 'small' };
const stored: StoredGroup = {
  groupId: 'g',
  groupName: 'web',
  antiAffinityGroup: true,
  maxInstancesPerHost: 2,
  maxImpactedMembers: 3,
  recoveryTime: 30,
};
const serverGroup = { groupId: 'g', antiAffinity: true, maxInstancesPerHost: 1, instanceIds: ['i'] };
const unlimited: Omit<Group, 'key' | 'name'> = { maxImpactedMembers: 1, recoveryTimeSeconds: 0 };

const grouped = (fields: Partial<GroupingInput>): readonly Group[] =>
  groupInstances({ instances: [instance], memberships: [], storedGroups: [], serverGroups: [], ...fields }).groups;

describe('the group of an instance', () => {
  it.each<{ situation: string; facts: Partial<GroupingInput>; group: Group }>([
    {
      situation: 'its constraints name a stored group',
      facts: { memberships: [{ instanceId: 'i', groupId: 'g' }], storedGroups: [stored] },
      group: { key: 'g', name: 'web', maxImpactedMembers: 3, recoveryTimeSeconds: 30, maxInstancesPerHost: 2 },
    },
    {
      situation: 'the stored group has no anti-affinity',
      facts: {
        memberships: [{ instanceId: 'i', groupId: 'g' }],
        storedGroups: [{ ...stored, antiAffinityGroup: false, maxInstancesPerHost: 0 }],
      },
      group: { key: 'g', name: 'web', maxImpactedMembers: 3, recoveryTimeSeconds: 30 },
    },
    {
      situation: 'its constraints name a group that is not stored',
      facts: { memberships: [{ instanceId: 'i', groupId: 'g' }] },
      group: { ...unlimited, key: 'g', name: 'g' },
    },
    {
      situation: 'no constraints are stored',
      facts: {},
      group: { ...unlimited, key: 'p/small', name: 'p/small', withoutConstraints: true },
    },
    {
      situation: 'the cloud keeps it apart from others',
      facts: { serverGroups: [serverGroup] },
      group: { ...unlimited, key: 'g', name: 'g', maxInstancesPerHost: 1 },
    },
    {
      situation: 'the cloud groups it without anti-affinity',
      facts: { serverGroups: [{ ...serverGroup, antiAffinity: false }] },
      group: { ...unlimited, key: 'p/small', name: 'p/small', withoutConstraints: true },
    },
    {
      situation: 'the cloud keeps it apart in a group whose constraints are stored, its own are not yet',
      facts: { serverGroups: [serverGroup], storedGroups: [stored] },
      group: { key: 'g', name: 'web', maxImpactedMembers: 3, recoveryTimeSeconds: 30, maxInstancesPerHost: 2 },
    },
  ])('is $group.key when $situation', ({ facts, group }) => {
    expect(grouped(facts)).toEqual([group]);
  });

  it('is one for all instances that name the same group', () => {
    const instances = [instance, { ...instance, instanceId: 'j', flavor: 'large' }];
    const memberships = instances.map(({ instanceId }) => ({ instanceId, groupId: 'g' }));
    expect(grouped({ instances, memberships })).toHaveLength(1);
  });

  it('is known by the key of every instance', () => {
    const { keyOf } = groupInstances({ instances: [instance], memberships: [], storedGroups: [], serverGroups: [] });
    expect([...keyOf]).toEqual([['i', 'p/small']]);
  });
});
