/**
 * What fits where, by the driver and by the real placement: zones, aggregates, traits, dedicated processors. Where both
 * can say something they say the same.
 */
import type { CloudDriver } from '../../clouds/cloud-driver';
import type { CloudHost, CloudInstance } from '../../rules/cloud/cloud-facts';
import { lookAtCloud } from '../../snapshot/look-at-cloud';
import { createTestDatabase, type TestDatabase } from '../integration/setup/test-database';
import { aMove } from './rig/a-move';
import { openDriver } from './rig/driver-under-test';
import { usualComputes } from './rig/empty-cloud';
import { type FaultyService, openFaultyPlacement } from './rig/faulty-nova';
import {
  callPlacement,
  deleteFlavor,
  limitUnit,
  listHypervisors,
  makeAggregate,
  makeFlavor,
  makeServers,
  type Server,
  setAggregateMetadata,
  until,
} from './rig/operator';
import { setOffers } from './rig/switches';

let database: TestDatabase;
let driver: CloudDriver;
let placement: FaultyService;
let servers: ReadonlyMap<string, Server>;
let ssdAggregate: number;

const openWith = (environment: Readonly<Record<string, string>> = {}): CloudDriver =>
  openDriver(database.db, {
    PARLEY_OPENSTACK_MOVES_PER_HOST: '0',
    OS_PLACEMENT_ENDPOINT_OVERRIDE: placement.url,
    ...environment,
  });

beforeAll(async () => {
  database = await createTestDatabase();
  placement = await openFaultyPlacement();
  driver = openWith();
  const dedicated = { pinned: true };
  await setOffers({ 'compute-4': { traits: ['CUSTOM_FAST'] }, 'compute-5': dedicated, 'compute-6': dedicated });
  await makeAggregate({ name: 'a', hosts: ['compute-1', 'compute-2'], metadata: { availability_zone: 'a' } });
  await makeAggregate({ name: 'b', hosts: ['compute-3', 'compute-4'], metadata: { availability_zone: 'b' } });
  ssdAggregate = await makeAggregate({ name: 'ssd', hosts: ['compute-3'], metadata: { ssd: 'true' } });
  const flavors = {
    dedicated: await makeFlavor({
      name: 'dedicated',
      vcpus: 4,
      specs: { 'resources:PCPU': '4', 'resources:VCPU': '0' },
    }),
    fast: await makeFlavor({ name: 'fast', specs: { 'trait:CUSTOM_FAST': 'required' } }),
    slow: await makeFlavor({ name: 'slow', specs: { 'trait:CUSTOM_FAST': 'forbidden' } }),
    ssd: await makeFlavor({ name: 'on-ssd', specs: { 'aggregate_instance_extra_specs:ssd': 'true' } }),
  };
  const made = await makeServers([
    { name: 'plain', host: 'compute-1' },
    { name: 'plain-2', host: 'compute-1' },
    { name: 'in-zone-a', host: 'compute-1', zone: 'a' },
    { name: 'in-zone-b', host: 'compute-3', zone: 'b' },
    { name: 'dedicated', host: 'compute-5', flavor: flavors.dedicated },
    { name: 'fast', host: 'compute-4', flavor: flavors.fast },
    { name: 'slow', host: 'compute-1', flavor: flavors.slow },
    { name: 'slow-in-zone-b', host: 'compute-3', zone: 'b', flavor: flavors.slow },
    { name: 'on-ssd', host: 'compute-3', flavor: flavors.ssd },
  ]);
  servers = new Map(made.map((server) => [server.name, server]));
  await deleteFlavor(flavors.fast);
});
afterAll(async () => {
  await placement.close();
  await database.drop();
});
afterEach(() => {
  placement.heal();
});

interface Seen {
  readonly hosts: readonly CloudHost[];
  readonly instances: ReadonlyMap<string, CloudInstance>;
}

const see = async (by = driver): Promise<Seen> => {
  const [hosts, instances] = await Promise.all([by.listHosts(), by.listInstances()]);
  return {
    hosts: hosts.filter(({ name }) => usualComputes.includes(name)),
    instances: new Map(instances.map((instance) => [instance.instanceName, instance])),
  };
};

