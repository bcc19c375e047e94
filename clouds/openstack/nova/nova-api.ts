/** The calls to Nova that the driver makes: one function for each call. Answers are parsed; nothing is decided here. */
import { dashedUuid, isUuid, keyOf } from '../../../rules/cloud/id';
import type { HttpAnswer } from '../../http/exchange';
import type { ServiceClient } from '../http/service-client';
import { ServiceError } from '../http/service-error';
import * as answers from './answers';
import { wasAnsweredBefore } from './negotiate-version';
import { allByLink, allByOffset } from './pages';
import { clockOf, type SeenServer } from './seen-server';
import { type ServerLists, serverLists } from './server-lists';
import { serverIn } from './servers';

export interface NovaApi extends ServerLists {
  /** @param of left out: those of all hosts */
  listServices(of?: { readonly binary: string } | { readonly host: string }): Promise<answers.NovaService[]>;
  setServiceStatus(serviceId: string, status: ServiceStatus): Promise<void>;
  listHypervisors(): Promise<answers.NovaHypervisor[]>;
  findHypervisor(hypervisorId: string): Promise<answers.NovaHypervisor | undefined>;
  /** The servers that the record of a hypervisor names; undefined: there is no such hypervisor. */
  listServersOfHypervisor(hypervisorId: string): Promise<readonly answers.HypervisorServer[] | undefined>;
  findServer(serverId: string): Promise<SeenServer | undefined>;
  listServerGroups(): Promise<answers.NovaServerGroup[]>;
  listAggregates(): Promise<answers.NovaAggregate[]>;

  /** @returns the ID of the request, under which Nova keeps its outcome */
  act(serverId: string, action: ServerAction): Promise<string>;
  /** Newest first. */
  listActions(serverId: string): Promise<answers.ListedAction[]>;
  findAction(serverId: string, requestId: string): Promise<answers.NovaAction | undefined>;
  /** Migrations of all kinds and times, newest first. */
  listMigrations(serverId: string): Promise<answers.NovaMigration[]>;
  /** Migrations from or to a host, of all kinds and times. */
  listMigrationsOf(host: string): Promise<readonly answers.PlacedMigration[]>;
  /**
   * Those from a host that have arrived and wait for their confirmation. Also those whose host Nova hides: it has
   * chosen them by their host.
   */
  listFinishedMigrationsFrom(host: string): Promise<readonly answers.PlacedMigration[]>;
  /** Live migrations that can be forced or aborted. */
  listRunningMigrations(serverId: string): Promise<answers.NovaRunningMigration[]>;
  /** False: the hypervisor of the server's host says that it does not run there, or does not say. */
  isRunning(serverId: string): Promise<boolean>;
  forceComplete(serverId: string, migrationId: number): Promise<void>;
  abort(serverId: string, migrationId: number): Promise<void>;
}

export type ServiceStatus =
  { readonly status: 'disabled'; readonly disabled_reason: string } | { readonly status: 'enabled' };

/** A body of POST /servers/{id}/action. */
export type ServerAction =
  | { readonly 'os-migrateLive': { readonly host: string | null; readonly block_migration: 'auto' } }
  | { readonly migrate: { readonly host: string } | null }
  | { readonly confirmResize: null }
  | { readonly 'os-resetState': { readonly state: 'active' } };

export interface NovaApiOptions {
  readonly client: ServiceClient;
  /** Reads servers; left out: the same client. */
  readonly servers?: ServiceClient;
}

/** The number of items that one call asks for. */
const pageSize = 1_000;

/** A missing object is an answer, not an error. */
export const unlessMissing = async <T>(call: Promise<T>): Promise<T | undefined> => {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ServiceError && error.status === 404) return undefined;
    throw error;
  }
};

export const createNovaApi = ({ client, servers = client }: NovaApiOptions): NovaApi => {
  const calls: NovaCalls = {
    client,
    servers,
    get: async (path, query = {}, from = client) => (await from.call({ method: 'GET', path, query })).body,
  };
  return { ...hostCalls(calls), ...serverCalls(calls), ...migrationCalls(calls) };
};

interface NovaCalls extends Required<NovaApiOptions> {
  readonly get: (path: string, query?: Readonly<Record<string, string>>, from?: ServiceClient) => Promise<unknown>;
}

/** The first version in which a hypervisor without servers has an empty list of them. */
const alwaysListsServers = { major: 2, minor: 75 };

const listServersOfHypervisor = async (
  client: NovaCalls['client'],
  hypervisorId: string,
): ReturnType<NovaApi['listServersOfHypervisor']> => {
  const path = `/os-hypervisors/${hypervisorId}`;
  const answer = await unlessMissing(client.call({ method: 'GET', path, query: { with_servers: 'true' } }));
  if (answer === undefined) return undefined;
  const { servers } = answers.parseServersOfHypervisor(answer.body).hypervisor;
  if (servers != null) return servers;
  if (wasAnsweredBefore(answer.headers.get('openstack-api-version'), alwaysListsServers)) return [];
  throw new Error(`Nova's hypervisor ${hypervisorId} lacks its list of servers`);
};

