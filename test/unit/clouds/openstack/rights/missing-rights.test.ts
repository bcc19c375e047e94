/** The rights that a login lacks, by the answers of a Nova. */
import { createReadiness } from '../../../../../api/readiness/readiness';
import { missingRightsOf } from '../../../../../api/readiness/session-needs';
import type { CloudDriver } from '../../../../../clouds/cloud-driver';
import { logMissingRights } from '../../../../../clouds/log-missing-rights';
import type { ServiceClient } from '../../../../../clouds/openstack/http/service-client';
import { ServiceError } from '../../../../../clouds/openstack/http/service-error';
import { namedRights } from '../../../../../clouds/openstack/rights/missing-rights';
import { refused } from '../../../../../clouds/openstack/rights/refused';
import { rightsTable } from '../../../../../clouds/openstack/rights/table';
import { tryListing, tryPlacement, tryServer, tryServers } from '../../../../../clouds/openstack/rights/try-rights';
import { blocker } from '../../../../../rules/obstacles/blockers';

const answering = (status: number, reason: string) => () => Promise.reject(new ServiceError('no', status, reason));

describe('a call', () => {
  it.each([
    {
      answer: 'a refusal that names a rule',
      status: 403,
      reason: "Policy doesn't allow a:b:c to be performed.",
      rule: ['a:b:c'],
    },
    { answer: 'a refusal without a name', status: 403, reason: 'Forbidden', rule: ['own'] },
    { answer: '404, which is as good as let through', status: 404, reason: '', rule: [] },
    { answer: '503, which tells nothing', status: 503, reason: '', rule: [] },
  ])('with $answer is refused by $rule', async ({ status, reason, rule }) => {
    expect(await refused('own', answering(status, reason))).toEqual(rule);
  });

  it('without an answer tells nothing about the right', async () => {
    await expect(refused('own', () => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  });
});

it('a rule that the table does not have stops, too', () => {
  expect(namedRights(new Set(['identity:get_project', 'of:a:deployment']))).toMatchObject([
    { rule: 'identity:get_project', severity: 'limits' },
    { rule: 'of:a:deployment', severity: 'stops' },
  ]);
});

const seen = { id: 'a', status: 'ACTIVE', tenant_id: 'web', flavor: { extra_specs: {} } };
const idle = { ...seen, 'OS-EXT-SRV-ATTR:host': 'one', 'OS-EXT-STS:task_state': null };

const aNova = (servers: readonly unknown[]) => {
  const calls: string[] = [];
  const client: ServiceClient = {
    call({ method, path, query = {} }) {
      calls.push(`${method} ${path}`);
      const listed = 'host' in query ? [] : servers;
      const body =
        path === '/servers/detail' ? { servers: listed } : { server: servers[0], migrations: [], instanceActions: [] };
      return Promise.resolve({ status: 200, headers: new Map(), body });
    },
  };
  return { client, calls };
};

describe('servers', () => {
  it('of a login that sees all lack nothing, and one of another project is tried', async () => {
    const { client } = aNova([{ ...idle, id: 'own', tenant_id: 'own' }, idle]);
    expect(await tryServers(client, 'own')).toEqual({ refusing: [], server: idle });
  });

  it('without fields lack the rights to these', async () => {
    const { refusing } = await tryServers(aNova([{ id: 'a', status: 'ACTIVE', flavor: {} }]).client, undefined);
    expect(refusing).toEqual([
      'os_compute_api:os-extended-server-attributes',
      'os_compute_api:os-extended-status',
      'os_compute_api:servers:show:flavor-extra-specs',
    ]);
  });

  it.each([{ ...idle, flavor: undefined }, { ...seen, flavor: null }, { status: 'ACTIVE' }, 'web'])(
    'of which one answer makes no sense lack no right that others show (%j)',
    async (odd) => {
      expect(await tryServers(aNova([odd, idle]).client, undefined)).toMatchObject({ refusing: [] });
      expect((await tryServers(aNova([odd]).client, undefined)).refusing).not.toContain(
        'os_compute_api:servers:show:flavor-extra-specs',
      );
    },
  );

  it('of cells that are down tell nothing', async () => {
    expect(await tryServers(aNova([{ id: 'a', status: 'UNKNOWN' }]).client, undefined)).toEqual({ refusing: [] });
  });

  it('are not confirmed while they are on their way', async () => {
    const moving = { ...idle, status: 'VERIFY_RESIZE' };
    const { client, calls } = aNova([moving]);
    await tryServer(client, moving);
    // The three migrations: Nova refuses each of them.
    expect(calls.filter((call) => call === 'POST /servers/a/action')).toHaveLength(3);
  });
});

describe('placement', () => {
  const provider = '/resource_providers/host';
  const calls: readonly (readonly [rule: string, path: string])[] = [
    ['placement:resource_providers:inventories:list', `${provider}/inventories`],
    ['placement:resource_providers:list', '/resource_providers'],
    ['placement:resource_providers:traits:list', `${provider}/traits`],
    ['placement:allocation_candidates:list', '/allocation_candidates'],
    ['placement:resource_providers:usages', `${provider}/usages`],
    ['placement:resource_providers:allocations:list', `${provider}/allocations`],
  ];
  const refusing = (refused: string): ServiceClient => ({
    call({ path }) {
      if (path !== refused) return Promise.reject(new ServiceError('no', 404, 'no such resource provider'));
      return Promise.reject(new ServiceError('no', 403, 'Access was denied to this resource.'));
    },
  });

  it('has a row in the table for each right that is tried, and the other way round', () => {
    const rules = rightsTable.map(({ rule }) => rule).filter((rule) => rule.startsWith('placement:'));
    expect(rules).toEqual(calls.map(([rule]) => rule));
  });

  it.each(calls)('that refuses %s is named, and nothing else', async (rule, path) => {
    expect(await tryPlacement(refusing(path), 'host')).toEqual([rule]);
  });
});

it('migrations that all lack their host lack the right to hosts', async () => {
  const listing = (migrations: readonly object[]): ServiceClient => ({
    call: () => Promise.resolve({ status: 200, headers: new Map(), body: { migrations } }),
  });
  const rule = 'os_compute_api:os-migrations:index:host';
  expect(await tryListing(listing([{ source_compute: null }, {}]))).toEqual([rule]);
  expect(await tryListing(listing([{ source_compute: null }, { source_compute: 'one' }]))).toEqual([]);
  expect(await tryListing(listing([]))).toEqual([]);
});

describe('a missing right', () => {
  const rights = namedRights(new Set(['identity:get_project', 'os_compute_api:os-services:list']));
  const cloud = { missingRights: () => Promise.resolve(rights) } as Partial<CloudDriver> as CloudDriver;

  it('makes the service not ready when a session needs it', async () => {
    const { ready, problems } = await createReadiness([], missingRightsOf(cloud))();
    expect({ ready, problems }).toEqual({
      ready: false,
      problems: ['the login to the cloud lacks the right os_compute_api:os-services:list, needed to list hosts'],
    });
  });

  it('is a blocker of a plan, with its severity', () => {
    expect(
      rights
        .map((right) => blocker('cloud_right_missing', right))
        .map(({ severity, subject }) => [subject.name, severity]),
    ).toEqual([
      ['os_compute_api:os-services:list', 'stops'],
      ['identity:get_project', 'note'],
    ]);
  });

  it('is logged at the start, and a cloud that does not answer ends nothing', async () => {
    const lines: string[] = [];
    const logger = {
      error: (_: object, line: string) => lines.push(line),
      warn: (_: object, line: string) => lines.push(line),
    };
    await logMissingRights(cloud, logger as never);
    await logMissingRights({ ...cloud, missingRights: () => Promise.reject(new Error('away')) }, logger as never);
    expect(lines).toEqual([
      expect.stringContaining('os-services:list'),
      expect.stringContaining('identity:get_project'),
      'the rights of the login to the cloud could not be tried',
    ]);
  });
});
