import type { Claim, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { limitAgainst } from '../../../../../rules/decisions/limits/limits-of-instance';
import type { FleetCapacity } from '../../../../../rules/decisions/model/fleet-capacity';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { aClaim, aFleet, aGroup, aHost, anInstance } from '../../../../builders/a-fleet';

const hosts = [aHost({ name: 'host-1' }), aHost({ name: 'host-2' })];

const vcpusFreeIn = (capacity: FleetCapacity): number[] => hosts.map(({ name }) => capacity.loadOf(name).free[0] ?? 0);

const vcpusFree = (instances: Instance[], claims: Claim[], when: 'capacity' | 'settled' = 'capacity'): number[] => {
  return vcpusFreeIn(new FleetModel(aFleet({ hosts, instances, claims }))[when]);
};

describe('room with double allocation', () => {
  it.each<{ situation: string; instances: Instance[]; claims: Claim[]; free: number[] }>([
    { situation: 'an instance stays', instances: [anInstance()], claims: [], free: [12, 16] },
    { situation: 'it is asked', instances: [anInstance()], claims: [aClaim({ phase: 'asked' })], free: [12, 12] },
    { situation: 'it moves', instances: [anInstance()], claims: [aClaim()], free: [12, 12] },
    {
      situation: 'its project moves it, in whatever order it makes the new one and removes the old',
      instances: [anInstance()],
      claims: [aClaim({ action: 'OWN_ACTION' })],
      free: [12, 12],
    },
    {
      situation: 'it is seen on its target before its move is over',
      instances: [anInstance({ host: 'host-2' })],
      claims: [aClaim()],
      free: [12, 12],
    },
    {
      situation: 'it recovers',
      instances: [anInstance({ host: 'host-2' })],
      claims: [aClaim({ phase: 'recovering' })],
      free: [16, 12],
    },
    { situation: 'it is gone, its replacement not there yet', instances: [], claims: [aClaim()], free: [16, 12] },
  ])('is $free when $situation', ({ instances, claims, free }) => {
    expect(vcpusFree(instances, claims)).toEqual(free);
  });

  it('is held on the target alone once all that is in flight has ended', () => {
    expect(vcpusFree([anInstance()], [aClaim()], 'settled')).toEqual([16, 12]);
  });

  it('is as before when what was tried is taken back', () => {
    const { capacity } = new FleetModel(aFleet({ hosts, instances: [anInstance()] }));
    const mark = capacity.mark();
    capacity.hold('host-2', anInstance());
    capacity.drop('host-1', anInstance());
    capacity.rollBack(mark);
    expect(vcpusFreeIn(capacity)).toEqual([12, 16]);
  });
});

describe('anti-affinity', () => {
  it.each([
    { situation: 'without anti-affinity', limit: {}, members: 7, allowed: true },
    { situation: 'below the limit', limit: { maxInstancesPerHost: 2 }, members: 1, allowed: true },
    { situation: 'at the limit', limit: { maxInstancesPerHost: 2 }, members: 2, allowed: false },
    { situation: 'above the limit already', limit: { maxInstancesPerHost: 1 }, members: 2, allowed: false },
  ])('allowed=$allowed $situation', ({ limit, members, allowed }) => {
    const group = aGroup(limit);
    expect(limitAgainst([group], new Map([[group.key, members]]))).toBe(allowed ? undefined : group);
  });

  it('counts members that are on their way', () => {
    const { capacity } = new FleetModel(aFleet({ hosts, instances: [anInstance()], claims: [aClaim()] }));
    expect(hosts.map(({ name }) => capacity.loadOf(name).membersByGroup.get('group-1'))).toEqual([1, 1]);
  });
});
