import type { Fleet, Instance } from '../../../../planning/fleet/fleet';
import { scaleInNeed } from '../../../../planning/rolling/scale-in';
import { aFleet, aGroup, aHost, aHostIn, aSessionId, anInstance } from '../../../builders/a-fleet';

const on = (host: string, id: string, fields: Partial<Instance> = {}): Instance =>
  anInstance({ id, host, memoryMb: 1024, ...fields });

describe('the need to scale in', () => {
  it.each<{ situation: string; fleet: Fleet }>([
    { situation: 'the session has no hosts', fleet: aFleet({ hosts: [aHost()] }) },
    { situation: 'a host is empty', fleet: aFleet({ hosts: [aHostIn('waiting', 'a')] }) },
    {
      situation: 'all are maintained',
      fleet: aFleet({ hosts: [aHostIn('maintained', 'a')], instances: [on('a', '1', { vcpus: 1 })] }),
    },
    {
      situation: 'a host can be emptied',
      fleet: aFleet({
        hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' })],
        instances: [on('a', '1', { vcpus: 1 })],
      }),
    },
  ])('is none when $situation', ({ fleet }) => {
    expect(scaleInNeed(fleet, aSessionId)).toBeUndefined();
  });

  it('is that of the host that misses the least, from the project that holds the most there', () => {
    const hosts = [aHostIn('waiting', 'a'), aHostIn('waiting', 'b')];
    const instances = [
      on('a', '1', { vcpus: 10, projectId: 'small' }),
      on('b', '2', { vcpus: 4, projectId: 'small' }),
      on('b', '3', { vcpus: 11, projectId: 'large' }),
    ];
    expect(scaleInNeed(aFleet({ hosts, instances }), aSessionId)).toEqual({
      host: 'a',
      missingVcpus: 9,
      missingMemoryMb: 0,
      isKeptByAffinity: false,
      projectIds: ['small', 'large'],
    });
  });

  it('counts what its own instances take from each other', () => {
    const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'b', vcpus: 5 })];
    const fleet = aFleet({ hosts, instances: [on('a', '1'), on('a', '2')] });
    expect(scaleInNeed(fleet, aSessionId)).toMatchObject({ host: 'a', missingVcpus: 3, missingMemoryMb: 0 });
  });

  it('asks the project first whose anti-affinity leaves no host', () => {
    const groups = [aGroup({ key: 'apart', maxInstancesPerHost: 1 })];
    const apart = (host: string, id: string): Instance =>
      on(host, id, { vcpus: 1, projectId: 'pair', groupKey: 'apart' });
    const instances = [apart('a', '1'), on('a', '2', { vcpus: 2, projectId: 'large' }), apart('b', '3')];
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' })], instances, groups });
    expect(scaleInNeed(fleet, aSessionId)).toEqual({
      host: 'a',
      missingVcpus: 1,
      missingMemoryMb: 1024,
      isKeptByAffinity: true,
      projectIds: ['pair', 'large'],
    });
  });

  it('is room, not anti-affinity, where there is no other host at all', () => {
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a')], instances: [on('a', '1', { vcpus: 3 }), on('a', '2')] });
    expect(scaleInNeed(fleet, aSessionId)).toMatchObject({ isKeptByAffinity: false, missingVcpus: 7 });
  });

  it('asks only projects of the session', () => {
    const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'b', vcpus: 4 })];
    const instances = [
      on('a', '1', { vcpus: 4, projectId: 'inside' }),
      on('b', '2', { vcpus: 2, projectId: 'outside' }),
    ];
    expect(scaleInNeed(aFleet({ hosts, instances }), aSessionId)?.projectIds).toEqual(['inside']);
  });
});
