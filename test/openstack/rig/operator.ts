/** An operator's requests to the rig's OpenStack, without the driver. */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { eventually } from '../../waiting/eventually';
import { callJson, WrongAnswer } from './json-client';
import { logIn, type RigToken } from './log-in';
import { testOpenStack } from './openstack-addresses';
import { diagnose } from './switches';

export interface Server {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly tenant_id: string;
  readonly 'OS-EXT-SRV-ATTR:host': string | null;
  readonly 'OS-EXT-STS:task_state': string | null;
  readonly fault?: { readonly message: string };
}

export interface ServerWish {
  readonly name: string;
  /** Left to the scheduler where it is not given. */
  readonly host?: string;
  /** A server group. */
  readonly group?: string;
  /** The ID of a flavor; left out: a small one. */
  readonly flavor?: string;
  /** The ID of an image; left out: one that Nova's Glance fixture has. */
  readonly image?: string;
  /** The zone that it is created for. */
  readonly zone?: string;
  readonly project?: string;
}

export interface Service {
  readonly id: string;
  readonly host: string;
  readonly binary: string;
  readonly status: string;
  readonly state: string;
  readonly disabled_reason: string | null;
}

/** Nova's Glance fixture has this image. */
const image = '155d900f-4e14-4e4c-a73d-069cbf4541e6';
/** Nova needs a few seconds for this, and a minute on a very busy machine. */
const longestBuildMs = 180_000;

const pollMs = 500;

export const until = <T>(what: string, look: () => Promise<T | undefined>): Promise<T> =>
  eventually({ what, pollMs }, look);

/** Tokens are good for an hour: one for each project in a test file. */
const tokens = new Map<string, Promise<RigToken>>();
const tokenFor = (project: string): Promise<RigToken> => {
  const known = tokens.get(project) ?? logIn(testOpenStack(), { user: 'parley', scope: { project } });
  tokens.set(project, known);
  return known;
};

export const call = async (path: string, { project = 'admin', ...given }: Call = {}): Promise<unknown> => {
  const { token } = await tokenFor(project);
  const headers = { 'x-auth-token': token, 'openstack-api-version': 'compute 2.87' };
  return (await callJson(`${testOpenStack().nova}${path}`, { ...given, headers })).body;
};

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly body?: unknown;
  readonly project?: string;
}

export const projectIdOf = async (project: string): Promise<string> => (await tokenFor(project)).projectId!;

const flavors = new Map<string, Promise<string>>();

/** 1 vcpu and 1024 MB. */
const flavor = (): Promise<string> => {
  const { nova } = testOpenStack();
  const known = flavors.get(nova) ?? findOrMakeFlavor();
  flavors.set(nova, known);
  return known;
};

const findOrMakeFlavor = async (): Promise<string> => {
  const { flavors: all } = (await call('/flavors')) as { flavors: { id: string; name: string }[] };
  const found = all.find(({ name }) => name === 'small');
  if (found !== undefined) return found.id;
  const made = { name: 'small', ram: 1024, vcpus: 1, disk: 1 };
  return ((await call('/flavors', { method: 'POST', body: { flavor: made } })) as { flavor: { id: string } }).flavor.id;
};

export interface FlavorWish {
  readonly name: string;
  readonly vcpus?: number;
  /** In MB. */
  readonly ram?: number;
  readonly specs?: Readonly<Record<string, string>>;
}

/** Of which a file makes its own. @returns its ID */
export const makeFlavor = async ({ name, vcpus = 1, ram = 1024, specs = {} }: FlavorWish): Promise<string> => {
  const made = await call('/flavors', { method: 'POST', body: { flavor: { name, vcpus, ram, disk: 1 } } });
  const { id } = (made as { flavor: { id: string } }).flavor;
  await call(`/flavors/${id}/os-extra_specs`, { method: 'POST', body: { extra_specs: specs } });
  return id;
};

/** Servers that have it keep it. */
export const deleteFlavor = async (id: string): Promise<void> => {
  await call(`/flavors/${id}`, { method: 'DELETE' });
};

/** All but the small one. */
export const deleteFlavors = async (): Promise<void> => {
  const { flavors: all } = (await call('/flavors?is_public=none')) as { flavors: { id: string; name: string }[] };
  for (const { id, name } of all) if (name !== 'small') await deleteFlavor(id);
};

export interface AggregateWish {
  readonly name: string;
  readonly hosts: readonly string[];
  /** `availability_zone` makes it a zone. */
  readonly metadata: Readonly<Record<string, string>>;
}

interface Aggregate {
  readonly id: number;
  readonly hosts: readonly string[];
}

