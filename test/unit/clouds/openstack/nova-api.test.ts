/** The requests to Nova. */
import type { ServiceClient } from '../../../../clouds/openstack/http/service-client';
import { novaRoot } from '../../../../clouds/openstack/nova/connect';
import { createNovaApi } from '../../../../clouds/openstack/nova/nova-api';
import { clockOf } from '../../../../clouds/openstack/nova/seen-server';
import { idFormNames, idForms } from '../../../builders/id-forms';

const dashed = '39494a5d-9f42-4b3b-b7d9-1d1bd2a1a1b0';

const pathsAskedFor = async (serverId: string): Promise<string[]> => {
  const paths: string[] = [];
  const client: ServiceClient = {
    call({ path }) {
      paths.push(path);
      return Promise.resolve({ status: 200, headers: new Map(), body: { instanceActions: [] } });
    },
  };
  await createNovaApi({ client }).listActions(serverId);
  return paths;
};

// Nova compares the text: to any other form it says that there is no such server.
it.each(idFormNames)('asks for a server whose ID is given %s by the ID as Nova writes it', async (form) => {
  expect(await pathsAskedFor(idForms[form](dashed))).toEqual([`/servers/${dashed}/os-instance-actions`]);
});

it('asks for what is no UUID as it stands', async () => {
  expect(await pathsAskedFor('web/1')).toEqual(['/servers/web%2F1/os-instance-actions']);
});

const whole = (name: string, given: object = {}) => ({
  ...{ id: name, name, tenant_id: 'web', status: 'ACTIVE' },
  ...{ 'OS-EXT-SRV-ATTR:host': 'one', 'OS-EXT-STS:task_state': null },
  flavor: { original_name: 'small', vcpus: 1, ram: 512 },
  ...given,
});

const lacking = (field: string): object =>
  Object.fromEntries(Object.entries(whole('web-1')).filter(([name]) => name !== field));

const listing = (servers: readonly unknown[]) => {
  const queries: unknown[] = [];
  const client: ServiceClient = {
    call({ query }) {
      queries.push(query);
      return Promise.resolve({ status: 200, headers: new Map(), body: { servers, server: servers[0] } });
    },
  };
  return { nova: createNovaApi({ client }), queries };
};