/** All hosts are nearly empty, so what a host has of a resource at all is enough. */
const fittingHosts = ({ hosts, instances }: Seen, name: string): readonly string[] => {
  const { amounts, needs = '' } = instances.get(name)!;
  return hosts
    .filter((host) => Object.entries(amounts).every(([of, amount]) => (host.amounts[of] ?? 0) >= amount))
    .filter(({ offers = '' }) => driver.whyNot(needs, offers) === undefined)
    .map((host) => host.name);
};

const cases = [
  { name: 'plain', hosts: ['compute-1', 'compute-2', 'compute-3', 'compute-4'], query: '' },
  { name: 'in-zone-a', hosts: ['compute-1', 'compute-2'], zone: 'a', query: '' },
  { name: 'in-zone-b', hosts: ['compute-3', 'compute-4'], zone: 'b', query: '' },
  { name: 'dedicated', hosts: ['compute-5', 'compute-6'], query: '' },
  { name: 'fast', hosts: ['compute-4'], query: '&required=CUSTOM_FAST' },
  { name: 'slow', hosts: ['compute-1', 'compute-2', 'compute-3'], query: '&required=!CUSTOM_FAST' },
  { name: 'slow-in-zone-b', hosts: ['compute-3'], zone: 'b', query: '&required=!CUSTOM_FAST' },
] as const;

/** What Nova booked for the server. */
const bookedFor = async (name: string): Promise<Readonly<Record<string, number>>> => {
  const { allocations } = (await callPlacement(`/allocations/${servers.get(name)!.id}`)) as {
    allocations: Record<string, { resources: Record<string, number> }>;
  };
  return Object.values(allocations)[0]!.resources;
};

/** Placement's answer to the driver, for the whole cloud, whatever the classes say. */
const offeredTo = async (name: string): Promise<readonly string[]> => {
  const instance = (await see()).instances.get(name)!;
  const found = await driver.notOffered!([{ refusalClass: name, instance, hosts: usualComputes }]);
  const refusing = new Set(found.map(({ target }) => target));
  return usualComputes.filter((host) => !refusing.has(host));
};

const idsOfZone = async (zone: string | undefined): Promise<string> => {
  if (zone === undefined) return '';
  const first = { a: 'compute-1', b: 'compute-3' }[zone];
  const provider = (await listHypervisors()).find(({ service }) => service.host === first)!.id;
  const listed = (await callPlacement(`/resource_providers/${provider}/aggregates`)) as { aggregates: string[] };
  return `&member_of=in:${listed.aggregates[0]}`;
};

describe.each(cases)('the server $name', ({ name, hosts, query, ...given }) => {
  it('takes what Nova has booked for it', async () => {
    expect((await see()).instances.get(name)!.amounts).toEqual(await bookedFor(name));
  });

  it(`may go to ${hosts.join(', ')}, by its class, by the driver's question to placement and by the test's`, async () => {
    const names = new Map((await listHypervisors()).map(({ id, service }) => [id, service.host]));
    const resources = Object.entries(await bookedFor(name)).map((each) => each.join(':'));
    const zone = await idsOfZone('zone' in given ? given.zone : undefined);
    const path = `/allocation_candidates?resources=${resources.join(',')}${query}${zone}`;
    const answer = (await callPlacement(path)) as { provider_summaries: object };
    const candidates = Object.keys(answer.provider_summaries).map((id) => names.get(id)!);
    expect(fittingHosts(await see(), name)).toEqual(hosts);
    expect(await offeredTo(name)).toEqual(hosts);
    expect(candidates.filter((host) => usualComputes.includes(host)).toSorted()).toEqual(hosts);
  });
});

it('an aggregate that is changed counts half a minute later at the latest', async () => {
  expect(fittingHosts(await see(), 'on-ssd')).toEqual(['compute-3']);
  await setAggregateMetadata(ssdAggregate, { ssd: 'no' });
  const seen = await until('the change is seen', async () => {
    const now = await see();
    return fittingHosts(now, 'on-ssd').length === 0 ? now : undefined;
  });
  const host = seen.hosts.find(({ name }) => name === 'compute-1')!;
  const { needs } = seen.instances.get('on-ssd')!;
  expect(driver.whyNot(needs!, host.offers!)).toBe('an aggregate with ssd = true');
});