const actOnAggregate = (id: number, body: unknown): Promise<unknown> =>
  call(`/os-aggregates/${id}/action`, { method: 'POST', body });

export const makeAggregate = async ({ name, hosts, metadata }: AggregateWish): Promise<number> => {
  const made = await call('/os-aggregates', { method: 'POST', body: { aggregate: { name } } });
  const { id } = (made as { aggregate: Aggregate }).aggregate;
  await setAggregateMetadata(id, metadata);
  for (const host of hosts) await addToAggregate(id, host);
  return id;
};

export const setAggregateMetadata = async (
  id: number,
  metadata: Readonly<Record<string, string | null>>,
): Promise<void> => {
  await actOnAggregate(id, { set_metadata: { metadata } });
};

export const addToAggregate = async (id: number, host: string): Promise<void> => {
  await actOnAggregate(id, { add_host: { host } });
};

export const deleteAggregates = async (): Promise<void> => {
  const { aggregates } = (await call('/os-aggregates')) as { aggregates: Aggregate[] };
  for (const { id, hosts } of aggregates) {
    for (const host of hosts) await actOnAggregate(id, { remove_host: { host } });
    await call(`/os-aggregates/${id}`, { method: 'DELETE' });
  }
};

export const findServer = async (id: string): Promise<Server | undefined> => {
  try {
    return ((await call(`/servers/${id}`)) as { server: Server }).server;
  } catch (error) {
    if (error instanceof WrongAnswer && error.status === 404) return undefined;
    throw error;
  }
};

export const listServers = async (): Promise<readonly Server[]> =>
  ((await call('/servers/detail?all_tenants=1')) as { servers: Server[] }).servers;

const startBuilding = async (wish: ServerWish): Promise<string> => {
  const { name, host, group, zone, project = 'web' } = wish;
  const place = { ...(host && { host }), ...(zone && { availability_zone: zone }) };
  const server = {
    name,
    flavorRef: wish.flavor ?? (await flavor()),
    imageRef: wish.image ?? image,
    networks: 'none',
    ...place,
  };
  const hints = group === undefined ? {} : { 'os:scheduler_hints': { group } };
  const made = await call('/servers', { method: 'POST', project, body: { server, ...hints } });
  return (made as { server: { id: string } }).server.id;
};

const settled = (server: Server | undefined): server is Server =>
  server !== undefined && server['OS-EXT-STS:task_state'] === null && server.status !== 'BUILD';

const describeServer = ({ name, id, status, fault }: Server): string =>
  `${name} (${id}) is ${status}: ${fault?.message ?? 'no fault'}`;

interface Building {
  readonly id: string;
  readonly wish: ServerWish;
}

/**
 * Builds a server as an operator does: when it stays in BUILD, deletes it and builds another one, once. This Nova has
 * lost a build before, for an unknown reason, so all visible facts are printed.
 */
