import {
  type LimitFacts,
  oneMemberAtATime,
  type StoredGroup,
  workOutLimits,
} from '../../../../rules/constraints/work-out-limits';
import type { Group } from '../../../../rules/decisions/fleet/fleet';
import { keptByService } from '../../../../rules/decisions/fleet/limit-keys';
import { limitAgainst, limitsOf } from '../../../../rules/decisions/limits/limits-of-instance';
import { nobodyTold, ofTheCloud } from '../../../builders/a-fleet';
import { idFormNames, idForms } from '../../../builders/id-forms';

const instance = { instanceId: 'i', projectId: 'p', flavor: 'small' };
const stored: StoredGroup = {
  groupId: 'g',
  projectId: 'p',
  groupName: 'web',
  antiAffinityGroup: true,
  maxInstancesPerHost: 2,
  maxImpactedMembers: 3,
  recoveryTime: 30,
};
const serverGroup = { groupId: 'g', projectId: 'p', antiAffinity: true, maxInstancesPerHost: 1, instanceIds: ['i'] };
const told = { ...serverGroup, antiAffinity: false };
const budget = { ...told, groupId: 'b', maxImpactedMembers: 2, keptBy: ofTheCloud };
const unlimited: Omit<Group, 'key' | 'id' | 'name'> = {
  maxImpactedMembers: 1,
  recoveryTimeSeconds: 0,
  keptBy: keptByService,
};
const web = { key: 'g', id: 'g', name: 'web', maxImpactedMembers: 3, recoveryTimeSeconds: 30, keptBy: keptByService };

const grouped = (fields: Partial<LimitFacts>): readonly Group[] =>
  workOutLimits({ instances: [instance], memberships: [], storedGroups: [], serverGroups: [], ...fields }).groups;

describe('the group of an instance', () => {
  it.each<{ situation: string; facts: Partial<LimitFacts>; group: Group }>([
    {
      situation: 'its constraints name a stored group',
      facts: { memberships: [{ instanceId: 'i', groupId: 'g' }], storedGroups: [stored] },
      group: { ...web, maxInstancesPerHost: 2 },
    },
    {
      situation: 'the stored group has no anti-affinity',
      facts: {
        memberships: [{ instanceId: 'i', groupId: 'g' }],
        storedGroups: [{ ...stored, antiAffinityGroup: false, maxInstancesPerHost: 0 }],
      },
      group: web,
    },
    {
      situation: 'its constraints name a group that is not stored',
      facts: { memberships: [{ instanceId: 'i', groupId: 'g' }] },
      group: { ...unlimited, key: 'g', id: 'g', name: 'g' },
    },
    {
      situation: 'no constraints are stored',
      facts: {},
      group: { ...unlimited, key: 'p/small', name: 'p/small', keptBy: nobodyTold },
    },
    {
      situation: 'the cloud keeps it apart from others',
      facts: { serverGroups: [serverGroup] },
      group: { ...unlimited, key: 'g', id: 'g', name: 'g', maxInstancesPerHost: 1 },
    },
    {
      situation: 'the cloud groups it without anti-affinity',
      facts: { serverGroups: [{ ...serverGroup, antiAffinity: false }] },
      group: { ...unlimited, key: 'p/small', name: 'p/small', keptBy: nobodyTold },
    },
    {
      situation: 'the cloud keeps it apart in a group whose constraints are stored, its own are not yet',
      facts: { serverGroups: [{ ...serverGroup, maxInstancesPerHost: 2 }], storedGroups: [stored] },
      group: { ...web, maxInstancesPerHost: 2 },
    },
    {
      situation: 'the cloud groups it, and constraints of that group are stored',
      facts: {
        serverGroups: [
          { ...serverGroup, antiAffinity: false },
          { ...told, groupId: 'h', maxImpactedMembers: 5 },
        ],
        storedGroups: [stored],
      },
      group: { ...web, maxInstancesPerHost: 2 },
    },
    {
      situation: 'the cloud enforces a limit',
      facts: { serverGroups: [budget] },
      group: { ...unlimited, key: 'b', id: 'b', name: 'b', maxImpactedMembers: 2, keptBy: ofTheCloud },
    },
    {
      situation: 'its project told the cloud another limit than the cloud enforces',
      facts: {
        serverGroups: [
          { ...told, maxImpactedMembers: 1, recoveryTimeSeconds: 9 },
          { ...budget, instanceIds: [] },
        ],
      },
      group: { ...unlimited, key: 'g', id: 'g', name: 'g', maxImpactedMembers: 1, recoveryTimeSeconds: 9 },
    },
    {
      situation: 'its project told the cloud everything but a limit',
      facts: { serverGroups: [{ ...told, recoveryTimeSeconds: 9 }] },
      group: { ...unlimited, key: 'g', id: 'g', name: 'g', recoveryTimeSeconds: 9, keptBy: nobodyTold },
    },
  ])('is $group.key when $situation', ({ facts, group }) => {
    expect(grouped(facts)).toEqual([group]);
  });

  it.each<{ group: string; facts: Partial<LimitFacts>; others: Partial<Group> }>([
    {
      group: 'a stored group',
      facts: { memberships: [{ instanceId: 'i', groupId: 'g' }], storedGroups: [stored] },
      others: { key: 'g', recoveryTimeSeconds: 30, maxInstancesPerHost: 2 },
    },
    { group: 'a group without constraints', facts: {}, others: { key: 'p/small' } },
  ])('lets one member be impacted where the cloud chooses targets: $group', ({ facts, others }) => {
    const [group] = grouped(facts).map(oneMemberAtATime);
    expect(group).toMatchObject({ ...others, maxImpactedMembers: 1 });
    expect(group?.keptBy).toEqual(keptByService);
  });

  it('is one for all instances that name the same group', () => {
    const instances = [instance, { ...instance, instanceId: 'j', flavor: 'large' }];
    const memberships = instances.map(({ instanceId }) => ({ instanceId, groupId: 'g' }));
    expect(grouped({ instances, memberships })).toHaveLength(1);
  });

  it.each(idFormNames)('is one however its ID and those of its members are written: the ID %s', (form) => {
    const [dashed, written] = [
      'b0000e9c-0000-4000-8000-00000000000a',
      idForms[form]('b0000e9c-0000-4000-8000-00000000000a'),
    ];
    const instances = [{ ...instance, instanceId: dashed }, instance];
    const memberships = [
      { instanceId: written, groupId: written },
      { instanceId: 'i', groupId: dashed },
    ];
    const facts = { instances, memberships, storedGroups: [{ ...stored, groupId: written }] };
    const apart = { ...serverGroup, groupId: dashed, instanceIds: [dashed, 'i'] };
    const { groups, limitedOf } = workOutLimits({ ...facts, serverGroups: [{ ...apart, maxInstancesPerHost: 2 }] });
    expect(groups).toMatchObject([{ id: written, name: 'web', maxImpactedMembers: 3, maxInstancesPerHost: 2 }]);
    expect(limitedOf.get(dashed)).toEqual(limitedOf.get('i'));
    const flavored = [dashed, written].map((projectId, n) => ({ ...instance, instanceId: `${n}`, projectId }));
    expect(grouped({ instances: flavored })).toHaveLength(1);
  });

  it('is known of every instance', () => {
    const { limitedOf } = workOutLimits({ instances: [instance], memberships: [], storedGroups: [], serverGroups: [] });
    expect([...limitedOf]).toEqual([['i', { groupKey: 'p/small' }]]);
  });
});

