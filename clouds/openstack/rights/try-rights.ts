/**
 * Tries the rights of the table on the cloud by calls that change nothing: they read, or name something that does not
 * exist, or ask what Nova refuses whoever asks. Nova checks most rights after it has found the server, so these need a
 * server; without any server there is nothing to move.
 */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import { parserOf } from '../../http/parse-answer';
import type { ServiceCall, ServiceClient } from '../http/service-client';
import { unlessMissing } from '../nova/nova-api';
import { refused, tryRight } from './refused';

const rule = (name: string): string => `os_compute_api:${name}`;

/** No service, hypervisor or host is named like this. */
const nothing = '00000000-0000-4000-8000-000000000000';
const nowhere = 'no-host-of-this-name';

const get = (client: ServiceClient, path: string, query?: ServiceCall['query']) =>
  client.call({ method: 'GET', path, ...(query && { query }) });

/** Rights that need no server. */
export const tryListing = async (nova: ServiceClient): Promise<readonly string[]> => {
  const disable = { method: 'PUT', path: `/os-services/${nothing}`, body: { status: 'disabled' } } as const;
  const groups = { all_projects: 'true', limit: '1' };
  const found = await Promise.all([
    refused(rule('os-services:list'), () => get(nova, '/os-services')),
    refused(rule('os-services:update'), () => nova.call(disable)),
    refused(rule('os-hypervisors:list-detail'), () => get(nova, '/os-hypervisors/detail', { limit: '1' })),
    refused(rule('os-hypervisors:show'), () => get(nova, `/os-hypervisors/${nothing}`)),
    refused(rule('os-aggregates:index'), () => get(nova, '/os-aggregates')),
    refused(rule('os-server-groups:index'), () => get(nova, '/os-server-groups', groups)),
    tryMigrations(nova),
  ]);
  return found.flat();
};

const parseSources = parserOf(
  "Nova's migrations",
  Type.Object({ migrations: Type.Array(Type.Object({ source_compute: Type.Optional(Type.Unknown()) })) }),
);

/** Nova shows no host of any migration without the right to hosts. A migration of long ago may lack its host too. */
const tryMigrations = async (nova: ServiceClient): Promise<readonly string[]> => {
  const list = async () => parseSources((await get(nova, '/os-migrations', { limit: '20' })).body).migrations;
  const { refusing, answer = [] } = await tryRight(rule('os-migrations:index'), list);
  const hidesHosts = answer.length > 0 && answer.every(({ source_compute: source }) => (source ?? null) === null);
  return hidesHosts ? [...refusing, rule('os-migrations:index:host')] : refusing;
};

const sample = Type.Object({
  id: Type.String(),
  status: Type.String(),
  tenant_id: Type.Optional(Type.String()),
  'OS-EXT-SRV-ATTR:host': Type.Optional(Type.Unknown()),
  'OS-EXT-STS:task_state': Type.Optional(Type.Unknown()),
  flavor: Type.Optional(Type.Object({ extra_specs: Type.Optional(Type.Unknown()) })),
});
export type SampleServer = Static<typeof sample>;
const parseSamples = parserOf("Nova's servers", Type.Object({ servers: Type.Array(Type.Unknown()) }));

/** One that makes no sense tells nothing about rights. */
const listSamples = async (nova: ServiceClient, query: ServiceCall['query']): Promise<readonly SampleServer[]> => {
  const { body } = await get(nova, '/servers/detail', { all_tenants: '1', limit: '100', ...query });
  return parseSamples(body).servers.filter((server) => Value.Check(sample, server));
};

/** Nova does not finish a move of such a server, whatever it is asked. */
const isIdle = (server: SampleServer): boolean =>
  ['ACTIVE', 'SHUTOFF'].includes(server.status) && (server['OS-EXT-STS:task_state'] ?? null) === null;

export interface ListedServers {
  readonly refusing: readonly string[];
  /** An idle server, of another project than the service's own where there is one. */
  readonly server?: SampleServer;
}

/** Rights that a list of servers tells. */
export const tryServers = async (nova: ServiceClient, ownProjectId: string | undefined): Promise<ListedServers> => {
  const { refusing, answer = [] } = await tryRight(rule('servers:detail'), () => listSamples(nova, {}));
  const servers = answer.filter(({ status }) => status !== 'UNKNOWN');
  if (servers.length === 0) return { refusing };
  const isHidden = (field: keyof SampleServer) => servers.every((server) => !(field in server));
  const idle = servers.filter(isIdle);
  const server = idle.find(({ tenant_id: projectId }) => projectId !== ownProjectId) ?? idle[0];
  const elsewhere = await listSamples(nova, { host: nowhere });
  return {
    refusing: [
      ...refusing,
      ...(isHidden('OS-EXT-SRV-ATTR:host') ? [rule('os-extended-server-attributes')] : []),
      ...(isHidden('OS-EXT-STS:task_state') ? [rule('os-extended-status')] : []),
      ...(isHidingSpecs(servers) ? [rule('servers:show:flavor-extra-specs')] : []),
      ...(elsewhere.length === 0 ? [] : [rule('servers:allow_all_filters')]),
    ],
    ...(server && { server }),
  };
};

