/**
 * Makes the clients of Nova and placement: finds their addresses in the catalogue or a setting, and their
 * micro-versions.
 */
import type { Exchange } from '../../http/exchange';
import { findEndpoint } from '../../keystone/catalog';
import type { ServiceTokens } from '../../keystone/service-tokens';
import { createServiceClient, type ServiceClient } from '../http/service-client';
import { parsePlacementVersions, parseVersionDocument } from './answers';
import { negotiateVersion, newestOfServers, placementVersion, type Version } from './negotiate-version';

export interface ServicePlaces {
  readonly interface: string;
  readonly region?: string | undefined;
  /** Replaces the catalogue's address. */
  readonly computeEndpoint?: string | undefined;
  readonly placementEndpoint?: string | undefined;
}

export interface Connection {
  readonly tokens: ServiceTokens;
  readonly exchange: Exchange;
  readonly places: ServicePlaces;
}

interface WantedService {
  readonly type: string;
  readonly override: string | undefined;
}

const findAddress = async (
  { tokens, places }: Connection,
  { type, override }: WantedService,
): Promise<string | undefined> => {
  if (override !== undefined) return override;
  const { catalog } = await tokens.current();
  return findEndpoint(catalog, { types: [type], interface: places.interface, region: places.region });
};

/** @throws Error that names the services that the catalogue lacks, and the settings that choose them */
const addressOf = async (connection: Connection, wanted: WantedService): Promise<string> => {
  const address = await findAddress(connection, wanted);
  if (address !== undefined) return address;
  const { places } = connection;
  const region = places.region === undefined ? 'any region' : `region ${places.region}`;
  throw new Error(
    `Keystone's catalogue has no ${wanted.type} service with interface ${places.interface} in ${region}; ` +
      'OS_INTERFACE and OS_REGION_NAME choose there, OS_COMPUTE_ENDPOINT_OVERRIDE does without it',
  );
};

/**
 * Nova's address up to its version. Catalogues leave the version out, or have the caller's project behind it, as Nova
 * once needed it; and v2 is v2.1 without micro-versions.
 */
export const novaRoot = (address: string): string => {
  const [, root, version] = /^(.*?)\/(v2(?:\.\d+)?)(?:\/.*)?$/.exec(address) ?? [];
  if (root === undefined) return `${address.replace(/\/+$/, '')}/v2.1`;
  return `${root}/${version === 'v2' ? 'v2.1' : version}`;
};

/** Reads once, and again after a failure. */
const once = <T>(read: () => Promise<T>): (() => Promise<T>) => {
  let value: Promise<T> | undefined;
  return () =>
    (value ??= read().catch((error: unknown) => {
      value = undefined; // the next call asks again
      throw error;
    }));
};

export interface NovaClients {
  readonly client: ServiceClient;
  /** Reads servers, of which later micro-versions tell more. */
  readonly servers: ServiceClient;
}

export const connectNova = (connection: Connection): NovaClients => {
  const { tokens, exchange, places } = connection;
  const endpoint = async () =>
    novaRoot(await addressOf(connection, { type: 'compute', override: places.computeEndpoint }));
  const nova = { name: 'Nova', endpoint, tokens, exchange };
  const unversioned = createServiceClient({ ...nova, headers: () => Promise.resolve({}) });
  const offered = once(async () => {
    const { version } = parseVersionDocument((await unversioned.call({ method: 'GET', path: '/' })).body);
    return { oldest: version.min_version, newest: version.version };
  });
  const clientAt = (newest?: Version): ServiceClient => {
    const headers = async () => ({ 'openstack-api-version': `compute ${negotiateVersion(await offered(), newest)}` });
    return createServiceClient({ ...nova, headers });
  };
  return { client: clientAt(), servers: clientAt(newestOfServers) };
};

/** Undefined when the catalogue does not show placement: sizes then come from the hypervisors. */
export const connectPlacement = async (connection: Connection): Promise<ServiceClient | undefined> => {
  const { tokens, exchange, places } = connection;
  const wanted = { type: 'placement', override: places.placementEndpoint };
  if ((await findAddress(connection, wanted)) === undefined) return undefined;
  const placement = { name: 'placement', endpoint: () => addressOf(connection, wanted), tokens, exchange };
  const unversioned = createServiceClient({ ...placement, headers: () => Promise.resolve({}) });
  const agreed = once(async () => {
    const document = await unversioned.call({ method: 'GET', path: '/', tries: 1 });
    const { versions } = parsePlacementVersions(document.body);
    return placementVersion(versions[0]?.max_version);
  });
  return createServiceClient({
    ...placement,
    headers: async () => ({ 'openstack-api-version': `placement ${await agreed()}` }),
  });
};
