/** What is on a host, by the answers of a Nova and a placement that do not say the same. */
import { OddAnswer } from '../../../../../clouds/http/parse-answer';
import { createWhatIsOn } from '../../../../../clouds/openstack/content/what-is-on';
import type { Capacities } from '../../../../../clouds/openstack/hosts/capacity';
import type { ServiceClient } from '../../../../../clouds/openstack/http/service-client';
import { ServiceError } from '../../../../../clouds/openstack/http/service-error';
import type { NovaServer, PlacedMigration } from '../../../../../clouds/openstack/nova/answers';
import type { NovaApi } from '../../../../../clouds/openstack/nova/nova-api';
import { HostUnread } from '../../../../../clouds/openstack/nova/servers';
import type { CloudHost } from '../../../../../rules/cloud/cloud-facts';

const [host, other] = ['one', 'two'];

const aServer = (given: Partial<NovaServer> = {}): NovaServer => ({
  ...{ id: 'server-1', name: 'web', tenant_id: 'project-1', status: 'ACTIVE' },
  ...{ 'OS-EXT-SRV-ATTR:host': other, 'OS-EXT-STS:task_state': null },
  flavor: { original_name: 'small', vcpus: 1, ram: 512 },
  ...given,
});

const aMigration = (status: string, given: Partial<PlacedMigration> = {}): PlacedMigration => ({
  ...{ uuid: 'migration-1', instance_uuid: 'server-1', migration_type: 'resize', status },
  source_compute: host,
  ...given,
});

interface Cloud {
  readonly server?: NovaServer;
  readonly migrations?: readonly PlacedMigration[];
  readonly onHypervisor?: readonly string[] | undefined;
  /** The consumers that placement knows. Left out: it may not be read. */
  readonly booked?: readonly string[] | { readonly status: number };
  readonly seen?: Partial<CloudHost> | 'unlisted';
  readonly hasHypervisor?: boolean;
  /** The IDs of the nodes that nova-compute looks after, when it is one for bare metal. */
  readonly nodes?: readonly string[];
  /** The list of its servers fails so. */
  readonly fault?: Error;
}

const placementOf = (booked: NonNullable<Cloud['booked']>, hypervisorId: string): ServiceClient => ({
  call({ path }) {
    const isAsked = path === `/resource_providers/${hypervisorId}/allocations`;
    if (isAsked && 'status' in booked) return Promise.reject(new ServiceError('no', booked.status, 'no'));
    const consumers = isAsked && !('status' in booked) ? booked : [];
    const allocations = Object.fromEntries(consumers.map((id) => [id, {}]));
    return Promise.resolve({ status: 200, headers: new Map(), body: { allocations } });
  },
});

const doubtsIn = async ({
  server,
  migrations = [],
  onHypervisor = [],
  booked,
  seen = {},
  hasHypervisor = true,
  nodes,
  fault,
}: Cloud): Promise<readonly string[]> => {
  const last = nodes?.at(-1) ?? 'h';
  const nova: Partial<NovaApi> = {
    findServer: (id) => Promise.resolve(server?.id === id ? { server, at: new Date() } : undefined),
    listServersOfHypervisor: (id) =>
      Promise.resolve(id === last ? onHypervisor.map((uuid) => ({ uuid, name: 'web' })) : []),
    listHypervisors: () =>
      Promise.resolve((nodes ?? []).map((id) => ({ id, hypervisor_type: 'ironic', service: { host } }))),
    listMigrationsOf: () => Promise.resolve(migrations),
    listFinishedMigrationsFrom: () => Promise.resolve(migrations.filter(({ status }) => status === 'finished')),
  };
  const size = {
    ...{ hypervisorIds: ['h'], providerIds: ['h'], hypervisorType: nodes === undefined ? 'QEMU' : 'ironic' },
    ...{ toldBy: 'placement' as const, amounts: {} },
  };
  const capacities: Partial<Capacities> = {
    sizes: () => Promise.resolve(new Map(hasHypervisor ? [[host, size]] : [])),
  };
  const listed: CloudHost = { name: host, type: 'compute', isCompute: true, enabled: true, isUp: true, amounts: {} };
  const whatIsOn = createWhatIsOn({
    ...{ nova: nova as NovaApi, capacities: capacities as Capacities },
    placement: () => Promise.resolve(booked && placementOf(booked, last)),
    findHost: () => Promise.resolve(seen === 'unlisted' ? undefined : { ...listed, ...seen }),
    listInstances: () => (fault === undefined ? Promise.resolve([]) : Promise.reject(fault)),
  });
  const { instances, doubts } = await whatIsOn(host);
  expect(instances).toEqual([]);
  return doubts.map(({ owner, because }) => `${owner}: ${because}`);
};

