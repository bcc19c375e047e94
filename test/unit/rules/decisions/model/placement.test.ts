import type { Fleet, Host } from '../../../../../rules/decisions/fleet/fleet';
import { refusalClassOf } from '../../../../../rules/decisions/limits/refusals';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { place, type Placement } from '../../../../../rules/decisions/model/placement';
import {
  aClaim,
  aController,
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  ofTheCloud,
} from '../../../../builders/a-fleet';

const placementOf = (fleet: Fleet): Placement => {
  const model = new FleetModel(fleet);
  return place({ model, instances: model.instancesOn('host-1') });
};

/** [instance, target] pairs, or the kind of lack. */
const outcomeOf = (fleet: Fleet): unknown => {
  const placement = placementOf(fleet);
  return placement.kind === 'lacking'
    ? placement.lack.kind
    : [...placement.targetOf].map(([id, { name }]) => [id, name]).sort();
};

const source = aHostIn('emptying', 'host-1');
const one = anInstance({ id: 'a' });

describe('a target', () => {
  it.each<{ situation: string; others: Host[]; target: string }>([
    {
      situation: 'a maintained host first',
      others: [aHost({ name: 'host-2' }), aHostIn('waiting', 'host-3'), aHostIn('maintained', 'host-4')],
      target: 'host-4',
    },
    {
      situation: 'a host outside any session next',
      others: [aHostIn('waiting', 'host-2'), aHost({ name: 'host-3' })],
      target: 'host-3',
    },
    {
      situation: 'a host that still waits for its maintenance when nothing else works',
      others: [aHostIn('waiting', 'host-2'), aHost({ name: 'host-3', vcpus: 3 })],
      target: 'host-2',
    },
    {
      situation: 'the fullest that fits',
      others: [aHost({ name: 'host-2' }), aHost({ name: 'host-3', vcpus: 5, memoryMb: 5000 })],
      target: 'host-3',
    },
    {
      situation: 'the first by name of equals',
      others: [aHost({ name: 'host-3' }), aHost({ name: 'host-2' })],
      target: 'host-2',
    },
  ])('is $situation', ({ others, target }) => {
    expect(outcomeOf(aFleet({ hosts: [source, ...others], instances: [one] }))).toEqual([['a', target]]);
  });

  it.each<{ situation: string; other: Host }>([
    { situation: 'a disabled host', other: aHost({ name: 'host-2', enabled: false }) },
    { situation: 'a host that is drained', other: aHostIn('emptying', 'host-2', { enabled: true }) },
    { situation: 'a host in maintenance', other: aHostIn('maintaining', 'host-2', { enabled: true }) },
    { situation: 'a host that is given back', other: aHostIn('releasing', 'host-2') },
    { situation: 'a failed host', other: aHostIn('failed', 'host-2') },
    { situation: 'a controller that is no compute', other: aController('maintained', 'host-2') },
    { situation: 'a host without the vcpus', other: aHost({ name: 'host-2', vcpus: 3 }) },
    { situation: 'a host without the memory', other: aHost({ name: 'host-2', memoryMb: 4095 }) },
  ])('is never $situation', ({ other }) => {
    expect(outcomeOf(aFleet({ hosts: [source, other], instances: [one] }))).toBe('room');
  });
});