describe('a group that belongs to another project', () => {
  const ours = { ...instance, instanceId: 'ours' };
  const theirs = { ...instance, instanceId: 'theirs', projectId: 'q' };
  const memberships = [ours, theirs].map(({ instanceId }) => ({ instanceId, groupId: 'g' }));
  const soft = { ...serverGroup, antiAffinity: false, instanceIds: ['ours'] };
  const given = { instances: [ours, theirs], memberships };

  it.each<{ situation: string; facts: Partial<LimitFacts>; budget: number }>([
    { situation: 'the cloud', facts: { serverGroups: [soft], storedGroups: [stored] }, budget: 3 },
    { situation: 'nothing but what is stored', facts: { storedGroups: [stored] }, budget: 3 },
    {
      situation: 'the cloud, whatever the other project stored,',
      facts: { serverGroups: [soft], storedGroups: [{ ...stored, projectId: 'q' }] },
      budget: 1,
    },
  ])('by $situation takes no instance of others, who form a group of one at a time', ({ facts, budget }) => {
    const { groups, limitedOf } = workOutLimits({ ...given, storedGroups: [], serverGroups: [], ...facts });
    expect(limitedOf.get('ours')).toEqual({ groupKey: 'g' });
    expect(limitedOf.get('theirs')).toEqual({ groupKey: 'q//g' });
    expect(groups.find(({ key }) => key === 'g')).toMatchObject({ id: 'g', maxImpactedMembers: budget });
    expect(groups.find(({ key }) => key === 'q//g')).toEqual({ ...unlimited, key: 'q//g', name: 'q/g' });
  });

  it('keeps the members that the cloud itself lists in it', () => {
    const apart = { ...serverGroup, instanceIds: ['ours', 'theirs'] };
    const { limitedOf } = workOutLimits({ ...given, storedGroups: [stored], serverGroups: [apart] });
    expect(limitedOf.get('theirs')).toEqual({ groupKey: 'q//g', furtherLimitKeys: ['server-group/g'] });
  });
});