const untilBuilt = async ({ id, wish }: Building): Promise<Server> => {
  const waiting = new AbortController();
  const tooLong = pause(longestBuildMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  const built = await Promise.race([untilSettled(id), tooLong]).finally(() => waiting.abort());
  if (built !== undefined) return built;
  const { name } = wish;
  console.warn(`${name} (${id}) is not built after ${longestBuildMs / 1000} s: ${await diagnose(id).catch(String)}`);
  await deleteServer(id);
  return await untilSettled(await startBuilding(wish));
};

/** Servers that are built and run. */
export const makeServers = async (wishes: readonly ServerWish[]): Promise<readonly Server[]> => {
  const building: Building[] = [];
  for (const wish of wishes) building.push({ id: await startBuilding(wish), wish });
  const built: Server[] = [];
  for (const each of building) built.push(await untilBuilt(each));
  const wrong = built.filter(({ status }) => status !== 'ACTIVE');
  if (wrong.length > 0) throw new Error(`not ACTIVE: ${wrong.map(describeServer).join(', ')}`);
  return built;
};

export const makeServer = async (wish: ServerWish): Promise<Server> => (await makeServers([wish]))[0]!;

/** @returns when Nova has been told; it takes its time */
const startDeleting = async (id: string): Promise<void> => {
  await call(`/servers/${id}`, { method: 'DELETE' }).catch(() => undefined); // it is gone already
};

/** Deletes the servers of all projects. */
export const deleteAllServers = async (): Promise<void> => {
  for (const { id } of await listServers()) await startDeleting(id);
  await until('all servers are gone', async () => ((await listServers()).length === 0 ? true : undefined));
};

export const deleteServer = async (id: string): Promise<void> => {
  await startDeleting(id);
  await until(`server ${id} is gone`, async () => ((await findServer(id)) === undefined ? true : undefined));
};

export const actOn = async (id: string, action: unknown): Promise<void> => {
  await call(`/servers/${id}/action`, { method: 'POST', body: action });
};

export const untilSettled = (id: string): Promise<Server> =>
  until(`server ${id} is settled`, async () => {
    const server = await findServer(id);
    return settled(server) ? server : undefined;
  });

export const makeAntiAffinityGroup = (name: string): Promise<string> =>
  makeServerGroup({ name, policy: 'anti-affinity', rules: { max_server_per_host: 1 } });

export const makeServerGroup = async (wish: ServerGroupWish, project = 'web'): Promise<string> => {
  const body = { server_group: wish };
  const made = await call('/os-server-groups', { method: 'POST', project, body });
  return (made as { server_group: { id: string } }).server_group.id;
};

interface ServerGroupWish {
  readonly name: string;
  readonly policy: 'affinity' | 'anti-affinity';
  readonly rules?: { readonly max_server_per_host: number };
}

export const listServerGroups = async (): Promise<readonly { readonly id: string }[]> =>
  ((await call('/os-server-groups?all_projects=true')) as { server_groups: { id: string }[] }).server_groups;

export const deleteServerGroup = async (id: string): Promise<void> => {
  await call(`/os-server-groups/${id}`, { method: 'DELETE' });
};

export const listComputes = async (): Promise<readonly Service[]> =>
  ((await call('/os-services?binary=nova-compute')) as { services: Service[] }).services;

export interface ServiceChange {
  readonly status: 'enabled' | 'disabled';
  readonly disabled_reason?: string;
}

export const switchCompute = async ({ id }: Service, body: ServiceChange): Promise<void> => {
  await call(`/os-services/${id}`, { method: 'PUT', body });
};

/** Enables these computes and disables all others. */
export const enableOnly = async (hosts: readonly string[]): Promise<void> => {
  for (const compute of await listComputes()) {
    const wanted = hosts.includes(compute.host) ? 'enabled' : 'disabled';
    if (compute.status !== wanted) await switchCompute(compute, { status: wanted });
  }
};

export interface Migration {
  readonly instance_uuid: string;
  readonly status: string;
  readonly migration_type: string;
}

/** By Nova's own log, newest first. */
export const listMigrations = async (serverId: string): Promise<readonly Migration[]> =>
  ((await call(`/os-migrations?instance_uuid=${serverId}`)) as { migrations: Migration[] }).migrations;

export const callPlacement = async (path: string, given: Omit<Call, 'project'> = {}): Promise<unknown> => {
  const { token } = await tokenFor('admin');
  const headers = { 'x-auth-token': token, 'openstack-api-version': 'placement 1.36' };
  return (await callJson(`${testOpenStack().placement}${path}`, { ...given, headers })).body;
};

export const listHypervisors = async (): Promise<readonly { id: string; service: { host: string } }[]> => {
  const { hypervisors } = (await call('/os-hypervisors/detail')) as {
    hypervisors: { id: string; service: { host: string } }[];
  };
  return hypervisors;
};

/** Has placement book amounts on the host for a consumer that Nova does not know, as a failure may. @returns its ID */
export const bookForNobody = async (host: string, memoryMb = 128): Promise<string> => {
  const hypervisors = await listHypervisors();
  const provider = hypervisors.find(({ service }) => service.host === host)!.id;
  const consumer = randomUUID();
  const allocations = { [provider]: { resources: { MEMORY_MB: memoryMb } } };
  const owner = { project_id: await projectIdOf('web'), user_id: 'nobody', consumer_generation: null };
  await callPlacement(`/allocations/${consumer}`, { method: 'PUT', body: { allocations, ...owner } });
  return consumer;
};

export const unbook = async (consumer: string): Promise<void> => {
  await callPlacement(`/allocations/${consumer}`, { method: 'DELETE' });
};

/** The largest amount that one server may take of a resource of the host. */
export const limitUnit = async (host: string, resourceClass: string, most: number): Promise<void> => {
  const provider = (await listHypervisors()).find(({ service }) => service.host === host)!.id;
  const path = `/resource_providers/${provider}/inventories`;
  const { inventories, ...generation } = (await callPlacement(path)) as { inventories: Record<string, object> };
  const body = { ...generation, ...inventories[resourceClass], max_unit: most };
  await callPlacement(`${path}/${resourceClass}`, { method: 'PUT', body });
};

/** Nova leaves in placement what it had booked for the migration of a server that is deleted at the wrong moment. */
export const unbookAll = async (): Promise<void> => {
  for (const { id } of await listHypervisors()) {
    const booked = (await callPlacement(`/resource_providers/${id}/allocations`)) as { allocations: object };
    for (const consumer of Object.keys(booked.allocations)) await unbook(consumer);
  }
};