const isHidingSpecs = (servers: readonly SampleServer[]): boolean => {
  const flavors = servers.flatMap(({ flavor }) => flavor ?? []);
  return flavors.length > 0 && flavors.every((flavor) => flavor.extra_specs === undefined);
};

/** The last version in which Nova refuses force without a host, after it has checked the right. */
const withForce = { 'openstack-api-version': 'compute 2.67' };

/** Rights to read and move a server. */
export const tryServer = async (nova: ServiceClient, { id }: SampleServer): Promise<readonly string[]> => {
  const path = `/servers/${id}`;
  const act = (body: unknown, headers = {}) => nova.call({ method: 'POST', path: `${path}/action`, body, headers });
  const live = { block_migration: 'auto' };
  const hasten = { method: 'POST', path: `${path}/migrations/0/action`, body: { force_complete: null } } as const;
  const seen = await trySight(nova, path);
  // Nova finds the server for nobody who may not see it, and then checks no other right.
  if (seen.includes('context_is_admin')) return seen;
  const found = await Promise.all([
    refused(rule('os-migrate-server:migrate_live'), () =>
      act({ 'os-migrateLive': { host: null, force: true, ...live } }, withForce),
    ),
    refused(rule('os-migrate-server:migrate_live:host'), () => act({ 'os-migrateLive': { host: nowhere, ...live } })),
    refused(rule('os-migrate-server:migrate:host'), () => act({ migrate: { host: nowhere } })),
    refused(rule('servers:migrations:index'), () => get(nova, `${path}/migrations`)),
    refused(rule('servers:migrations:force_complete'), () => nova.call(hasten)),
    refused(rule('servers:migrations:delete'), () => nova.call({ method: 'DELETE', path: `${path}/migrations/0` })),
    tryActions(nova, path),
    tryConfirm(nova, path),
  ]);
  return [...seen, ...found.flat()];
};

/** Nova answers 404 for a server of another project to whom it does not take for an administrator. */
const trySight = async (nova: ServiceClient, path: string): Promise<readonly string[]> => {
  const { refusing, answer } = await tryRight(rule('servers:show'), () => unlessMissing(get(nova, path)));
  if (answer !== undefined || refusing.length > 0) return refusing;
  // A server that was deleted meanwhile is in no list any more.
  const isListed = (await listSamples(nova, {})).some(({ id }) => path.endsWith(id));
  return isListed ? ['context_is_admin'] : [];
};

const parseShown = parserOf("Nova's server", Type.Object({ server: sample }));

/** Looks at the server directly before, since a move of its project's that waits must not be finished. */
const tryConfirm = async (nova: ServiceClient, path: string): Promise<readonly string[]> => {
  const look = async () => parseShown((await get(nova, path)).body).server;
  const { answer: server } = await tryRight(rule('servers:show'), look);
  if (server === undefined || !isIdle(server)) return [];
  const confirm = { method: 'POST', path: `${path}/action`, body: { confirmResize: null } } as const;
  return refused(rule('servers:confirm_resize'), () => nova.call(confirm));
};

const parseRequests = parserOf(
  "Nova's actions of a server",
  Type.Object({ instanceActions: Type.Array(Type.Object({ request_id: Type.String() })) }),
);
const parseEvents = parserOf(
  "Nova's action",
  Type.Object({
    instanceAction: Type.Object({
      events: Type.Optional(Type.Array(Type.Object({ details: Type.Optional(Type.Unknown()) }))),
    }),
  }),
);

const tryActions = async (nova: ServiceClient, path: string): Promise<readonly string[]> => {
  const list = async () => parseRequests((await get(nova, `${path}/os-instance-actions`)).body).instanceActions;
  const { refusing: listing, answer: actions = [] } = await tryRight(rule('os-instance-actions:list'), list);
  const oldest = actions.at(-1);
  if (oldest === undefined) return listing;
  const at = `${path}/os-instance-actions/${oldest.request_id}`;
  const show = async () => parseEvents((await get(nova, at)).body).instanceAction.events ?? [];
  const { refusing: showing, answer: events = [] } = await tryRight(rule('os-instance-actions:show'), show);
  const hidesDetails = events.some((event) => !('details' in event));
  return [...listing, ...showing, ...(hidesDetails ? [rule('os-instance-actions:events:details')] : [])];
};

const aSearch = { resources: 'MEMORY_MB:1', limit: '1' };

/** Placement's rights, on a host's hypervisor. */
export const tryPlacement = async (placement: ServiceClient, hypervisorId: string): Promise<readonly string[]> => {
  const of = (what: string) => () => get(placement, `/resource_providers/${hypervisorId}/${what}`);
  const found = await Promise.all([
    refused('placement:resource_providers:inventories:list', of('inventories')),
    refused('placement:resource_providers:list', () => get(placement, '/resource_providers', { name: nowhere })),
    refused('placement:resource_providers:traits:list', of('traits')),
    refused('placement:allocation_candidates:list', () => get(placement, '/allocation_candidates', aSearch)),
    refused('placement:resource_providers:usages', of('usages')),
    refused('placement:resource_providers:allocations:list', of('allocations')),
  ]);
  return found.flat();
};
