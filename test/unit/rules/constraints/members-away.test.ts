import { withMembersAway } from '../../../../rules/constraints/members-away';
import { decideAllVnf } from '../../../../rules/decisions/vnf/decide-all-vnf';
import { aFleet, aGroup, aHost, aHostIn, anInstance, aSessionId } from '../../../builders/a-fleet';

const facts = {
  groups: [aGroup({ maxImpactedMembers: 2, recoveryTimeSeconds: 60 }), aGroup({ key: 'other' })],
  limitedOf: new Map([['i', { groupKey: 'group-1' }]]),
  instances: [{ instanceId: 'i' }],
  claims: [],
};
const nowMs = 1_000_000;
const inSeconds = (...seconds: readonly number[]) => seconds.map((one) => nowMs + one * 1000);
const gone = { instanceId: 'gone', groupKey: 'group-1', phase: 'recovering' };

it.each([
  { situation: 'one is made again', back: [300, -1000], claims: [], counts: 1 },
  { situation: 'one serves, and the recovery of its group is not over', back: [-59, -1000], claims: [], counts: 1 },
  { situation: 'one serves, and has recovered', back: [-60], claims: [], counts: undefined },
  { situation: 'it stands for one whose claim recovers', back: [300], claims: [gone], counts: undefined },
  { situation: 'only one of two has a claim that recovers', back: [300, -10], claims: [gone], counts: 1 },
  {
    situation: 'the claim that recovers is of one that is there',
    back: [300],
    claims: [{ ...gone, instanceId: 'i' }],
    counts: 1,
  },
])('counts $counts members as away where $situation', ({ back, claims, counts }) => {
  const cloudGroups = [{ instanceIds: ['i'], membersBackAtMs: inSeconds(...back) }];
  const [group, other] = withMembersAway({ ...facts, cloudGroups, claims }, nowMs);
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