describe('the rest of a host', () => {
  it('keeps to max_instances_per_host, counting what it places itself', () => {
    const groups = [aGroup({ maxInstancesPerHost: 1 })];
    const hosts = [source, aHost({ name: 'host-2' }), aHost({ name: 'host-3' })];
    const instances = [one, anInstance({ id: 'b' })];
    expect(outcomeOf(aFleet({ hosts, groups, instances }))).toEqual([
      ['a', 'host-2'],
      ['b', 'host-3'],
    ]);
  });

  it('keeps to every limit of an instance, each over its own members', () => {
    const apart = { maxImpactedMembers: Infinity, maxInstancesPerHost: 1 };
    const groups = [aGroup(), aGroup({ key: 'group-2' }), aGroup({ key: 'further', ...apart, keptBy: ofTheCloud })];
    const hosts = [source, aHost({ name: 'host-2' }), aHost({ name: 'host-3' }), aHost({ name: 'host-4' })];
    const further = { furtherLimitKeys: ['further'] };
    const resident = anInstance({ id: 'resident', host: 'host-2', groupKey: 'group-2', ...further });
    const instances = [{ ...one, ...further }, anInstance({ id: 'b', ...further }), anInstance({ id: 'c' }), resident];
    expect(outcomeOf(aFleet({ hosts, groups, instances }))).toEqual([
      ['a', 'host-3'],
      ['b', 'host-4'],
      ['c', 'host-2'],
    ]);
  });

  it('goes where the cloud has not refused it, however well the other target would fit', () => {
    const hosts = [source, aHostIn('maintained', 'host-2'), aHost({ name: 'host-3' })];
    const refusals = [{ refusalClass: refusalClassOf(one), target: 'host-2', reason: 'no valid host' }];
    const instances = [one, anInstance({ id: 'b', needs: 'other' })];
    expect(outcomeOf({ ...aFleet({ hosts, instances }), refusals })).toEqual([
      ['a', 'host-3'],
      ['b', 'host-2'],
    ]);
  });

  it('lacks a target that the cloud does not refuse, where that is all that keeps it', () => {
    const refusals = [{ refusalClass: refusalClassOf(one), target: 'host-2', reason: 'no valid host' }];
    const fleet = { ...aFleet({ hosts: [source, aHost({ name: 'host-2' })], instances: [one] }), refusals };
    expect(placementOf(fleet)).toEqual({ kind: 'lacking', lack: { kind: 'refused', instance: one, refusals } });
  });

  it('lacks affinity, and says of which limit, where another one than that of its group leaves no host', () => {
    const limit = aGroup({ key: 'further', maxImpactedMembers: Infinity, maxInstancesPerHost: 1, keptBy: ofTheCloud });
    const further = { furtherLimitKeys: ['further'] };
    const resident = anInstance({ id: 'resident', host: 'host-2', groupKey: 'group-2', ...further });
    const hosts = [source, aHost({ name: 'host-2' })];
    const fleet = aFleet({ hosts, groups: [aGroup(), limit], instances: [{ ...one, ...further }, resident] });
    const now = { max: 1, occupied: 1, occupiedBy: ['resident'], isOfCloud: true };
    expect(placementOf(fleet)).toMatchObject({ kind: 'lacking', lack: { kind: 'affinity', limit, now } });
  });

  it('lacks affinity, and says of which instance, where every host has its members', () => {
    const groups = [aGroup({ maxInstancesPerHost: 1 })];
    const instances = [one, anInstance({ id: 'resident', host: 'host-2', vcpus: 1 })];
    const fleet = aFleet({ hosts: [source, aHost({ name: 'host-2' })], groups, instances });
    const now = { max: 1, occupied: 1, occupiedBy: ['resident'] };
    expect(placementOf(fleet)).toEqual({
      kind: 'lacking',
      lack: { kind: 'affinity', instance: one, limit: groups[0], now, unfit: new Map() },
    });
  });

  it('lacks affinity, and names those on their way to a host, and those placed in the same search', () => {
    const [coming, full] = [
      anInstance({ id: 'coming', host: 'host-9' }),
      anInstance({ id: 'elsewhere', groupKey: 'other' }),
    ];
    const hosts = [source, aHost({ name: 'host-2' }), aHost({ name: 'host-3' }), aHostIn('emptying', 'host-9')];
    const fleet = aFleet({
      ...{ hosts, groups: [aGroup({ maxInstancesPerHost: 1 })] },
      instances: [one, anInstance({ id: 'b' }), coming, { ...full, host: 'host-2' }],
      claims: [aClaim({ instanceId: 'coming', source: 'host-9', target: 'host-2' })],
    });
    expect(placementOf(fleet)).toMatchObject({ lack: { now: { max: 1, occupied: 2, occupiedBy: ['coming', 'a'] } } });
  });

  it('lacks the capacity that is missing on the host that comes closest', () => {
    const hosts = [source, aHost({ name: 'host-2', vcpus: 1 }), aHost({ name: 'host-3', vcpus: 3, memoryMb: 4000 })];
    expect(placementOf(aFleet({ hosts, instances: [one] }))).toEqual({
      kind: 'lacking',
      lack: {
        ...{ kind: 'room', instance: one, missing: { VCPU: 1, MEMORY_MB: 96 }, wanted: [] },
        ...{ closest: 'host-3', unfit: new Map() },
      },
    });
  });

  it('finds a place for an instance that only one host may take, though a larger one would like that host too', () => {
    const groups = [aGroup({ key: 'apart', maxInstancesPerHost: 1 })];
    const hosts = [source, aHostIn('maintained', 'host-2', { vcpus: 4 }), aHost({ name: 'host-3', vcpus: 5 })];
    const picky = anInstance({ id: 'picky', vcpus: 2, groupKey: 'apart' });
    const resident = anInstance({ id: 'resident', host: 'host-3', vcpus: 1, groupKey: 'apart' });
    const fleet = aFleet({ hosts, groups, instances: [anInstance({ id: 'large' }), picky, resident] });
    expect(outcomeOf(fleet)).toEqual([
      ['large', 'host-3'],
      ['picky', 'host-2'],
    ]);
  });

  it('does not depend on the order of the snapshot', () => {
    const hosts = [source, aHost({ name: 'host-2', vcpus: 8 }), aHost({ name: 'host-3', vcpus: 8 })];
    const instances = ['a', 'b', 'c'].map((id) => anInstance({ id }));
    const reversed = aFleet({ hosts: hosts.toReversed(), instances: instances.toReversed() });
    expect(outcomeOf(reversed)).toEqual(outcomeOf(aFleet({ hosts, instances })));
  });
});
