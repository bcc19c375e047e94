import type { Fleet, Instance } from '../../../../../rules/decisions/fleet/fleet';
import { refusalClassOf } from '../../../../../rules/decisions/limits/refusals';
import { scaleInNeed } from '../../../../../rules/decisions/scale-in/scale-in-need';
import { needReason } from '../../../../../rules/questions/scale-in-words';
import {
  aFleet,
  aGroup,
  aHost,
  aHostIn,
  anInstance,
  aSessionId,
  type InstanceFields,
} from '../../../../builders/a-fleet';

const on = (host: string, id: string, fields: InstanceFields = {}): Instance =>
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
      situation: 'a host can be drained',
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
      missing: { VCPU: 9 },
      wanted: [],
      missingOnHosts: 1,
      missingSlots: 0,
      amount: { hostsLeft: 2, share: 9 / 16 },
      projectIds: ['small', 'large'],
    });
  });

  it('counts what its own instances take from each other', () => {
    const hosts = [aHostIn('waiting', 'a'), aHost({ name: 'b', vcpus: 5 })];
    const fleet = aFleet({ hosts, instances: [on('a', '1'), on('a', '2')] });
    expect(scaleInNeed(fleet, aSessionId)).toMatchObject({ host: 'a', missing: { VCPU: 3 } });
  });

  it('says on how many hosts the capacity is missing', () => {
    const hosts = [aHostIn('waiting', 'a'), ...['b', 'c', 'd'].map((name) => aHost({ name, vcpus: 6 }))];
    const instances = [on('a', '1'), on('a', '2'), on('b', '3'), on('c', '4')];
    const full = [...instances, on('d', '5', { vcpus: 6 })];
    expect(scaleInNeed(aFleet({ hosts, instances: full }), aSessionId)).toMatchObject({
      ...{ host: 'a', missing: { VCPU: 4 }, missingOnHosts: 2 },
    });
  });

  it('asks the project first whose anti-affinity leaves no host', () => {
    const groups = [aGroup({ key: 'apart', maxInstancesPerHost: 1 })];
    const apart = (host: string, id: string): Instance =>
      on(host, id, { vcpus: 1, projectId: 'pair', groupKey: 'apart' });
    const instances = [apart('a', '1'), on('a', '2', { vcpus: 2, projectId: 'large' }), apart('b', '3')];
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' })], instances, groups });
    const need = scaleInNeed(fleet, aSessionId)!;
    const subject = '1 slot more on other hosts, or 1 vcpus and 1024 MB of memory scaled in';
    expect(needReason(need, 'a')).toMatchObject({ waitingFor: 'room', subject });
    expect(need).toEqual({
      host: 'a',
      missing: { VCPU: 1, MEMORY_MB: 1024 },
      wanted: [],
      missingOnHosts: 0,
      missingSlots: 1,
      amount: { hostsLeft: 1, share: 1 / 16 + 1 / 32 },
      projectIds: ['pair', 'large'],
    });
  });

  it('names the hosts that the cloud refused, and takes them neither for full nor for barred by anti-affinity', () => {
    const instance = on('a', '1', { vcpus: 1 });
    const refusals = [{ refusalClass: refusalClassOf(instance), target: 'b', reason: 'placement does not offer it' }];
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), aHost({ name: 'b' })], instances: [instance] });
    const need = scaleInNeed({ ...fleet, refusals }, aSessionId)!;
    expect(need).toMatchObject({
      missing: { VCPU: 1 },
      missingSlots: 0,
      refused: `host b refused it: ${refusals[0]!.reason}`,
    });
    expect(needReason(need, 'a')).toMatchObject({
      waitingFor: 'room',
      because: expect.stringContaining('; host b refused it: placement does not offer it') as string,
    });
  });

  it.each([
    { situation: 'there is no other host at all', others: [] },
    { situation: 'the other host would be too small even when empty', others: [aHost({ name: 'b', vcpus: 3 })] },
  ])('is none where no capacity would help, since $situation', ({ others }) => {
    const fleet = aFleet({ hosts: [aHostIn('waiting', 'a'), ...others], instances: [on('a', '1')] });
    expect(scaleInNeed(fleet, aSessionId)).toBeUndefined();
  });

  it('asks no project for room that the stuck instance could not use', () => {
    const hosts = [
      aHostIn('waiting', 'a'),
      aHost({ name: 'b', offers: 'a' }),
      aHost({ name: 'c', offers: 'b' }),
      aHostIn('waiting', 'd', { offers: 'b' }),
    ];
    const instances = [
      on('a', '1', { projectId: 'stuck', needs: 'in a', vcpus: 12 }),
      on('b', '3', { projectId: 'there', vcpus: 8 }),
      on('c', '4', { projectId: 'elsewhere', vcpus: 16 }),
      on('d', '5', { projectId: 'elsewhere', vcpus: 15 }),
      on('d', '6', { projectId: 'there', vcpus: 1 }),
    ];
    const misfits = [{ needs: 'in a', offers: 'b', lacks: 'zone a' }];
    const need = scaleInNeed({ ...aFleet({ hosts, instances }), misfits }, aSessionId);
    expect(need).toMatchObject({ host: 'a', wanted: ['zone a'] });
    expect(need?.projectIds).toEqual(['stuck', 'there']);
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
