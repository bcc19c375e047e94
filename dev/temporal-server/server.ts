/** The Temporal server that deployments run, on loopback, with its data in a PostgreSQL. */
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { stringify } from 'yaml';
import { anyFreePort, isListening } from '../../cli/stack/ports';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../cli/stack/service-process';
import { temporalPrograms } from './programs';

const services = ['frontend', 'internal-frontend', 'history', 'matching', 'worker'] as const;
const readyMs = 300_000;

export interface TemporalOnPostgres {
  /** Holds the server's configuration, log and pid file. */
  readonly folder: string;
  /** The port of a PostgreSQL on this machine that trusts the user `parley` and has the schemas. */
  readonly postgresPort: number;
  /** Fixed for the life of the databases. */
  readonly historyShards: number;
  /** Connections to each of the two databases. */
  readonly connections: number;
  /** Further parts of `global` in the server's configuration, such as `tls` and `authorization`. */
  readonly global?: Readonly<Record<string, object>>;
}

const store = (databaseName: string, { postgresPort, connections }: TemporalOnPostgres) => ({
  sql: {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: `127.0.0.1:${postgresPort}`,
    connectProtocol: 'tcp',
    user: 'parley',
    password: '',
    maxConns: connections,
    maxIdleConns: connections,
  },
});

const portsOfServices = async (frontendPort: number): Promise<object> => {
  const ports = await Promise.all(services.map(async () => [await anyFreePort(), await anyFreePort()] as const));
  const rpc = services.map((service, at) => {
    const [grpcPort, membershipPort] = ports[at] ?? [0, 0];
    const own = service === 'frontend' ? frontendPort : grpcPort;
    return [service, { rpc: { grpcPort: own, membershipPort, bindOnIP: '127.0.0.1' } }] as const;
  });
  return Object.fromEntries(rpc);
};

const configuration = async (options: TemporalOnPostgres, frontendPort: number): Promise<object> => ({
  log: { stdout: true, level: 'warn' },
  persistence: {
    defaultStore: 'default',
    visibilityStore: 'visibility',
    numHistoryShards: options.historyShards,
    datastores: { default: store('temporal', options), visibility: store('temporal_visibility', options) },
  },
  global: { membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' }, ...options.global },
  services: await portsOfServices(frontendPort),
  clusterMetadata: {
    enableGlobalNamespace: false,
    failoverVersionIncrement: 10,
    masterClusterName: 'active',
    currentClusterName: 'active',
    clusterInformation: {
      active: { enabled: true, initialFailoverVersion: 1, rpcName: 'frontend', rpcAddress: '127.0.0.1:0' },
    },
  },
  dcRedirectionPolicy: { policy: 'noop' },
});

export interface RunningTemporal {
  readonly address: string;
  readonly process: ServiceProcess;
}

/** Needs the schemas (`setUpTemporalSchema`). The namespaces are made afterwards. */
export const startTemporalOnPostgres = async (options: TemporalOnPostgres): Promise<RunningTemporal> => {
  const { folder } = options;
  const { server } = await temporalPrograms();
  const port = await anyFreePort();
  await mkdir(path.join(folder, 'temporal'), { recursive: true });
  const file = path.join(folder, 'temporal/development.yaml');
  await writeFile(file, stringify(await configuration(options, port), { aliasDuplicateObjects: false }));
  const logFile = path.join(folder, 'temporal.log');
  const service = await startProcess({
    name: 'Temporal',
    command: server,
    args: [
      ...['--root', folder, '--config', 'temporal', '--env', 'development', 'start'],
      ...services.flatMap((name) => ['--service', name]),
    ],
    logFile,
    pidFile: path.join(folder, 'temporal.pid'),
    mark: folder,
    stopSignal: 'SIGTERM',
  });
  await waitUntilReady(service, { isReady: () => isListening(port), withinMs: readyMs, logFile });
  return { address: `127.0.0.1:${port}`, process: service };
};
