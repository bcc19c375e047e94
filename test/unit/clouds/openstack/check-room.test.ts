/** Whether a host takes a server now: placement decides where it can be asked, and numbers where it cannot. */
import { hostAggregatesFrom } from '../../../../clouds/openstack/classes/aggregates';
import type { FleetLook } from '../../../../clouds/openstack/classes/fleet-look';
import { candidateQuery, createCandidateSearch } from '../../../../clouds/openstack/hosts/candidates';
import { createRoomCheck } from '../../../../clouds/openstack/hosts/check-room';
import type { PlacementApi } from '../../../../clouds/openstack/nova/placement-api';
import type { Amounts } from '../../../../rules/cloud/amounts';
import { aNovaServer, type NovaServerWish } from '../../../builders/a-nova-server';

const amounts = { VCPU: 64, MEMORY_MB: 64_000, DISK_GB: 500 };
const size = (id: string, toldBy: 'placement' | 'nova' = 'placement') =>
  ({ hypervisorIds: [id], providerIds: [id], hypervisorType: 'QEMU', toldBy, amounts, traits: [] }) as const;

const zones = [
  { uuid: 'zone-a', hosts: ['compute-1', 'compute-2'], metadata: { availability_zone: 'a' } },
  { uuid: 'zone-b', hosts: ['compute-3'], metadata: { availability_zone: 'b' } },
];
const look: FleetLook = {
  sizes: new Map([
    ['compute-1', size('h1')],
    ['compute-2', size('h2')],
    ['compute-3', size('h3')],
    ['compute-4', size('h4', 'nova')],
  ]),
  aggregates: hostAggregatesFrom(zones),
  keepsZones: true,
};

interface Placement {
  /** Answers, one after the other; the last one stays. */
  readonly named: readonly (readonly string[] | undefined)[];
  /** Placement has more candidates than it lists, unless it is asked for one host alone. */
  readonly hasMore?: boolean;
  readonly free?: Amounts;
}

const roomCheck = ({ named, hasMore, free = amounts }: Placement, nowMs = () => 0) => {
  const queries: string[] = [];
  const placement: Pick<PlacementApi, 'candidatesFor'> = {
    candidatesFor(query) {
      queries.push(query);
      const answer = named[Math.min(queries.length, named.length) - 1];
      const areAll = hasMore !== true || query.includes('&in_tree=');
      return Promise.resolve(answer && { named: new Set(answer), areAll });
    },
  };
  // The only call to placement that this uses.
  const search = createCandidateSearch(placement as PlacementApi, nowMs);
  const capacities = { sizes: () => Promise.resolve(look.sizes), capacityLeft: () => Promise.resolve(free) };
  return { queries, check: createRoomCheck({ look: () => Promise.resolve(look), capacities, search }) };
};

const full = { VCPU: 1, MEMORY_MB: -5, DISK_GB: 500 };
const lack =
  'no capacity; 2 vcpus, 1024 MB of memory and 10 GB of disk are needed, 1 vcpus and 1024 MB of memory are missing.';