const task = (name: string) => ({ 'OS-EXT-STS:task_state': name });

/** The states of migrations of Nova 34, with the server as it is in each of them; it is listed on the other host. */
const statesOfMigrations = [
  { status: 'accepted', server: { status: 'RESIZE', ...task('resize_prep') }, is: /is not finished/ },
  { status: 'queued', server: { status: 'MIGRATING', ...task('migrating') }, is: /is not finished/ },
  { status: 'preparing', server: { status: 'MIGRATING', ...task('migrating') }, is: /is not finished/ },
  { status: 'pre-migrating', server: { status: 'RESIZE', ...task('resize_prep') }, is: /is not finished/ },
  { status: 'running', server: { status: 'MIGRATING', ...task('migrating') }, is: /is not finished/ },
  { status: 'migrating', server: { status: 'RESIZE', ...task('resize_migrating') }, is: /is not finished/ },
  { status: 'post-migrating', server: { status: 'RESIZE', ...task('resize_finish') }, is: /is not finished/ },
  { status: 'finished', server: { status: 'VERIFY_RESIZE' }, is: /^project: .*disk for the way back/ },
  { status: 'confirming', server: { status: 'VERIFY_RESIZE' }, is: /^project: .*disk for the way back/ },
  { status: 'reverting', server: { status: 'REVERT_RESIZE', ...task('resize_reverting') }, is: /on its way back to/ },
];

describe('a server that Nova lists on another host', () => {
  it.each(statesOfMigrations)('holds the host, where placement may not be read, while $status', async (state) => {
    const migrations = [aMigration(state.status)];
    expect(await doubtsIn({ server: aServer(state.server), migrations })).toEqual([expect.stringMatching(state.is)]);
  });

  it.each(statesOfMigrations)('holds the host by its booking while $status', async (state) => {
    const cloud = { server: aServer(state.server), migrations: [aMigration(state.status)], booked: ['migration-1'] };
    expect(await doubtsIn(cloud)).toEqual([expect.stringMatching(state.is)]);
  });

  it.each(['completed', 'done', 'confirmed', 'reverted', 'error', 'failed', 'cancelled'])(
    'holds nothing when its move is %s, and a booking for it is left over',
    async (status) => {
      const cloud = { server: aServer(), migrations: [aMigration(status)] };
      expect(await doubtsIn(cloud)).toEqual([]);
      expect(await doubtsIn({ ...cloud, booked: [] })).toEqual([]);
      expect(await doubtsIn({ ...cloud, booked: ['migration-1'] })).toEqual([
        `operator: placement books amounts on host one for a migration (${status}) of instance web (server-1), which Nova places on two`,
      ]);
    },
  );

  it('holds nothing by a record that nobody ended, when it is idle', async () => {
    expect(await doubtsIn({ server: aServer(), migrations: [aMigration('running')] })).toEqual([]);
  });

  it('holds the host while Nova hides the hosts of migrations', async () => {
    const hidden = aMigration('finished', { source_compute: null });
    const server = aServer({ status: 'VERIFY_RESIZE' });
    expect(await doubtsIn({ server, migrations: [hidden] })).toEqual([expect.stringMatching(/way back/)]);
    expect(await doubtsIn({ server, migrations: [hidden], booked: [] })).toEqual([expect.stringMatching(/way back/)]);
  });

  it('holds the host from which it was evacuated until nova-compute starts there', async () => {
    const migrations = [aMigration('done', { migration_type: 'evacuation' })];
    const says = [expect.stringContaining('was evacuated from host one, and what it left there was not removed')];
    expect(await doubtsIn({ server: aServer(), migrations })).toEqual(says);
    expect(await doubtsIn({ server: aServer(), migrations, booked: ['server-1'] })).toEqual(says);
    const over = [aMigration('completed', { migration_type: 'evacuation' })];
    expect(await doubtsIn({ server: aServer(), migrations: over })).toEqual([]);
  });
});

