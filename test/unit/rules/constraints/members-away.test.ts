import { withMembersAway } from '../../../../rules/constraints/members-away';
import { decideAllVnf } from '../../../../rules/decisions/vnf/decide-all-vnf';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../builders/a-fleet';

const facts = {
  groups: [aGroup({ maxImpactedMembers: 2 }), aGroup({ key: 'other' })],
  limitedOf: new Map([['i', { groupKey: 'group-1' }]]),
  instances: [{ instanceId: 'i' }],
  claims: [],
};
const gone = { instanceId: 'gone', groupKey: 'group-1' };

it.each([
  { situation: 'one is made again', away: 1, claims: [], counts: 1 },
  { situation: 'all are there', away: 0, claims: [], counts: undefined },
  { situation: 'it stands for one whose claim recovers', away: 1, claims: [{ ...gone, phase: 'recovering' }] },
  {
    situation: 'the claim that recovers is of one that is there',
    away: 1,
    claims: [{ ...gone, instanceId: 'i', phase: 'recovering' }],
    counts: 1,
  },
])('counts $counts members as away where $situation', ({ away, claims, counts }) => {
  const cloudGroups = [{ instanceIds: ['i'], membersAway: away }];
  const [group, other] = withMembersAway({ ...facts, cloudGroups, claims });
  expect([group?.membersAway, other?.membersAway]).toEqual([counts, undefined]);
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