describe('servers', () => {
  it('are asked for without a limit, with which Nova hides those of a cell that is down', async () => {
    const { nova, queries } = listing([whole('a')]);
    await nova.listServers();
    expect(queries).toEqual([{ all_tenants: '1' }]);
  });

  it('on their way are asked for by both statuses of a move', async () => {
    const { nova, queries } = listing([whole('a', { status: 'MIGRATING' })]);
    expect((await nova.listMovingServers()).map(({ server }) => server.id)).toEqual(['a']);
    expect(queries).toEqual([{ all_tenants: '1', status: ['MIGRATING', 'RESIZE'] }]);
  });

  it('of one host are chosen here, whatever Nova did with the filter', async () => {
    const { nova } = listing([whole('a'), whole('b', { 'OS-EXT-SRV-ATTR:host': 'two' })]);
    expect((await nova.listServersOn('two')).map(({ id }) => id)).toEqual(['b']);
  });

  it('of a cell that is down are left out of a list, and an error where they are asked for', async () => {
    const { nova } = listing([{ id: 'b', status: 'UNKNOWN', tenant_id: 'web' }, whole('a')]);
    expect(await nova.listServers()).toEqual({ servers: [expect.objectContaining({ id: 'a' })], unread: [] });
    await expect(nova.findServer('b')).rejects.toThrow('server b: its cell does not answer');
  });

  it.each([
    { field: 'OS-EXT-SRV-ATTR:host', rule: 'os_compute_api:os-extended-server-attributes' },
    { field: 'OS-EXT-STS:task_state', rule: 'os_compute_api:os-extended-status' },
  ])('without $field are an error that names the right', async ({ field, rule }) => {
    const { nova } = listing([lacking(field)]);
    const says = `Nova hides ${field} of server web-1 (web-1): allow ${rule}`;
    await expect(nova.listServers()).rejects.toThrow(says);
    await expect(nova.findServer('web-1')).rejects.toThrow(says);
  });

  it.each([
    { fault: 'without a project', odd: lacking('tenant_id'), says: '/tenant_id is missing (of web-1, web-1)' },
    { fault: 'without a flavor', odd: lacking('flavor'), says: '/flavor is missing (of web-1, web-1)' },
    {
      fault: 'with a flavor of no size',
      odd: whole('web-1', { flavor: {} }),
      says: '/flavor/original_name is missing',
    },
    { fault: 'without an ID', odd: lacking('id'), says: '/id is missing (of web-1)' },
  ])('$fault are told beside the others, and nobody takes their host for known', async ({ odd, says }) => {
    const { nova } = listing([whole('db', { 'OS-EXT-SRV-ATTR:host': 'two' }), odd]);
    const { servers, unread } = await nova.listServers();
    expect(servers.map(({ id }) => id)).toEqual(['db']);
    expect(unread).toEqual([{ host: 'one', fault: expect.stringContaining(says) as string }]);
    await expect(nova.listServersOn('one')).rejects.toThrow(says);
    expect(await nova.listServersOn('two')).toHaveLength(1);
  });

  it.each([
    { fault: 'with a host that is no text', odd: whole('web-1', { 'OS-EXT-SRV-ATTR:host': 7 }) },
    { fault: 'without a host, which others have', odd: lacking('OS-EXT-SRV-ATTR:host') },
    { fault: 'that are no objects', odd: 'web-1' },
  ])('$fault may be on any host', async ({ odd }) => {
    const { nova } = listing([whole('db'), odd]);
    expect((await nova.listServers()).unread).toEqual([{ host: undefined, fault: expect.any(String) as string }]);
    await expect(nova.listServersOn('one')).rejects.toThrow('nobody knows what is on host one, since a server');
    await expect(nova.listServersOn('two')).rejects.toThrow('nobody knows what is on host two, since a server');
  });

  it('that make no sense and are on no host hold none', async () => {
    const { nova } = listing([{ ...lacking('flavor'), 'OS-EXT-SRV-ATTR:host': null }]);
    expect(await nova.listServers()).toEqual({ servers: [], unread: [] });
  });

  it.each([lacking('name'), whole('web-1', { name: null })])(
    'without a name are called by their IDs',
    async (server) => {
      const { servers } = await listing([server]).nova.listServers();
      expect(servers).toMatchObject([{ id: 'web-1', name: 'web-1' }]);
    },
  );
});

describe('the time of an answer', () => {
  const now = new Date('2026-11-27T12:00:30Z');
  const answer = (date: string | undefined) => ({ headers: new Map(date === undefined ? [] : [['date', date]]) });

  it('is the one of Nova', () => {
    expect(clockOf(answer('Fri, 27 Nov 2026 12:00:00 GMT'), now)).toEqual(new Date('2026-11-27T12:00:00Z'));
  });

  it.each([undefined, 'today'])('is never later than it was for Nova, where its Date is %s', (date) => {
    expect(clockOf(answer(date), now)).toEqual(new Date('2026-11-27T11:59:30Z'));
  });
});

it.each([
  { address: 'http://nova:8774/', root: 'http://nova:8774/v2.1' },
  { address: 'http://nova:8774/v2.1/', root: 'http://nova:8774/v2.1' },
  { address: 'http://nova/compute', root: 'http://nova/compute/v2.1' },
  { address: 'http://nova:8774/v2.1/0a4d1e7c5d0b4b529a3e7061726c6579', root: 'http://nova:8774/v2.1' },
  { address: 'http://nova:8774/v2/%(tenant_id)s', root: 'http://nova:8774/v2.1' },
])('the address $address stands for $root', ({ address, root }) => {
  expect(novaRoot(address)).toBe(root);
});