describe('a server on its way to the host', () => {
  const coming = [aMigration('running', { source_compute: other })];
  it.each([
    { situation: 'in a live migration', given: { status: 'MIGRATING', ...task('migrating') }, migrations: coming },
    { situation: 'in an evacuation', given: { status: 'REBUILD', ...task('rebuilding') }, migrations: coming },
    { situation: 'in a resize', given: { status: 'RESIZE', ...task('resize_prep') }, migrations: coming },
    { situation: 'that is built', given: { status: 'BUILD', 'OS-EXT-SRV-ATTR:host': null }, migrations: [] },
    { situation: 'that is unshelved', given: { status: 'SHELVED_OFFLOADED', ...task('spawning') }, migrations: [] },
  ])('$situation is no left-over booking', async ({ given, migrations }) => {
    const cloud = { server: aServer(given), migrations, booked: ['server-1'] };
    expect(await doubtsIn(cloud)).toEqual([expect.stringContaining('is on its way to it')]);
  });

  it('holds it where placement may not be read', async () => {
    const server = aServer({ status: 'MIGRATING', ...task('migrating') });
    expect(await doubtsIn({ server, migrations: coming })).toEqual([expect.stringContaining('is on its way to it')]);
  });
});

describe('a host', () => {
  it.each<Cloud & { readonly situation: string; readonly says: string }>([
    { situation: 'whose list hides a server', onHypervisor: ['server-1'], says: "the hypervisor's record places it" },
    { situation: 'booked for nobody', booked: ['x'], says: 'for x, which Nova does not know' },
    {
      situation: 'booked for a server elsewhere',
      ...{ server: aServer(), booked: ['server-1'] },
      says: 'for instance web (server-1), which Nova places on two',
    },
    {
      situation: 'with a server that is deleted softly',
      ...{ server: aServer({ status: 'SOFT_DELETED', 'OS-EXT-SRV-ATTR:host': host }), booked: ['server-1'] },
      says: 'is deleted softly',
    },
    { situation: 'that placement does not know', booked: { status: 404 }, says: 'placement does not know its hyper' },
    { situation: 'without a hypervisor', hasHypervisor: false, says: 'Nova has no hypervisor for it' },
    { situation: 'that Nova does not list', seen: 'unlisted', says: 'Nova lists no service on it' },
    {
      situation: 'with a server that cannot be read',
      fault: new HostUnread(host, 'web-1 is odd'),
      says: 'nobody knows what is on host one, since web-1 is odd',
    },
    {
      situation: 'about which an answer makes no sense',
      fault: new OddAnswer('no list of servers'),
      says: 'since an answer makes no sense: no list of servers',
    },
    { situation: 'of a cell that is down', seen: { contentUnknown: 'its cell is down' }, says: 'its cell is down' },
  ])('$situation is not empty', async ({ says, ...cloud }) => {
    expect(await doubtsIn(cloud)).toEqual([expect.stringContaining(says)]);
  });

  it.each<Cloud & { readonly situation: string }>([
    { situation: 'of which all sources know nothing', booked: [] },
    { situation: 'whose bookings may not be read', booked: { status: 403 } },
    { situation: 'without nova-compute', seen: { isCompute: false }, hasHypervisor: false },
  ])('$situation is empty', async (cloud) => {
    expect(await doubtsIn(cloud)).toEqual([]);
  });

  /** Nova's sizes know the first node only: the others have come since. */
  const nodes = ['h', 'node-2', 'node-3'];
  it.each<Cloud & { readonly situation: string; readonly says: string }>([
    {
      situation: 'has a server in the record of its last',
      onHypervisor: ['server-1'],
      says: "the hypervisor's record",
    },
    { situation: 'has a booking on its last', booked: ['x'], says: 'for x, which Nova does not know' },
    { situation: 'has one that placement does not know', booked: { status: 404 }, says: 'placement does not know' },
  ])('of several bare-metal nodes that $situation is not empty', async ({ says, ...cloud }) => {
    expect(await doubtsIn({ ...cloud, nodes })).toEqual([expect.stringContaining(says)]);
  });

  it('of several bare-metal nodes, one of whose bookings may not be read, is asked for its migrations', async () => {
    const server = aServer({ status: 'RESIZE', ...task('resize_prep') });
    const cloud = { server, migrations: [aMigration('accepted')], booked: { status: 403 }, nodes };
    expect(await doubtsIn(cloud)).toEqual([expect.stringContaining('is not finished')]);
    expect(await doubtsIn({ booked: [], nodes })).toEqual([]);
  });

  it('whose bookings are not told now is not said to be empty', async () => {
    await expect(doubtsIn({ booked: { status: 503 } })).rejects.toThrow('no');
  });
});
