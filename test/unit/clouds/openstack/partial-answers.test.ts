/**
 * Answers of Nova that lack something which its API reference and its source call optional, or which may be null: each
 * has its consequence, and is never taken for nothing.
 */
import type { ServiceClient } from '../../../../clouds/openstack/http/service-client';
import { createNovaApi, type NovaApi } from '../../../../clouds/openstack/nova/nova-api';

interface Answer {
  readonly body: object;
  readonly version?: string;
}

/** Answers one call after the other. */
const answering = (...answers: readonly Answer[]) => {
  const queries: unknown[] = [];
  const left = [...answers];
  const client: ServiceClient = {
    call({ query }) {
      queries.push(query);
      const { body = {}, version } = left.shift() ?? {};
      const headers = new Map(version === undefined ? [] : [['openstack-api-version', `compute ${version}`]]);
      return Promise.resolve({ status: 200, headers, body });
    },
  };
  return { nova: createNovaApi({ client }), queries };
};

const read = (call: (nova: NovaApi) => Promise<unknown>, body: object): Promise<unknown> =>
  call(answering({ body }).nova);

const aHypervisor = { id: 'h-1', hypervisor_type: 'QEMU', hypervisor_hostname: 'one.dc', service: { host: 'one' } };

describe('an entry of a list', () => {
  it.each([
    {
      entry: 'an aggregate without hosts and metadata',
      call: (nova: NovaApi) => nova.listAggregates(),
      body: { aggregates: [{ id: 1, hosts: null, metadata: null }] },
      means: [{ hosts: [], metadata: {} }],
    },
    {
      entry: 'a hypervisor without sizes',
      call: (nova: NovaApi) => nova.listHypervisors(),
      body: { hypervisors: [{ ...aHypervisor, vcpus: null }] },
      means: [{ id: 'h-1', vcpus: null }],
    },
    {
      entry: 'a service of which only the name is known',
      call: (nova: NovaApi) => nova.listServices(),
      body: { services: [{ host: 'one', binary: 'nova-compute', status: 'UNKNOWN' }] },
      means: [{ host: 'one', status: 'UNKNOWN' }],
    },
    {
      entry: 'a service that was never disabled and has never reported',
      call: (nova: NovaApi) => nova.listServices(),
      body: {
        services: [{ host: 'one', binary: 'b', status: 'enabled', disabled_reason: null, updated_at: null }],
      },
      means: [{ host: 'one', updated_at: null }],
    },
    {
      entry: 'an action that no user began',
      call: (nova: NovaApi) => nova.listActions('server'),
      body: { instanceActions: [{ action: 'migrate', request_id: 'r', user_id: null, start_time: 't' }] },
      means: [{ user_id: null }],
    },
    {
      entry: 'an event that is not over and has no details',
      call: async (nova: NovaApi) => (await nova.findAction('server', 'r'))?.events,
      body: { instanceAction: { message: null, events: [{ event: 'e', result: null, details: null }] } },
      means: [{ event: 'e' }],
    },
    {
      entry: 'a migration whose hosts are hidden',
      call: (nova: NovaApi) => nova.listFinishedMigrationsFrom('one'),
      body: { migrations: [{ instance_uuid: 's', status: 'finished', source_compute: null }] },
      means: [{ instance_uuid: 's' }],
    },
    {
      entry: 'a live migration before its first report',
      call: (nova: NovaApi) => nova.listRunningMigrations('server'),
      body: { migrations: [{ id: 1, status: 'running', memory_total_bytes: null, disk_total_bytes: null }] },
      means: [{ id: 1 }],
    },
  ])('$entry is read', async ({ call, body, means }) => {
    expect(await read(call, body)).toMatchObject(means);
  });

  it.each([
    {
      entry: 'a hypervisor without an ID',
      call: (nova: NovaApi) => nova.listHypervisors(),
      body: { hypervisors: [aHypervisor, { ...aHypervisor, id: null, hypervisor_hostname: 'two.dc' }] },
      says: "Nova's hypervisors: /hypervisors/1/id must be a string (of two.dc)",
    },
    {
      entry: 'a service without a status',
      call: (nova: NovaApi) => nova.listServices(),
      body: { services: [{ host: 'one', binary: 'nova-compute' }] },
      says: "Nova's services: /services/0/status is missing (of nova-compute, one)",
    },
    {
      entry: 'a server group without members',
      call: (nova: NovaApi) => nova.listServerGroups(),
      body: { server_groups: [{ id: 'g', name: 'db', project_id: 'p', policy: null }] },
      says: '/server_groups/0/members is missing (of db, g)',
    },
    {
      entry: 'a migration without a status',
      call: (nova: NovaApi) => nova.listMigrationsOf('one'),
      body: { migrations: [{ uuid: 'm', instance_uuid: 's' }] },
      says: '/migrations/0/status is missing (of m)',
    },
    {
      entry: 'a list that is none',
      call: (nova: NovaApi) => nova.listServices(),
      body: { services: null },
      says: "Nova's services: /services must be an array",
    },
  ])('$entry is an error that names it', async ({ call, body, says }) => {
    await expect(read(call, body)).rejects.toThrow(says);
  });
});

describe("the servers of a hypervisor's record", () => {
  const hypervisor = (servers: object) => ({ body: { hypervisor: servers } });

  it('are none where they are left out by a Nova that does so', async () => {
    const { nova } = answering({ ...hypervisor({}), version: '2.74' });
    expect(await nova.listServersOfHypervisor('h')).toEqual([]);
  });

  it.each(['2.75', '2.87', undefined])('are unknown where they are left out by a Nova of %s', async (version) => {
    const { nova } = answering({ ...hypervisor({}), ...(version !== undefined && { version }) });
    await expect(nova.listServersOfHypervisor('h')).rejects.toThrow('hypervisor h lacks its list of servers');
  });

  it('may have no names', async () => {
    const { nova } = answering(hypervisor({ servers: [{ uuid: 's', name: null }] }));
    expect(await nova.listServersOfHypervisor('h')).toEqual([{ uuid: 's', name: null }]);
  });
});

it('migrations of a host are read page by page', async () => {
  const page = (id: string, links: object = {}) => ({
    body: { migrations: [{ uuid: id, instance_uuid: id, status: 'finished', source_compute: 'one' }], ...links },
  });
  const next = { migrations_links: [{ rel: 'next', href: 'http://nova/v2.1/os-migrations?limit=1&marker=a' }] };
  const { nova, queries } = answering(page('a', next), page('b'));
  const found = await nova.listFinishedMigrationsFrom('one');
  expect(found.map(({ uuid }) => uuid)).toEqual(['a', 'b']);
  expect(queries).toEqual([
    { source_compute: 'one', status: 'finished' },
    { source_compute: 'one', status: 'finished', marker: 'a' },
  ]);
});
