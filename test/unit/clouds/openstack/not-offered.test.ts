/** Hosts that should take a server by all lists, and that placement does not offer: asked once for each class. */
import { hostAggregatesFrom } from '../../../../clouds/openstack/classes/aggregates';
import type { FleetLook } from '../../../../clouds/openstack/classes/fleet-look';
import { createCandidateSearch } from '../../../../clouds/openstack/hosts/candidates';
import { createNotOffered } from '../../../../clouds/openstack/hosts/not-offered';
import { instancesFrom } from '../../../../clouds/openstack/list-instances';
import type { PlacementApi } from '../../../../clouds/openstack/nova/placement-api';
import type { CloudInstance } from '../../../../rules/cloud/cloud-facts';
import { aNovaServer, type NovaServerWish } from '../../../builders/a-nova-server';

const amounts = { VCPU: 64, MEMORY_MB: 64_000, DISK_GB: 500 };
const size = (id: string, toldBy: 'placement' | 'nova' = 'placement') =>
  ({ hypervisorIds: [id], providerIds: [id], hypervisorType: 'QEMU', toldBy, amounts, traits: [] }) as const;
const look: FleetLook = {
  sizes: new Map([
    ['compute-1', size('h1')],
    ['compute-2', size('h2')],
    ['compute-3', size('h3', 'nova')],
  ]),
  aggregates: hostAggregatesFrom([]),
  keepsZones: false,
};

type Answer = readonly string[] | { readonly first: readonly string[] } | 'untold' | 'silent';

/** Placement gives these answers one after the other; the last one stays. */
const aSearch = (...answers: readonly Answer[]) => {
  const clock = { nowMs: 0 };
  const queries: string[] = [];
  const candidatesFor: PlacementApi['candidatesFor'] = (query) => {
    queries.push(query);
    const answer = answers[Math.min(queries.length, answers.length) - 1]!;
    if (answer === 'silent') return new Promise(() => undefined);
    if (answer === 'untold') return Promise.resolve(undefined);
    const areAll = !('first' in answer);
    return Promise.resolve({ named: new Set('first' in answer ? answer.first : answer), areAll });
  };
  const nowMs = () => clock.nowMs;
  // The only call to placement that this uses.
  const search = createCandidateSearch({ candidatesFor } as PlacementApi, nowMs);
  const servers = new Map<CloudInstance, ReturnType<typeof aNovaServer>>();
  const serverOf = (instance: CloudInstance) => servers.get(instance);
  const times = { noHostSeconds: 100, nowMs, mostWaitMs: 20 };
  const find = createNotOffered({ look: () => Promise.resolve(look), search, serverOf, ...times });
  const expecting = (refusalClass: string, wish: NovaServerWish = {}, hosts = ['compute-2', 'compute-3']) => {
    const server = aNovaServer(wish);
    const instance = instancesFrom(server, { look })[0]!;
    servers.set(instance, server);
    return { refusalClass, instance, hosts };
  };
  return { clock, queries, find, expecting };
};

const refusalOf = (refusalClass: string) => ({
  refusalClass,
  target: 'compute-2',
  reason:
    'placement does not offer it for 2 vcpus, 1024 MB of memory and 10 GB of disk, although so much is free there',
});

it('names the hosts that placement does not offer, as passing for a while, and says nothing of others', async () => {
  const { find, expecting, clock } = aSearch(['h1']);
  const ask = () => find([expecting('small')]);
  expect(await ask()).toEqual([{ ...refusalOf('small'), passesInSeconds: 100 }]);
  clock.nowMs = 70_000;
  expect(await ask()).toEqual([{ ...refusalOf('small'), passesInSeconds: 30 }]);
  clock.nowMs = 100_000;
  expect(await ask()).toEqual([refusalOf('small')]);
});

it('names no host that it offers, or that has no room by now', async () => {
  const { find, expecting } = aSearch(['h2']);
  expect(await find([expecting('small')])).toEqual([]);
  const refusing = aSearch(['h1']);
  await refusing.find([refusing.expecting('small')]);
  expect(await refusing.find([refusing.expecting('small', {}, ['compute-1'])])).toEqual([]);
});

it('names no host where placement has more candidates than it lists: nobody knows of the others', async () => {
  const { find, expecting } = aSearch({ first: ['h1'] });
  expect(await find([expecting('small')])).toEqual([]);
});

it('asks once for all servers that ask the same, of any project and class, and soon again where it is not offered', async () => {
  const { find, expecting, queries, clock } = aSearch(['h1']);
  const looking = () =>
    find([
      expecting('small'),
      expecting('small with a hint', { scheduler_hints: { same_host: ['server-2'] } }),
      expecting('large', { flavor: { vcpus: 4 } }),
    ]);
  const found = await looking();
  expect(found.map(({ refusalClass }) => refusalClass)).toEqual(['small', 'small with a hint', 'large']);
  expect(queries).toHaveLength(2);
  clock.nowMs = 9_999;
  await looking();
  expect(queries).toHaveLength(2);
  clock.nowMs = 10_000;
  await looking();
  expect(queries).toHaveLength(4);
});

it('asks once in a minute where every host is offered', async () => {
  const { find, expecting, clock, queries } = aSearch(['h1', 'h2', 'h3']);
  for (const nowMs of [0, 59_000, 60_000]) {
    clock.nowMs = nowMs;
    await find([expecting('small')]);
  }
  expect(queries).toHaveLength(2);
});

it('forgets a host that is offered again', async () => {
  const { find, expecting, clock } = aSearch(['h1'], ['h2'], ['h1']);
  await find([expecting('small')]);
  clock.nowMs = 60_000;
  expect(await find([expecting('small')])).toEqual([]);
  clock.nowMs = 120_000;
  expect(await find([expecting('small')])).toEqual([{ ...refusalOf('small'), passesInSeconds: 100 }]);
});

it('names none while placement does not tell, and asks it again soon', async () => {
  const { find, expecting, clock } = aSearch(['h1'], 'untold', ['h1']);
  expect(await find([expecting('small')])).toHaveLength(1);
  clock.nowMs = 60_000;
  expect(await find([expecting('small')])).toEqual([]);
  clock.nowMs = 80_000;
  expect(await find([expecting('small')])).toHaveLength(1);
});

it('does not wait for a placement that is slow, and asks it nothing twice', async () => {
  const { find, expecting, queries } = aSearch('silent');
  expect(await find([expecting('small')])).toEqual([]);
  expect(await find([expecting('small')])).toEqual([]);
  expect(queries).toHaveLength(1);
});

it('does not ask for an instance that it has not listed', async () => {
  const { find, expecting, queries } = aSearch(['h1']);
  const { instance, ...rest } = expecting('small');
  expect(await find([{ ...rest, instance: { ...instance } }])).toEqual([]);
  expect(queries).toEqual([]);
});