it.each([
  {
    situation: 'placement names it',
    placement: { named: [['h2']], free: full },
    host: 'compute-2',
    lacks: undefined,
    asked: 1,
  },
  {
    situation: 'placement names it by now',
    placement: { named: [[], ['h2']] },
    host: 'compute-2',
    lacks: undefined,
    asked: 2,
  },
  {
    situation: 'placement does not name it, and it is full',
    placement: { named: [[]], free: full },
    host: 'compute-2',
    lacks: lack,
    asked: 2,
  },
  {
    situation: 'placement does not name it, although it is not full',
    placement: { named: [['h1']] },
    host: 'compute-2',
    lacks:
      'placement does not offer it for 2 vcpus, 1024 MB of memory and 10 GB of disk, although so much is free there.',
    asked: 2,
  },
  {
    situation: 'placement does not tell, and it is full',
    placement: { named: [undefined], free: full },
    host: 'compute-2',
    lacks: lack,
    asked: 1,
  },
  {
    situation: 'placement does not tell, and nobody knows how much disk is used',
    placement: { named: [undefined], free: { VCPU: 64, MEMORY_MB: 64_000 } },
    host: 'compute-2',
    lacks: 'nobody tells how much of it is used: DISK_GB.',
    asked: 1,
  },
  {
    situation: 'placement does not tell, and it is not full',
    placement: { named: [undefined] },
    host: 'compute-2',
    lacks: undefined,
    asked: 1,
  },
  {
    situation: 'placement names it among more than it lists',
    placement: { named: [['h2']], hasMore: true, free: full },
    host: 'compute-2',
    lacks: undefined,
    asked: 1,
  },
  {
    situation: 'placement has more than it lists, and names it when it is asked for it alone',
    placement: { named: [['h1'], ['h2']], hasMore: true, free: full },
    host: 'compute-2',
    lacks: undefined,
    asked: 2,
  },
  {
    situation: 'placement has more than it lists, and does not name it when it is asked for it alone',
    placement: { named: [['h1'], []], hasMore: true, free: full },
    host: 'compute-2',
    lacks: lack,
    asked: 2,
  },
  {
    situation: 'placement has more than it lists, cannot be asked for it alone, and it is full',
    placement: { named: [['h1'], undefined], hasMore: true, free: full },
    host: 'compute-2',
    lacks: lack,
    asked: 2,
  },
  {
    situation: 'placement does not know the host',
    placement: { named: [[]] },
    host: 'compute-4',
    lacks: undefined,
    asked: 0,
  },
  { situation: 'nobody knows the host', placement: { named: [[]] }, host: 'compute-9', lacks: undefined, asked: 0 },
])('a host lacks $lacks where $situation', async ({ placement, host, lacks, asked }) => {
  const { check, queries } = roomCheck(placement);
  expect(await check(aNovaServer(), host)).toBe(lacks);
  expect(queries).toHaveLength(asked);
});

it('asks for the target alone where placement has more candidates than it lists', async () => {
  const { check, queries } = roomCheck({ named: [['h1'], ['h2']], hasMore: true });
  await check(aNovaServer(), 'compute-2');
  expect(queries[1]).toBe(`${queries[0]}&in_tree=h2`);
});

it('a host of another class is refused without a question to placement', async () => {
  const { check, queries } = roomCheck({ named: [['h3']] });
  expect(await check(aNovaServer({ pinned_availability_zone: 'a' }), 'compute-3')).toBe('it lacks zone a.');
  expect(queries).toEqual([]);
});

it('placement is asked once in ten seconds for all servers that need the same', async () => {
  let nowMs = 0;
  const { check, queries } = roomCheck({ named: [['h1', 'h2']] }, () => nowMs);
  const ask = (server: NovaServerWish, host: string) => check(aNovaServer(server), host);
  await ask({ id: 'server-1' }, 'compute-1');
  await ask({ id: 'server-2', tenant_id: 'project-2' }, 'compute-2');
  expect(queries).toHaveLength(1);
  await ask({ flavor: { vcpus: 4 } }, 'compute-1');
  nowMs = 10_000;
  await ask({}, 'compute-1');
  expect(queries).toHaveLength(3);
});

it.each([
  { server: {}, query: 'resources=DISK_GB:10,MEMORY_MB:1024,VCPU:2' },
  {
    server: {
      specs: { 'trait:CUSTOM_B': 'required', 'trait:CUSTOM_A': 'forbidden', 'hw:cpu_policy': 'dedicated' },
      image: '',
    },
    query: 'resources=MEMORY_MB:1024,PCPU:2&required=CUSTOM_B,!CUSTOM_A',
  },
  {
    server: { specs: { 'resources1:VGPU': '1', 'trait1:CUSTOM_A': 'required' } },
    query: 'resources=DISK_GB:10,MEMORY_MB:1024,VCPU:2&resources1=VGPU:1&required1=CUSTOM_A',
  },
  {
    server: { specs: { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'isolate' } },
    query: 'resources=DISK_GB:10,MEMORY_MB:1024,VCPU:2&resources1=VGPU:1&resources2=VGPU:1&group_policy=isolate',
  },
])('asks placement for what Nova would ask for: $query', ({ server, query }) => {
  expect(decodeURIComponent(candidateQuery(aNovaServer(server), []))).toBe(query);
});

it('asks for hosts of the zone alone', () => {
  expect(decodeURIComponent(candidateQuery(aNovaServer(), ['b', 'a']))).toContain('&member_of=in:a,b');
});
