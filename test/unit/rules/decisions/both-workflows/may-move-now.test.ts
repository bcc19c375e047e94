import { MovesNow } from '../../../../../rules/decisions/both-workflows/may-move-now';
import type { Claim } from '../../../../../rules/decisions/fleet/fleet';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aClaim, aFleet, aGroup, anInstance, anotherSessionId } from '../../../../builders/a-fleet';

const nowMs = 100_000;

const recovering = (recoversAtMs: number): Claim => aClaim({ phase: 'recovering', recoversAtMs });

describe('the budget of a group', () => {
  it.each<{ situation: string; claims: Claim[]; max: number; left: number }>([
    { situation: 'nobody is impacted', claims: [], max: 1, left: 1 },
    { situation: 'a member is asked', claims: [aClaim({ phase: 'asked' })], max: 1, left: 0 },
    { situation: 'a member moves', claims: [aClaim()], max: 3, left: 2 },
    {
      situation: 'a member moves for another session',
      claims: [aClaim({ sessionId: anotherSessionId })],
      max: 1,
      left: 0,
    },
    { situation: 'a member recovers', claims: [recovering(nowMs + 1)], max: 1, left: 0 },
    { situation: 'a recovery ends at this instant', claims: [recovering(nowMs)], max: 1, left: 1 },
    { situation: 'a recovery has no known end', claims: [aClaim({ phase: 'recovering' })], max: 1, left: 0 },
    { situation: 'a member of another group moves', claims: [aClaim({ groupKey: 'group-2' })], max: 1, left: 1 },
    {
      situation: 'the limit was lowered below what is impacted',
      claims: [aClaim({ instanceId: 'a' }), aClaim({ instanceId: 'b' })],
      max: 1,
      left: 0,
    },
  ])('leaves $left of $max when $situation', ({ claims, max, left }) => {
    const group = aGroup({ maxImpactedMembers: max });
    const model = new FleetModel(aFleet({ claims, groups: [group] }), nowMs);
    expect(new MovesNow({ model, nowMs }).membersLeft(group.key)).toBe(left);
  });

  it('counts an instance that was put into another group in both', () => {
    const instances = [anInstance({ groupKey: 'group-2' })];
    const model = new FleetModel(aFleet({ instances, claims: [aClaim({ groupKey: 'group-1' })] }), nowMs);
    expect([model.groups.impactedMembers('group-1'), model.groups.impactedMembers('group-2')]).toEqual([1, 1]);
  });

  it('counts every instance that is admitted', () => {
    const groups = [aGroup({ maxImpactedMembers: 2 })];
    const moves = new MovesNow({ model: new FleetModel(aFleet({ groups }), nowMs), nowMs });
    moves.count(anInstance());
    expect(moves.whyNot(anInstance())).toBeUndefined();
    moves.count(anInstance());
    expect(moves.whyNot(anInstance())).toEqual({ kind: 'budget', limit: groups[0] });
  });
});
