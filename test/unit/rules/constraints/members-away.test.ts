import type { MemberStanding } from '../../../../rules/cloud/cloud-facts';
import { withMembersAway, withoutMembersAway } from '../../../../rules/constraints/members-away';
import { decideAllVnf } from '../../../../rules/steps/decide-all-vnf';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../builders/a-fleet';

const facts = {
  groups: [aGroup({ maxImpactedMembers: 2, recoveryTimeSeconds: 60 }), aGroup({ key: 'other' })],
  limitedOf: new Map([['i', { groupKey: 'group-1' }]]),
  instances: [{ instanceId: 'i' }],
  claims: [],
};
const nowMs = 1_000_000;
const away = (overdue?: string, sinceMs = 0): MemberStanding => ({
  ...{ kind: 'away', sinceMs },
  ...(overdue !== undefined && { overdue }),
});
const servesFor = (seconds: number): MemberStanding => ({ kind: 'serves', sinceMs: nowMs - seconds * 1000 });
const claimOf = (instanceId: string) => ({ instanceId, groupKey: 'group-1' });
const groupWith = (members: readonly MemberStanding[], more: object = {}, begunAtMs?: number) =>
  withMembersAway({ ...facts, cloudGroups: [{ instanceIds: ['i'], members }], ...more }, { nowMs, begunAtMs });

it.each([
  { situation: 'one is away', members: [away(), servesFor(1000)], claims: [], counts: 1 },
  { situation: 'one serves, and has not recovered', members: [servesFor(59)], claims: [], counts: 1 },
  { situation: 'one serves, and has recovered', members: [servesFor(60)], claims: [], counts: undefined },
  {
    situation: 'it is the next of one that is gone and has a claim',
    members: [away()],
    claims: ['gone'],
    counts: undefined,
  },
  { situation: 'only one of two has a claim', members: [away(), servesFor(10)], claims: ['gone'], counts: 1 },
  { situation: 'the claim is of one that serves', members: [away()], claims: ['i'], counts: 1 },
  { situation: 'the claim is of the one that is away', members: [away()], claims: ['ill'], counts: undefined },
])('counts $counts members as away where $situation', ({ members, claims, counts }) => {
  const instances = [{ instanceId: 'i' }, { instanceId: 'ill', isUnhealthy: true } as const];
  const [group, other] = groupWith(members, { claims: claims.map(claimOf), instances });
  expect([group?.membersAway, other?.membersAway]).toEqual([counts, undefined]);
});

it.each([
  { situation: 'none is away for long', members: [away()], overdue: undefined },
  { situation: 'one is', members: [away('a'), away()], overdue: { count: 1, because: 'a' } },
  {
    situation: 'three were away before',
    members: [away('a', 5), away('b'), away('c')],
    overdue: { count: 3, because: 'a' },
  },
  {
    situation: 'three are away that were moved',
    members: [away('a', 20), away('b', 21), away('c', 22)],
    overdue: { count: 3, because: 'a', isOfLastMoved: true },
  },
])('names members that should serve by now where $situation', ({ members, overdue }) => {
  expect(groupWith(members, {}, 20)[0]?.overdue).toEqual(overdue);
});

it('a plan supposes that those come back soon which are not away for long', () => {
  const [group] = withoutMembersAway(groupWith([away('a'), away(), away()]));
  expect(group?.membersAway).toBe(1);
  expect(withoutMembersAway(groupWith([away()]))[0]).not.toHaveProperty('membersAway');
});

it('a member that is away holds the next one up, and its host is not given back for that', () => {
  const fleet = aFleet({
    hosts: [aHostIn('emptying', 'old'), aHost({ name: 'spare' })],
    instances: [anInstance({ id: 'i', host: 'old', leadTimeSeconds: 0 })],
    groups: [aGroup({ membersAway: 1 })],
  });
  const view = { sessionId: aSessionId, state: 'PLANNED_MAINTENANCE', drainOrder: undefined } as const;
  const decide = (groups: typeof fleet.groups) =>
    decideAllVnf({ ...view, fleet: { ...fleet, groups } }, 0, { defaultImpactShare: 0.25 }).decision;
  const held = decide(fleet.groups);
  expect(held).toMatchObject({ admit: [], giveBackForDeadlock: [], lookAgainMs: 1000 });
  expect(held.waiting).toMatchObject([{ waitingFor: 'recovery', who: 'i' }]);
  expect(decide([aGroup()]).admit).toHaveLength(1);
});

it.each([
  { situation: 'it was moved and is not well', movedAndUnwell: ['i'], claims: [], counts: 1 },
  { situation: 'its claim counts it', movedAndUnwell: ['i'], claims: ['i'], counts: undefined },
  { situation: 'none is', movedAndUnwell: [], claims: [], counts: undefined },
])('counts $counts members where the cloud tells nothing of members and $situation', (given) => {
  const more = { movedAndUnwell: new Set(given.movedAndUnwell), claims: given.claims.map(claimOf) };
  const [group, other] = withMembersAway({ ...facts, cloudGroups: [{ instanceIds: ['i'] }], ...more }, { nowMs });
  expect([group?.membersAway, other?.membersAway]).toEqual([given.counts, undefined]);
});
