/** What fits where: by amounts of any name, and by the classes of instances and hosts. */
import { misfitsAmong } from '../../../../../rules/cloud/misfits';
import { lackReason } from '../../../../../rules/decisions/limits/lack';
import { FleetModel } from '../../../../../rules/decisions/model/fleet-model';
import { lackIn, place } from '../../../../../rules/decisions/model/placement';
import { aFleet, aGroup, aHost, aHostIn, anInstance } from '../../../../builders/a-fleet';

const source = aHostIn('emptying', 'source');
const misfits = [{ needs: 'in zone a', offers: 'zone b', lacks: 'zone a' }];
const picky = anInstance({ host: 'source', needs: 'in zone a' });

const targetOf = (fleet: Parameters<typeof aFleet>[0]): string | undefined => {
  const model = new FleetModel({ ...aFleet(fleet), misfits });
  const placement = place({ model, instances: [...model.instancesOn('source')] });
  return placement.kind === 'placed' ? [...placement.targetOf.values()][0]?.name : undefined;
};

const lackOf = (fleet: Parameters<typeof aFleet>[0]) => {
  const model = new FleetModel({ ...aFleet(fleet), misfits });
  return lackIn({ model, instances: [...model.instancesOn('source')] });
};

it('goes to a host of a class that fits, however well another would fit by numbers', () => {
  const hosts = [
    source,
    aHost({ name: 'tight', vcpus: 4, offers: 'zone b' }),
    aHost({ name: 'fits', offers: 'zone a' }),
  ];
  expect(targetOf({ hosts, instances: [picky] })).toBe('fits');
  expect(targetOf({ hosts, instances: [{ ...picky, needs: 'anything' }] })).toBe('tight');
});

it('lacks room on a host of its class, and says what such a host must have', () => {
  const hosts = [
    source,
    aHost({ name: 'full', vcpus: 1, offers: 'zone a' }),
    aHost({ name: 'empty', offers: 'zone b' }),
  ];
  expect(lackOf({ hosts, instances: [picky] })).toMatchObject({
    ...{ kind: 'room', missing: { VCPU: 3 }, wanted: ['zone a'] },
  });
});

it.each([
  { names: ['b'], told: 'host b lacks zone a' },
  { names: ['b', 'c'], told: 'hosts b and c lack zone a' },
  { names: ['b', 'c', 'd', 'e', 'f'], told: 'hosts b, c, d and 2 more lack zone a' },
])('names the hosts that were tried, by what they lack: $told', ({ names, told }) => {
  const others = names.map((name) => aHost({ name, offers: 'zone b' }));
  const hosts = [source, aHost({ name: 'full', vcpus: 1, offers: 'zone a' }), ...others];
  const lack = lackOf({ hosts, instances: [picky] })!;
  expect(lackReason(lack, 'source', 0)).toMatchObject({
    subject: '3 vcpus on a host with zone a',
    because:
      'instance name of instance-1 (instance-1) of project project-1 waits for capacity: ' +
      `3 vcpus missing on host full, which comes closest of those with zone a; ${told}`,
  });
});

it('lacks any host of its class where there is none', () => {
  const hosts = [source, aHost({ name: 'empty', offers: 'zone b' })];
  const lack = lackOf({ hosts, instances: [picky] })!;
  expect(lack).toMatchObject({ kind: 'room', wanted: ['zone a'] });
  expect(lackReason(lack, 'source', 0).because).toMatch(
    /there is no other enabled compute host with zone a; host empty lacks zone a$/,
  );
});

it('counts every resource, also one that only some hosts have', () => {
  const dedicated = { VCPU: 0, PCPU: 4 };
  const pinned = anInstance({ host: 'source', amounts: dedicated });
  const hosts = [source, aHost({ name: 'shared' }), aHost({ name: 'dedicated', amounts: { VCPU: 0, PCPU: 8 } })];
  expect(targetOf({ hosts, instances: [pinned] })).toBe('dedicated');
  expect(lackOf({ hosts: hosts.slice(0, 2), instances: [pinned] })).toMatchObject({ missing: { PCPU: 4 } });
});

it('asks once for each pair of classes, not of instances and hosts', () => {
  const asked: string[] = [];
  const whyNot = (needs: string, offers: string): string | undefined => {
    asked.push(`${needs} ${offers}`);
    return needs === 'a' && offers === '' ? 'a' : undefined;
  };
  const hosts = ['a', 'a', ''].map((offers, at) => aHost({ name: `h-${String(at)}`, offers }));
  const instances = ['a', 'a', ''].map((needs, at) => anInstance({ id: `i-${String(at)}`, needs }));
  expect(misfitsAmong({ hosts, instances }, { whyNot })).toEqual([{ needs: 'a', offers: '', lacks: 'a' }]);
  expect(asked).toHaveLength(4);
});

it('names the hosts of other classes where each that suits it holds enough members of its group', () => {
  const groups = [aGroup({ key: 'apart', maxInstancesPerHost: 1 })];
  const [member, other] = [
    { ...picky, groupKey: 'apart' },
    anInstance({ id: 'other', host: 'taken', groupKey: 'apart' }),
  ];
  const hosts = [source, aHost({ name: 'taken', offers: 'zone a' }), aHost({ name: 'b', offers: 'zone b' })];
  const lack = lackOf({ hosts, groups, instances: [member, other] })!;
  expect(lackReason(lack, 'source', 0)).toMatchObject({
    waitingFor: 'affinity',
    because: expect.stringMatching(/ is reached on every compute host; host b lacks zone a$/) as string,
  });
});
