/** Connects a process to Temporal. */
import { Client, Connection } from '@temporalio/client';
import { StartFault } from '../startup/start-fault';
import { type ProgramStart, waitAtStart } from '../startup/wait-at-start';
import { hasGrpcCode } from './grpc-codes';
import { prepareNamespace } from './prepare-namespace';
import { readEndpoint, type TemporalAccess, type TemporalEndpoint } from './temporal-access';
import { oldConnectionMs, watchEndpoint } from './watch-endpoint';

export interface TemporalAddress extends TemporalAccess {
  readonly temporalNamespace: string;
  /** The milliseconds after which files are read anew. Left out: as in the service. */
  readonly readAnewMs?: number;
}

export interface TemporalConnection {
  readonly client: Client;
  readonly close: () => Promise<void>;
}

/** @throws StartFault when Temporal does not answer within 10 s, or not to this program */
export const connectTemporal = async (settings: TemporalAddress): Promise<TemporalConnection> => {
  const first = await readEndpoint(settings);
  const opened = await connectTo(first).catch((error: unknown) => {
    throw noConnection(settings.temporalAddress, error);
  });
  const { connection, replace, current } = replaceable(opened);
  const take = async (endpoint: TemporalEndpoint): Promise<void> => replace(await connectTo(endpoint));
  const endWatch = watchEndpoint({ access: settings, first, take, everyMs: settings.readAnewMs });
  const client = new Client({ connection, namespace: settings.temporalNamespace });
  const close = (): Promise<void> => {
    endWatch();
    return current().close();
  };
  return { client, close };
};

/** The client would follow http_proxy by itself, and a worker, which has a client of its own, would not. */
const directly = { 'grpc.enable_http_proxy': 0 };

const connectTo = (endpoint: TemporalEndpoint): Promise<Connection> =>
  Connection.connect({ ...endpoint, connectTimeout: '10s', channelArgs: directly });

/** A client keeps the connection that it was made with. This one passes each call to the connection of that moment. */
const replaceable = (first: Connection) => {
  let now = first;
  const connection = new Proxy(first, {
    get(_, property): unknown {
      const value: unknown = Reflect.get(now, property, now);
      return typeof value === 'function' ? (value.bind(now) as unknown) : value;
    },
  });
  const replace = (next: Connection): void => {
    const old = now;
    now = next;
    setTimeout(() => void old.close().catch(() => undefined), oldConnectionMs).unref();
  };
  return { connection, replace, current: () => now };
};

const noConnection = (address: string, cause: unknown): StartFault => {
  const problem = hasGrpcCode(cause, 'UNAUTHENTICATED', 'PERMISSION_DENIED')
    ? 'refuses this program: check the PARLEY_TEMPORAL_ settings of its certificate and its API key'
    : 'does not answer: start it, or correct PARLEY_TEMPORAL_ADDRESS and the PARLEY_TEMPORAL_ settings of TLS';
  const told = cause instanceof Error ? cause.message : String(cause);
  return new StartFault(`Temporal at ${address} ${problem} (${told})`, { cause });
};

/** The server's parts learn about new search attributes one after the other. */
const namespaceSeconds = 90;

/**
 * Connects a process that starts, and prepares its namespace.
 * @throws StartFault when Temporal does not let it begin, StoppedAtStart when the process is to stop
 */
export const openPreparedTemporal = async (
  start: ProgramStart,
  settings: TemporalAddress,
): Promise<TemporalConnection> => {
  const server = { what: `Temporal at ${settings.temporalAddress}`, limitSeconds: 30 };
  const opened = await waitAtStart(start, server, () => connectTemporal(settings));
  const namespace = {
    what: `the namespace ${settings.temporalNamespace} of Temporal`,
    limitSeconds: namespaceSeconds,
  };
  await waitAtStart(start, namespace, () => prepareNamespace(opened.client));
  return opened;
};
