/**
 * The real Temporal server on PostgreSQL: its frontend asks for a certificate of the authority and for an API key, a
 * token that it verifies with a public key.
 */
import { execFileSync } from 'node:child_process';
import { generateKeyPairSync, sign } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { parse, stringify } from 'yaml';
import { anyFreePort, isListening } from '../../cli/stack/ports';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../cli/stack/service-process';
import { environmentOfRun } from '../run/environment-of-run';
import type { Certificates } from './certificates';
import { temporalPrograms } from './temporal-programs';

const root = path.join(__dirname, '../..');

interface Compose {
  readonly services: Readonly<Record<string, { readonly command: readonly string[] }>>;
}

/** The commands that docker-compose.yml gives to Temporal's tools, on this machine. */
export const setUpSchema = async (folder: string, postgresPort: number): Promise<void> => {
  const { sql, schema } = await temporalPrograms();
  const compose = parse(readFileSync(path.join(root, 'docker-compose.yml'), 'utf8'), { merge: true }) as Compose;
  const tools = path.join(folder, 'tools');
  mkdirSync(tools, { recursive: true });
  const command = compose.services['temporal-schema']!.command.join('\n')
    .replaceAll('$$', '$')
    .replaceAll('/etc/temporal/schema/postgresql/v12', schema);
  const tool = path.join(tools, 'temporal-sql-tool');
  execFileSync('/bin/sh', ['-c', `[ -e ${tool} ] || ln -s ${sql} ${tool}`]);
  execFileSync('/bin/sh', ['-euc', command], {
    env: {
      ...environmentOfRun(),
      PATH: `${tools}:${process.env['PATH'] ?? ''}`,
      SQL_PLUGIN: 'postgres12',
      SQL_HOST: '127.0.0.1',
      SQL_PORT: String(postgresPort),
      SQL_USER: 'parley',
      SQL_PASSWORD: 'none',
    },
    stdio: 'pipe',
  });
};

const keyId = 'test-key';
const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const otherKey = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

/** An API key that allows everything; signed by somebody else, the server must refuse it. */
export const apiKey = ({ isForged = false } = {}): string => {
  const claims = { sub: 'parley', permissions: ['temporal-system:admin'], exp: Math.floor(Date.now() / 1000) + 86_400 };
  const signed = `${encoded({ alg: 'RS256', typ: 'JWT', kid: keyId })}.${encoded(claims)}`;
  const signature = sign('RSA-SHA256', Buffer.from(signed), isForged ? otherKey : privateKey);
  return `${signed}.${signature.toString('base64url')}`;
};

const serveKeys = async (): Promise<Server> => {
  const keys = [{ ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'RS256', use: 'sig' }];
  const server = createServer((_, response) => response.end(JSON.stringify({ keys }))).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
};

const store = (databaseName: string, postgresPort: number) => ({
  sql: {
    pluginName: 'postgres12',
    databaseName,
    connectAddr: `127.0.0.1:${postgresPort}`,
    connectProtocol: 'tcp',
    user: 'parley',
    password: '',
    maxConns: 10,
    maxIdleConns: 10,
  },
});

const services = ['frontend', 'internal-frontend', 'history', 'matching', 'worker'] as const;

interface ServerOptions {
  readonly folder: string;
  readonly postgresPort: number;
  readonly certificates: Certificates;
}

const configuration = async (options: ServerOptions, frontendPort: number, keysPort: number): Promise<object> => {
  const { certificates, postgresPort } = options;
  const ports = await Promise.all(services.map(async () => [await anyFreePort(), await anyFreePort()] as const));
  const rpc = services.map((service, index) => {
    const [grpcPort, membershipPort] = ports[index]!;
    const own = service === 'frontend' ? frontendPort : grpcPort;
    return [service, { rpc: { grpcPort: own, membershipPort, bindOnIP: '127.0.0.1' } }] as const;
  });
  const server = {
    certFile: certificates.server.cert,
    keyFile: certificates.server.key,
    requireClientAuth: true,
    clientCaFiles: [certificates.ca],
  };
  const client = { serverName: 'localhost', rootCaFiles: [certificates.ca] };
  return {
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      numHistoryShards: 4,
      datastores: {
        default: store('temporal', postgresPort),
        visibility: store('temporal_visibility', postgresPort),
      },
    },
    global: {
      membership: { maxJoinDuration: '30s', broadcastAddress: '127.0.0.1' },
      tls: { frontend: { server, client } },
      authorization: {
        jwtKeyProvider: { keySourceURIs: [`http://127.0.0.1:${keysPort}/`], refreshInterval: '1m' },
        permissionsClaimName: 'permissions',
        authorizer: 'default',
        claimMapper: 'default',
      },
    },
    services: Object.fromEntries(rpc),
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
  };
};

export interface SecuredTemporal {
  readonly address: string;
  readonly stop: () => Promise<void>;
}

const startServer = async ({ folder }: ServerOptions, port: number): Promise<ServiceProcess> => {
  const { server } = await temporalPrograms();
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
  await waitUntilReady(service, { isReady: () => isListening(port), withinMs: 300_000, logFile });
  return service;
};

export const startSecuredTemporal = async (options: ServerOptions): Promise<SecuredTemporal> => {
  const port = await anyFreePort();
  const keys = await serveKeys();
  const { port: keysPort } = keys.address() as AddressInfo;
  mkdirSync(path.join(options.folder, 'temporal'), { recursive: true });
  const file = path.join(options.folder, 'temporal/development.yaml');
  writeFileSync(file, stringify(await configuration(options, port, keysPort)));
  const service = await startServer(options, port);
  return {
    address: `127.0.0.1:${port}`,
    stop: async () => {
      await service.stop();
      keys.close();
    },
  };
};