const hostCalls = ({ client, get }: NovaCalls) =>
  ({
    async listServices(of) {
      return answers.parseServices(await get('/os-services', of)).services;
    },
    async setServiceStatus(serviceId, body) {
      await client.call({ method: 'PUT', path: `/os-services/${serviceId}`, body, repeatable: true });
    },
    async listHypervisors() {
      const listed = await allByLink(pageSize, async (paging) => {
        const page = answers.parseHypervisors(await get('/os-hypervisors/detail', paging));
        return { items: page.hypervisors, links: page.hypervisors_links };
      });
      return [...new Map(listed.map((hypervisor) => [hypervisor.id, hypervisor])).values()];
    },
    async findHypervisor(hypervisorId) {
      const body = await unlessMissing(get(`/os-hypervisors/${hypervisorId}`));
      return body === undefined ? undefined : answers.parseHypervisor(body).hypervisor;
    },
    listServersOfHypervisor: (hypervisorId) => listServersOfHypervisor(client, hypervisorId),
    async listAggregates() {
      const { aggregates } = answers.parseAggregates(await get('/os-aggregates'));
      return aggregates.map(({ uuid, hosts, metadata }) => ({ uuid, hosts: hosts ?? [], metadata: metadata ?? {} }));
    },
  }) satisfies Partial<NovaApi>;

const serverCalls = ({ client, servers: ofServers, get }: NovaCalls) =>
  ({
    ...serverLists(ofServers),
    async findServer(serverId) {
      const answer = await unlessMissing(ofServers.call({ method: 'GET', path: pathOf(serverId) }));
      if (answer === undefined) return undefined;
      return { server: serverIn(answers.parseServer(answer.body).server), at: clockOf(answer, new Date()) };
    },
    listServerGroups: () =>
      allByOffset(pageSize, async (paging) => {
        const page = await get('/os-server-groups', { all_projects: 'true', ...paging });
        return answers.parseServerGroups(page).server_groups;
      }),
    async act(serverId, body) {
      return requestIdOf(await client.call({ method: 'POST', path: `${pathOf(serverId)}/action`, body }));
    },
    async listActions(serverId) {
      const body = await unlessMissing(get(`${pathOf(serverId)}/os-instance-actions`));
      return body === undefined ? [] : answers.parseListedActions(body).instanceActions;
    },
    async findAction(serverId, requestId) {
      const body = await unlessMissing(get(`${pathOf(serverId)}/os-instance-actions/${requestId}`));
      return body === undefined ? undefined : answers.parseAction(body).instanceAction;
    },
  }) satisfies Partial<NovaApi>;

const migrationCalls = ({ client, get }: NovaCalls) =>
  ({
    async listMigrations(serverId) {
      const { migrations } = answers.parseMigrations(await get('/os-migrations', { instance_uuid: serverId }));
      return migrations.toSorted((one, other) => (one.created_at < other.created_at ? 1 : -1));
    },
    listMigrationsOf: (host) => listPlaced(get, { host }),
    async listFinishedMigrationsFrom(host) {
      const migrations = await listPlaced(get, { source_compute: host, status: 'finished' });
      return migrations.filter((one) => one.status === 'finished' && (one.source_compute ?? host) === host);
    },
    async listRunningMigrations(serverId) {
      const body = await unlessMissing(get(`${pathOf(serverId)}/migrations`));
      return body === undefined ? [] : answers.parseRunningMigrations(body).migrations;
    },
    isRunning: (serverId) => isRunning(get, serverId),
    async forceComplete(serverId, migrationId) {
      const path = `${pathOf(serverId)}/migrations/${migrationId}/action`;
      await client.call({ method: 'POST', path, body: { force_complete: null } });
    },
    async abort(serverId, migrationId) {
      await client.call({ method: 'DELETE', path: `${pathOf(serverId)}/migrations/${migrationId}` });
    },
  }) satisfies Partial<NovaApi>;

const isRunning = async (get: NovaCalls['get'], serverId: string): Promise<boolean> => {
  try {
    return answers.parseDiagnostics(await get(`${pathOf(serverId)}/diagnostics`)).state === 'running';
  } catch (error) {
    if (error instanceof ServiceError) return false;
    throw error;
  }
};

/** Reads pages, which Nova has since 2.59. */
const listPlaced = (
  get: NovaCalls['get'],
  query: Readonly<Record<string, string>>,
): Promise<readonly answers.PlacedMigration[]> =>
  allByLink(undefined, async (paging) => {
    const page = answers.parsePlacedMigrations(await get('/os-migrations', { ...query, ...paging }));
    return { items: page.migrations, links: page.migrations_links };
  });

/** Nova compares IDs as text: in another form it would find no such server. */
const pathOf = (serverId: string): string =>
  `/servers/${isUuid(serverId) ? dashedUuid(keyOf(serverId)) : encodeURIComponent(serverId)}`;

const requestIdOf = ({ headers }: HttpAnswer): string => {
  const id = headers.get('x-openstack-request-id') ?? headers.get('x-compute-request-id');
  if (id === undefined) throw new Error('Nova answered without X-Openstack-Request-Id');
  return id;
};