it('a target of another class is refused before Nova is asked, in words', async () => {
  const move = aMove(servers.get('in-zone-a')!, { target: 'compute-3' });
  await expect(driver.startMove(move)).rejects.toThrow(/to host compute-3: it lacks zone a\.$/);
});

/** An answer with as many candidates as placement was asked to list, and none of them a host that there is. */
const manyOthers = {
  allocation_requests: Array.from({ length: 1_000 }, (_, n) => ({ allocations: { [`host-${n}`]: {} } })),
  provider_summaries: {},
};
const hidesHosts = () =>
  placement.answerAlways({ path: /allocation_candidates\?(?!.*in_tree)/ }, { status: 200, body: manyOthers });

describe('what placement alone knows of a host', () => {
  const usual = 262_144;
  // Nova's audit takes it back in a while.
  beforeEach(() => limitUnit('compute-2', 'MEMORY_MB', 512));
  afterAll(() => limitUnit('compute-2', 'MEMORY_MB', usual));

  it('is why a target with room by all numbers is refused before Nova is asked, and the reason says so', async () => {
    const move = aMove(servers.get('slow')!, { target: 'compute-2' });
    const reason = /placement does not offer it for .*, although so much is free there\.$/;
    await expect(driver.startMove(move)).rejects.toThrow(reason);
  });

  it('is known before a move also where placement has more candidates than it lists', async () => {
    hidesHosts();
    const move = aMove(servers.get('in-zone-a')!, { target: 'compute-2' });
    await expect(openWith().startMove(move)).rejects.toThrow('placement does not offer it');
  });

  it('is known to a look at the cloud, for each class that has to leave a host', async () => {
    const { notOffered } = await lookAtCloud({ cloud: openWith(), db: database.db }, 'listHosts', ['compute-1']);
    expect(new Set(notOffered.map(({ target }) => target))).toEqual(new Set(['compute-2']));
    expect(notOffered).toHaveLength(3); // those of plain, in-zone-a and slow
  });
});

it('a host that placement does not list among very many candidates is asked for alone, and taken', async () => {
  hidesHosts();
  const move = aMove(servers.get('in-zone-a')!, { target: 'compute-2' });
  expect(await openWith().startMove(move)).toEqual({ kind: 'running' });
});

it('placement is asked once for all servers that need the same', async () => {
  const asked = () => placement.calls.filter(({ path }) => path.includes('/allocation_candidates')).length;
  const before = asked();
  for (const name of ['plain', 'plain-2']) {
    expect(await driver.startMove(aMove(servers.get(name)!))).toEqual({ kind: 'running' });
  }
  expect(asked()).toBe(before + 1);
});

describe('without placement', () => {
  it.each([
    { situation: 'answers 403', misfortune: { status: 403 } },
    { situation: 'answers 503', misfortune: { status: 503 } },
    { situation: 'does not answer', misfortune: 'silence' },
  ] as const)('that $situation hosts are compared by what Nova tells', async ({ misfortune }) => {
    placement.answerAlways({}, misfortune);
    const seen = await see(openWith({ PARLEY_OPENSTACK_TIMEOUT_SECONDS: '5' }));
    expect(fittingHosts(seen, 'in-zone-a')).toEqual(['compute-1', 'compute-2']);
    expect(fittingHosts(seen, 'dedicated')).toEqual(usualComputes);
    expect(seen.instances.get('dedicated')!.amounts).toEqual({ VCPU: 4, MEMORY_MB: 1024, DISK_GB: 1 });
  });

  it('that answers 403 in the middle, work goes on, and what placement told of hosts is kept', async () => {
    const before = await see();
    placement.answerAlways({}, { status: 403 });
    const seen = await see();
    const expected = { refusalClass: 'fast', instance: seen.instances.get('fast')!, hosts: usualComputes };
    expect(await openWith().notOffered!([expected])).toEqual([]);
    expect(fittingHosts(seen, 'dedicated')).toEqual(fittingHosts(before, 'dedicated'));
    const move = aMove(servers.get('slow')!, { target: 'compute-2' });
    expect(await driver.startMove(move)).toEqual({ kind: 'running' });
  });
});
