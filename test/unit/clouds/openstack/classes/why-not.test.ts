/** Which hosts a server may go to, amounts apart: the relation of classes. */
import { hostAggregatesFrom } from '../../../../../clouds/openstack/classes/aggregates';
import { needsOf } from '../../../../../clouds/openstack/classes/needs';
import { offersOf } from '../../../../../clouds/openstack/classes/offers';
import { whyNot } from '../../../../../clouds/openstack/classes/why-not';
import { aNovaServer, type NovaServerWish } from '../../../../builders/a-nova-server';

interface Case {
  readonly is: string;
  readonly server?: NovaServerWish;
  /** Metadata of the aggregates that compute-1 is in. */
  readonly here?: readonly Record<string, string>[];
  /** Metadata of an aggregate with other hosts. */
  readonly elsewhere?: Record<string, string>;
  readonly traits?: readonly string[] | undefined;
  readonly hypervisor?: string;
  /** For Nova before 2.96; left out: servers stay in their zone. */
  readonly keepsZones?: boolean;
  readonly lacks: string | undefined;
}

const inZone = (zone: string) => ({ availability_zone: zone });
const pinned = (zone: string): NovaServerWish => ({ pinned_availability_zone: zone });
const ssd = (wanted: string): NovaServerWish => ({ specs: { ssd: wanted } });

const cases: readonly Case[] = [
  { is: 'that needs nothing', lacks: undefined },
  { is: 'for the zone of the host', server: pinned('a'), here: [inZone('a')], lacks: undefined },
  {
    is: 'for another zone',
    server: pinned('a'),
    here: [inZone('b')],
    elsewhere: inZone('a'),
    lacks: 'zone a',
  },
  { is: 'for a zone, on a host in none', server: pinned('a'), elsewhere: inZone('a'), lacks: 'zone a' },
  { is: 'for a zone that was renamed', server: pinned('old'), here: [inZone('a')], lacks: undefined },
  {
    is: 'for any zone',
    server: { 'OS-EXT-AZ:availability_zone': 'b' },
    here: [inZone('a')],
    elsewhere: inZone('b'),
    lacks: undefined,
  },
  { is: 'with an extra spec that an aggregate has', server: ssd('true'), here: [{ ssd: 'true' }], lacks: undefined },
  { is: 'with one of several values', server: ssd('true'), here: [{ ssd: 'false, true' }], lacks: undefined },
  { is: 'with a value of two aggregates', server: ssd('2'), here: [{ ssd: '1' }, { ssd: '2' }], lacks: undefined },
  { is: 'with another value', server: ssd('true'), here: [{ ssd: 'false' }], lacks: 'an aggregate with ssd = true' },
  {
    is: 'with a name that only others have',
    server: ssd('true'),
    elsewhere: { ssd: 'true' },
    lacks: 'an aggregate with ssd = true',
  },
  { is: 'with a name that no aggregate has', server: ssd('true'), here: [inZone('a')], lacks: undefined },
  {
    is: 'with one of several wanted values',
    server: ssd('<or> big <or> huge'),
    here: [{ ssd: 'huge' }],
    lacks: undefined,
  },
  { is: 'with at least a number', server: ssd('>= 2'), here: [{ ssd: '10' }], lacks: undefined },
  {
    is: 'with no more than a number',
    server: ssd('<= 2'),
    here: [{ ssd: '10' }],
    lacks: 'an aggregate with ssd = <= 2',
  },
  {
    is: 'with the scope of aggregates',
    server: { specs: { 'aggregate_instance_extra_specs:ssd': 'true' } },
    here: [{ ssd: 'no' }],
    lacks: 'an aggregate with ssd = true',
  },
  { is: 'with another scope', server: { specs: { 'hw:ssd': 'true' } }, here: [{ 'hw:ssd': 'no' }], lacks: undefined },
  {
    is: 'of a project that the host is kept for',
    here: [{ filter_tenant_id: 'project-2,project-1' }],
    lacks: undefined,
  },
  {
    is: 'of a project that the host is not kept for',
    here: [{ filter_tenant_id_2: 'project-2' }],
    lacks: 'an aggregate open to project project-1',
  },
  { is: 'of any project on a host kept for none', elsewhere: { filter_tenant_id: 'project-2' }, lacks: undefined },
  {
    is: 'whose flavor requires a trait',
    server: { specs: { 'trait:CUSTOM_A': 'required' } },
    traits: [],
    lacks: 'trait CUSTOM_A',
  },
  {
    is: 'whose required trait is there',
    server: { specs: { 'trait1:CUSTOM_A': 'required' } },
    traits: ['CUSTOM_A'],
    lacks: undefined,
  },
  {
    is: 'whose image requires a trait',
    server: { image: { properties: { 'trait:CUSTOM_A': 'required' } } },
    traits: ['CUSTOM_B'],
    lacks: 'trait CUSTOM_A',
  },
  {
    is: 'whose flavor forbids a trait',
    server: { specs: { 'trait:CUSTOM_A': 'forbidden' } },
    traits: ['CUSTOM_A'],
    lacks: 'hardware without trait CUSTOM_A',
  },
  {
    is: 'on a host whose traits are unknown',
    server: { specs: { 'trait:CUSTOM_A': 'required' } },
    traits: undefined,
    lacks: undefined,
  },
  { is: 'of another type of hypervisor', hypervisor: 'ironic', lacks: 'a hypervisor of type QEMU' },
  {
    is: 'that lacks several things',
    server: { ...pinned('a'), specs: { 'trait:CUSTOM_A': 'required' } },
    elsewhere: inZone('a'),
    lacks: 'zone a, trait CUSTOM_A',
  },
];

