import { hostAggregatesFrom } from '../../../../clouds/openstack/classes/aggregates';
import { type FleetLook, nothingSeen } from '../../../../clouds/openstack/classes/fleet-look';
import { hostsFrom } from '../../../../clouds/openstack/hosts/list-hosts';
import { groupFrom, instancesFrom } from '../../../../clouds/openstack/list-instances';
import { allByLink, allByOffset } from '../../../../clouds/openstack/nova/pages';
import { movesElsewhere } from '../../../../rules/cloud/departure';

const service = (host: string, binary: string, given: object = {}) => ({
  id: `${host}/${binary}`,
  host,
  binary,
  status: 'enabled',
  state: 'up',
  disabled_reason: null,
  ...given,
});
const look: FleetLook = {
  ...nothingSeen,
  sizes: new Map([
    [
      'one',
      {
        ...{ hypervisorIds: ['h'], providerIds: ['h'], hypervisorType: 'QEMU', toldBy: 'placement' },
        ...{ amounts: { VCPU: 64 }, traits: ['B', 'A'] },
      },
    ],
  ]),
  aggregates: hostAggregatesFrom([{ uuid: 'a', hosts: ['one'], metadata: { availability_zone: 'a' } }]),
};
const offers = '{"hypervisor":"QEMU","metadata":{},"traits":["A","B"],"zone":"a"}';

describe('hosts by their services', () => {
  it.each([
    { what: 'a compute', services: ['nova-compute'], type: 'compute', isCompute: true },
    { what: 'a controller', services: ['nova-conductor', 'nova-scheduler'], type: 'controller', isCompute: false },
    { what: 'both', services: ['nova-conductor', 'nova-compute'], type: 'controller', isCompute: true },
  ])('show $what', ({ services, type, isCompute }) => {
    const hosts = hostsFrom(
      services.map((binary) => service('one', binary)),
      look,
    );
    const facts = { amounts: { VCPU: 64 }, offers, enabled: true, isUp: true };
    expect(hosts).toMatchObject([{ name: 'one', type, isCompute, ...facts }]);
  });

  it('have their zone, aggregates, metadata of these, traits and the state of their service as labels', () => {
    const metadata = { disk: 'ssd, nvme', rack: 'r1', zone: 'hidden', filter_tenant_id: 'web' };
    const aggregates = hostAggregatesFrom([
      { name: 'zone-a', hosts: ['one'], metadata: { availability_zone: 'a' } },
      { name: 'fast', hosts: ['one', 'two'], metadata },
      { hosts: ['two'], metadata: { disk: 'hdd' } },
    ]);
    const services = [
      service('one', 'nova-compute'),
      service('two', 'nova-compute', { status: 'disabled', state: 'down' }),
      service('three', 'nova-scheduler'),
    ];
    const labels = hostsFrom(services, { ...look, aggregates }).map((host) => [host.name, host.labels]);
    expect(Object.fromEntries(labels)).toEqual({
      one: {
        ...{ zone: 'a', aggregate: 'fast,zone-a', trait: 'A,B', status: 'enabled', state: 'up' },
        ...{ disk: 'nvme,ssd', rack: 'r1' },
      },
      two: {
        ...{ aggregate: 'fast', status: 'disabled', state: 'down' },
        ...{ disk: 'hdd,nvme,ssd', rack: 'r1', zone: 'hidden' },
      },
      three: {},
    });
  });

  it('tell who disabled a host and why, apart from whether it is up', () => {
    const disabled = service('one', 'nova-compute', {
      status: 'disabled',
      disabled_reason: 'new disks',
      state: 'down',
    });
    expect(hostsFrom([disabled], nothingSeen)).toMatchObject([
      { enabled: false, disabledReason: 'new disks', isUp: false, amounts: {} },
    ]);
  });
});

it('a host of a cell that is down is neither up nor enabled, and nobody knows what is on it', () => {
  const unknown = { host: 'one', binary: 'nova-compute', status: 'UNKNOWN' };
  expect(hostsFrom([unknown, service('two', 'nova-compute')], nothingSeen)).toMatchObject([
    { name: 'one', enabled: false, isUp: false, contentUnknown: expect.stringContaining('cell') as string },
    { name: 'two', enabled: true, isUp: true },
  ]);
});

describe('a controller that the list still has', () => {
  const nowMs = Date.parse('2026-11-27T12:00:00Z');
  const old = (binary: string, given: object = {}) =>
    service('pod-1', binary, { state: 'down', updated_at: '2026-11-20T12:00:00.000000', ...given });
  const hostsNow = (...services: ReturnType<typeof service>[]) => hostsFrom(services, nothingSeen, nowMs);

  it('seems to be gone when all its services have been down for more than a day', () => {
    expect(hostsNow(old('nova-conductor'), old('nova-scheduler', { updated_at: null }))).toMatchObject([
      { seemsGone: 'its services (nova-conductor and nova-scheduler) have been down since 2026-11-20T12:00:00.000Z' },
    ]);
  });

  it.each([
    { but: 'one of its services is up', services: [old('nova-conductor'), service('pod-1', 'nova-scheduler')] },
    { but: 'it went down lately', services: [old('nova-conductor', { updated_at: '2026-11-27T09:00:00.000000' })] },
    { but: 'Nova does not tell since when', services: [old('nova-conductor', { updated_at: undefined })] },
    { but: 'Nova tells no time', services: [old('nova-conductor', { updated_at: 'soon' })] },
    { but: 'it is a compute too, which may hold servers', services: [old('nova-conductor'), old('nova-compute')] },
  ])('is there when $but', ({ services }) => {
    expect(hostsNow(...services)[0]).not.toHaveProperty('seemsGone');
  });
});