/** Instances a, b and c, each of a stored group that keeps nobody apart; the cloud's own group keeps some apart. */
const facts = ({ stored: storedOf, server }: { stored: Record<string, string>; server: readonly string[] }) =>
  workOutLimits({
    instances: ['a', 'b', 'c'].map((instanceId) => ({ ...instance, instanceId })),
    memberships: Object.entries(storedOf).map(([instanceId, groupId]) => ({ instanceId, groupId })),
    storedGroups: [{ ...stored, antiAffinityGroup: false, maxInstancesPerHost: 0 }],
    serverGroups: [{ ...serverGroup, groupName: 'db', instanceIds: [...server, 'not there'] }],
  });
const further = { furtherLimitKeys: ['server-group/g'] };

describe('what the cloud keeps apart', () => {
  it.each([
    {
      situation: 'the group of the same ID has no anti-affinity',
      given: { stored: { a: 'g', b: 'g', c: 'g' }, server: ['a', 'b', 'c'] },
      limited: { a: { groupKey: 'g', ...further }, b: { groupKey: 'g', ...further }, c: { groupKey: 'g', ...further } },
    },
    {
      situation: 'its members are fewer than those of the group',
      given: { stored: { a: 'g', b: 'g', c: 'g' }, server: ['a', 'b'] },
      limited: { a: { groupKey: 'g', ...further }, b: { groupKey: 'g', ...further }, c: { groupKey: 'g' } },
    },
    {
      situation: 'its members are in several groups',
      given: { stored: { a: 'g', b: 'h', c: 'h' }, server: ['a', 'b'] },
      limited: { a: { groupKey: 'g', ...further }, b: { groupKey: 'h', ...further }, c: { groupKey: 'h' } },
    },
  ])('holds beside stored limits where $situation', ({ given, limited }) => {
    expect(Object.fromEntries(facts(given).limitedOf)).toEqual(limited);
  });

  it('is a limit without a budget, which no project can change', () => {
    const { groups } = facts({ stored: { a: 'g', b: 'g', c: 'g' }, server: ['a', 'b'] });
    expect(groups.find(({ keptBy }) => keptBy.kind === 'cloud')).toEqual({
      key: 'server-group/g',
      id: 'g',
      name: 'server group db',
      maxImpactedMembers: Infinity,
      recoveryTimeSeconds: 0,
      maxInstancesPerHost: 1,
      keptBy: ofTheCloud,
    });
  });

  it.each([
    { stored: 1, server: 1, isFurther: false },
    { stored: 1, server: 2, isFurther: false },
    { stored: 2, server: 1, isFurther: true },
  ])('is a limit of its own only where it is the stricter one: $server beside $stored', ({ isFurther, ...most }) => {
    const { limitedOf } = workOutLimits({
      instances: [instance],
      memberships: [{ instanceId: 'i', groupId: 'g' }],
      storedGroups: [{ ...stored, maxInstancesPerHost: most.stored }],
      serverGroups: [{ ...serverGroup, maxInstancesPerHost: most.server }],
    });
    expect(limitedOf.get('i')).toEqual({ groupKey: 'g', ...(isFurther && further) });
  });

  it('keeps a member off a host by whichever limit is used up there', () => {
    const { groups, limitedOf } = facts({ stored: { a: 'g', b: 'h' }, server: ['a', 'b'] });
    const groupByKey = new Map(groups.map((group) => [group.key, group]));
    const limits = limitsOf({ groupByKey }, limitedOf.get('a')!);
    expect(limitAgainst(limits, new Map([['g', 2]]))).toBeUndefined();
    expect(limitAgainst(limits, new Map([['server-group/g', 1]]))?.name).toBe('server group db');
  });
});

it('the limit that the cloud enforces counts beside the one that is stored or told', () => {
  const groups = grouped({
    memberships: [{ instanceId: 'i', groupId: 'g' }],
    storedGroups: [stored],
    serverGroups: [budget],
  });
  expect(groups).toMatchObject([
    { key: 'g', maxImpactedMembers: 3 },
    { key: 'server-group/b', name: 'b', maxImpactedMembers: 2, keptBy: ofTheCloud },
  ]);
  expect(grouped({ serverGroups: [{ ...told, maxImpactedMembers: 5 }, budget] })).toMatchObject([
    { key: 'g', maxImpactedMembers: 5 },
    { key: 'server-group/b', maxImpactedMembers: 2 },
  ]);
});

it.each([true, false])('tells of a limit of the cloud whether a program steers it: %s', (isSteered) => {
  const keptBy = { kind: 'cloud', isSteered } as const;
  expect(grouped({ serverGroups: [{ ...budget, keptBy }] })).toMatchObject([{ key: 'b', keptBy }]);
  expect(grouped({ serverGroups: [told, { ...told, maxImpactedMembers: 5 }, { ...budget, keptBy }] })).toMatchObject([
    { key: 'g', keptBy: keptByService },
    { key: 'server-group/b', keptBy },
  ]);
});