const aggregatesOf = ({ here = [], elsewhere }: Case) =>
  hostAggregatesFrom([
    ...here.map((metadata) => ({ uuid: 'here', hosts: ['compute-1'], metadata })),
    ...(elsewhere ? [{ uuid: 'elsewhere', hosts: ['compute-2'], metadata: elsewhere }] : []),
  ]);

it.each(cases)('a server $is: the host lacks $lacks', (given) => {
  const { server, traits = 'traits' in given ? undefined : [], hypervisor = 'QEMU', keepsZones = true, lacks } = given;
  const aggregates = aggregatesOf(given);
  const needs = needsOf(aNovaServer(server), { aggregates, hypervisor: 'QEMU', keepsZones });
  expect(whyNot(needs, offersOf({ aggregates: aggregates.of('compute-1'), traits, hypervisor }))).toBe(lacks);
});

it.each([
  { keepsZones: true, lacks: 'zone a' },
  { keepsZones: false, lacks: undefined },
])('before 2.96 a server stays in the zone that it is in: $keepsZones', ({ keepsZones, lacks }) => {
  const aggregates = aggregatesOf({ is: '', here: [inZone('b')], elsewhere: inZone('a'), lacks });
  const { pinned_availability_zone: notTold, ...server } = aNovaServer({ 'OS-EXT-AZ:availability_zone': 'a' });
  expect(notTold).toBeNull();
  const needs = needsOf(server, { aggregates, hypervisor: undefined, keepsZones });
  const offers = offersOf({ aggregates: aggregates.of('compute-1'), traits: [], hypervisor: undefined });
  expect(whyNot(needs, offers)).toBe(lacks);
});

it('goes by the zones that there are now: one that is renamed while its servers are there asks nothing of a host', () => {
  const lacksIn = (zone: string) => {
    const aggregates = aggregatesOf({ is: '', here: [inZone('b')], elsewhere: inZone(zone), lacks: undefined });
    const needs = needsOf(aNovaServer(pinned('a')), { aggregates, hypervisor: 'QEMU', keepsZones: true });
    const offers = offersOf({ aggregates: aggregates.of('compute-1'), traits: [], hypervisor: 'QEMU' });
    return whyNot(needs, offers);
  };
  expect([lacksIn('a'), lacksIn('renamed')]).toEqual(['zone a', undefined]);
});

it('asks nothing of zones and aggregates where the login may not see them', () => {
  const server = aNovaServer({ ...pinned('a'), specs: { ssd: 'true' } });
  const needs = needsOf(server, { aggregates: undefined, hypervisor: 'QEMU', keepsZones: true });
  expect(whyNot(needs, offersOf({ aggregates: undefined, traits: undefined, hypervisor: 'QEMU' }))).toBeUndefined();
});

it('a host or a server of no class has nothing special', () => {
  const needs = needsOf(aNovaServer(pinned('a')), { aggregates: undefined, hypervisor: 'QEMU', keepsZones: true });
  expect([
    whyNot('', ''),
    whyNot(needs, ''),
    whyNot('', offersOf({ aggregates: undefined, traits: [], hypervisor: 'QEMU' })),
  ]).toEqual([undefined, undefined, undefined]);
});

describe('classes', () => {
  const aggregates = hostAggregatesFrom([]);
  const classOf = (server: NovaServerWish) =>
    needsOf(aNovaServer(server), { aggregates, hypervisor: 'QEMU', keepsZones: true });

  it('are the same text for what is written in another order', () => {
    expect(classOf({ specs: { a: '1', b: '2' } })).toBe(classOf({ specs: { b: '2', a: '1' } }));
  });

  it('are those of several servers, projects and sizes', () => {
    expect(classOf({ id: 'server-2', tenant_id: 'project-2', flavor: { vcpus: 8 } })).toBe(classOf({}));
  });

  it.each([
    { by: 'a NUMA topology', server: { specs: { 'hw:numa_nodes': '2' } } },
    { by: 'a property of the image', server: { image: { properties: { hw_machine_type: 'q35' } } } },
    { by: 'a hint', server: { scheduler_hints: { group: ['group-1'] } } },
  ])('differ by $by, for which Nova may refuse one and not the other', ({ server }) => {
    expect(classOf(server)).not.toBe(classOf({}));
  });

  it('of hosts do not change with the state of the host', () => {
    const offers = (traits: readonly string[]) => offersOf({ aggregates: undefined, traits, hypervisor: 'QEMU' });
    expect(offers(['COMPUTE_STATUS_DISABLED', 'B', 'A'])).toBe(offers(['A', 'B']));
  });
});
