import { whyNotDrained } from '../../../../../rules/decisions/scale-in/scale-in-need';
import { aFleet, aGroup, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';

describe('why a host cannot be drained', () => {
  const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'b' })];

  it('names the instance, the capacity that is missing, and what would help', () => {
    const instances = [
      anInstance({ id: '1', name: 'web-1', projectId: 'p', host: 'a', vcpus: 10, memoryMb: 1024 }),
      anInstance({ id: '2', host: 'b', vcpus: 10, memoryMb: 1024 }),
    ];
    expect(whyNotDrained(aFleet({ hosts, instances }), 'a')).toBe(
      'host a cannot be drained: instance web-1 (1) of project p waits for capacity: 4 vcpus missing on host b, ' +
        'which comes closest; free that much there, or add or enable a compute host',
    );
  });

  it('names the anti-affinity that leaves no host', () => {
    const groups = [aGroup({ key: 'g', name: 'pair', maxInstancesPerHost: 1 })];
    const instances = ['a', 'b'].map((host) => anInstance({ id: `on-${host}`, host, groupKey: 'g', vcpus: 1 }));
    expect(whyNotDrained(aFleet({ hosts, groups, instances }), 'a')).toContain(
      'max_instances_per_host 1 of group pair (ID of g) is reached on every compute host; raise the limit, scale the group in',
    );
  });

  it.each([
    { situation: 'there is no other host', others: [] },
    { situation: 'all others are disabled', others: [aHost({ name: 'b', enabled: false })] },
  ])('asks for a host where $situation, also for what needs no capacity', ({ others }) => {
    const instances = [anInstance({ id: '1', name: 'web-1', projectId: 'p', host: 'a', vcpus: 0, memoryMb: 0 })];
    expect(whyNotDrained(aFleet({ hosts: [hosts[0]!, ...others], instances }), 'a')).toBe(
      'host a cannot be drained: instance web-1 (1) of project p waits for capacity: there is no other enabled compute ' +
        'host; add or enable such a host',
    );
  });

  it('is nothing where it can be', () => {
    const instances = [anInstance({ id: '1', host: 'a', vcpus: 1 })];
    expect(whyNotDrained(aFleet({ hosts, instances }), 'a')).toBeUndefined();
  });
});
