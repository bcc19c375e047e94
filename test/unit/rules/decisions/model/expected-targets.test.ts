/** Which hosts should take what has to leave others, by all that is listed. */
import type { CloudHost, CloudInstance } from '../../../../../rules/cloud/cloud-facts';
import { movesElsewhere } from '../../../../../rules/cloud/departure';
import { expectedTargets, type ListedFleet } from '../../../../../rules/decisions/model/expected-targets';

const aHost = (name: string, given: Partial<CloudHost> = {}): CloudHost => ({
  ...{ name, type: 'compute', isCompute: true, amounts: { cpus: 8 }, enabled: true, isUp: true },
  ...given,
});
const anInstance = (instanceId: string, host: string, given: Partial<CloudInstance> = {}): CloudInstance => ({
  ...{ instanceId, instanceName: instanceId, projectId: 'project', host, flavor: 'small', state: 'ACTIVE' },
  ...{ amounts: { cpus: 4 }, departure: movesElsewhere, ...given },
});

const expectedIn = (listed: Partial<ListedFleet>, ...toDrain: readonly string[]) => {
  const found = expectedTargets({ hosts: [], instances: [], misfits: [], moving: [], ...listed }, new Set(toDrain));
  return found.map(({ instance, hosts }) => ({ of: instance.instanceId, hosts }));
};

it('has one entry for each class that has to leave a host', () => {
  const hosts = [aHost('a', { enabled: false }), aHost('b')];
  const instances = [
    anInstance('one', 'a'),
    anInstance('alike', 'a'),
    anInstance('larger', 'a', { amounts: { cpus: 5 } }),
    anInstance('picky', 'a', { needs: 'zone a' }),
    anInstance('elsewhere', 'b', { amounts: { cpus: 1 } }),
  ];
  const found = expectedIn({ hosts, instances }, 'a');
  expect(found.map(({ of }) => of)).toEqual(['alike', 'larger', 'picky']);
});

it.each([
  { situation: 'has the room', host: {}, isExpected: true },
  { situation: 'is disabled', host: { enabled: false }, isExpected: false },
  { situation: 'is down', host: { isUp: false }, isExpected: false },
  { situation: 'holds no instances', host: { isCompute: false }, isExpected: false },
  { situation: 'is too small', host: { amounts: { cpus: 3 } }, isExpected: false },
  { situation: 'is of another class', host: { offers: 'zone b' }, isExpected: false },
])('expects a host that $situation to take it: $isExpected', ({ host, isExpected }) => {
  const misfits = [{ needs: 'zone a', offers: 'zone b', lacks: 'zone a' }];
  const listed = { hosts: [aHost('b', host)], instances: [anInstance('one', 'a', { needs: 'zone a' })], misfits };
  expect(expectedIn(listed, 'a')).toEqual([{ of: 'one', hosts: isExpected ? ['b'] : [] }]);
});

it('counts what is there, and what is on its way', () => {
  const hosts = ['b', 'c', 'd'].map((name) => aHost(name));
  const instances = [anInstance('one', 'a'), anInstance('there', 'b', { amounts: { cpus: 5 } })];
  const moving = [{ target: 'c', amounts: { cpus: 5 } }];
  expect(expectedIn({ hosts, instances, moving }, 'a')).toEqual([{ of: 'one', hosts: ['d'] }]);
});