describe('servers and groups', () => {
  const server = {
    id: '1B9A4B9E-0000-4000-8000-000000000001',
    name: 'web',
    tenant_id: '0a4d1e7c5d0b4b529a3e7061726c6579',
    status: 'ACTIVE',
    'OS-EXT-SRV-ATTR:host': 'one',
    flavor: { original_name: 'small', vcpus: 1, ram: 512 },
  };

  it('have their IDs as Nova and Keystone write them', () => {
    expect(instancesFrom(server)).toEqual([
      {
        instanceId: server.id,
        instanceName: 'web',
        projectId: server.tenant_id,
        host: 'one',
        flavor: 'small',
        departure: movesElsewhere,
        amounts: { VCPU: 1, MEMORY_MB: 512 },
        needs: '{"forbidden":[],"further":{"specs":{}},"metadata":{},"required":[]}',
        state: 'ACTIVE',
      },
    ]);
  });

  it('leave out a server on no host', () => {
    expect(instancesFrom({ ...server, 'OS-EXT-SRV-ATTR:host': null })).toEqual([]);
  });

  it('may be of a project whose ID is no UUID', () => {
    expect(instancesFrom({ ...server, tenant_id: 'the-web-team' })).toMatchObject([{ projectId: 'the-web-team' }]);
  });

  const group = { name: 'db', id: 'g', project_id: server.tenant_id, members: [] };
  it.each([
    {
      policy: 'anti-affinity, with its rule',
      given: { policy: 'anti-affinity', rules: { max_server_per_host: 3 } },
      most: 3,
    },
    { policy: 'anti-affinity, in the older form', given: { policy: undefined, policies: ['anti-affinity'] }, most: 1 },
  ])('are kept apart by $policy', ({ given: { policy, ...given }, most }) => {
    const wire = { ...group, ...given, ...(policy !== undefined && { policy }) };
    expect(groupFrom(wire)).toMatchObject({ antiAffinity: true, maxInstancesPerHost: most });
  });

  it.each(['affinity', 'soft-anti-affinity'])('are not kept apart by %s', (policy) => {
    expect(groupFrom({ ...group, policy })).toMatchObject({ antiAffinity: false });
  });
});

describe('lists in pages', () => {
  const all = ['a', 'b', 'c', 'd', 'e'];

  it('are read link by link', async () => {
    const pages: string[] = [];
    const items = await allByLink(2, ({ limit, marker }) => {
      pages.push(`${limit} from ${marker ?? 'the start'}`);
      const from = marker === undefined ? 0 : all.indexOf(marker) + 1;
      const page = all.slice(from, from + 2);
      const href = `http://nova/servers/detail?limit=2&marker=${page.at(-1)}`;
      return Promise.resolve({ items: page, links: from + 2 < all.length ? [{ rel: 'next', href }] : undefined });
    });
    expect(items).toEqual(all);
    expect(pages).toEqual(['2 from the start', '2 from b', '2 from d']);
  });

  it('whose links lead by a path alone are read, too', async () => {
    const items = await allByLink(undefined, ({ marker }) =>
      Promise.resolve(
        marker === 'a&1'
          ? { items: ['b'], links: undefined }
          : { items: ['a'], links: [{ rel: 'next', href: '/v2.1/servers/detail?marker=a%261' }] },
      ),
    );
    expect(items).toEqual(['a', 'b']);
  });

  it.each([
    { link: 'names no marker', href: 'http://nova/servers/detail?limit=2' },
    { link: 'leads to the same page', href: 'http://nova/servers/detail?marker=a' },
  ])('whose next link $link are an error: the rest must not count as not there', async ({ href }) => {
    const links = [{ rel: 'next', href }];
    await expect(allByLink(undefined, () => Promise.resolve({ items: ['a'], links }))).rejects.toThrow('is cut short');
  });

  it('without links are read until nothing comes, however short the pages', async () => {
    const named = all.map((id) => ({ id }));
    const items = await allByOffset(1_000, ({ offset }) =>
      Promise.resolve(named.slice(Number(offset), Number(offset) + 2)),
    );
    expect(items).toEqual(named);
  });

  it('without links end where a page comes again', async () => {
    const named = all.map((id) => ({ id }));
    expect(await allByOffset(1_000, () => Promise.resolve(named))).toEqual(named);
  });
});
