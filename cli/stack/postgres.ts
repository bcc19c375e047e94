/**
 * PostgreSQL of the local stack and of the tests, with programs from an npm package. It listens on loopback only and
 * trusts all connections. As root it runs as an unprivileged user, since PostgreSQL refuses root.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { chown, mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { startOnFreePorts } from './one-start-at-a-time';
import { canReach, postgresBinFolder, type SystemUser } from './postgres-binaries';
import {
  endLeftOver,
  type LeftOverProcess,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from './service-process';

export interface PostgresOptions {
  /** The folder of the databases, made when it does not exist. */
  readonly dataFolder: string;
  readonly port: number;
  readonly logFile: string;
  /** Lets no write wait for the disk, in tests, whose data may be lost. */
  readonly unsafeButFast?: boolean;
  /** Further settings of the server, by name. */
  readonly serverSettings?: Readonly<Record<string, string>>;
}

export interface Postgres {
  readonly process: ServiceProcess;
  /** The address of a database in this server, which need not exist. */
  readonly urlOf: (database: string) => string;
  readonly stop: () => Promise<void>;
}

const superuser = 'parley';
export const postgresUrl = (port: number, database: string): string =>
  `postgresql://${superuser}@127.0.0.1:${String(port)}/${database}`;

const readyMs = 60_000;
const startAttempts = 10;
const retryMs = 1_000;

/** The account of PostgreSQL when this process runs as root. */
const unprivilegedUser = (): SystemUser => {
  const accounts = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'));
  const account = ['postgres', 'nobody'].flatMap((name) => accounts.filter((fields) => fields[0] === name)).at(0);
  if (account === undefined) {
    throw new Error('PostgreSQL does not run as root and there is no user postgres or nobody: start as another user');
  }
  return { uid: Number(account[2]), gid: Number(account[3]) };
};

const serverUser = (): SystemUser | undefined => (process.getuid?.() === 0 ? unprivilegedUser() : undefined);

/** When root's clone lies in a folder that nobody else may enter, the data go to a place that the server can reach. */
const reachableFolder = async (wanted: string, user: SystemUser | undefined): Promise<string> => {
  if (user === undefined || (await canReach(wanted, user))) return wanted;
  const digest = createHash('sha256').update(wanted).digest('hex').slice(0, 12);
  return path.join('/var/lib/parley', `postgres-${digest}`);
};

interface PlaceOfData {
  readonly bin: string;
  readonly dataFolder: string;
  readonly user: SystemUser | undefined;
}

/** Made under a temporary name and renamed: a database that was not completed is made again. */
const initialize = async ({ bin, dataFolder, user }: PlaceOfData): Promise<void> => {
  if (existsSync(path.join(dataFolder, 'PG_VERSION'))) return;
  const growing = `${dataFolder}.new`;
  await rm(growing, { recursive: true, force: true });
  await mkdir(growing, { recursive: true, mode: 0o700 });
  if (user !== undefined) await chown(growing, user.uid, user.gid);
  const args = ['-D', growing, '-U', superuser, '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-instructions'];
  await promisify(execFile)(path.join(bin, 'initdb'), args, { cwd: growing, ...user });
  await rm(dataFolder, { recursive: true, force: true });
  await rename(growing, dataFolder);
};

const serverArgs = ({ dataFolder, port, unsafeButFast = false, serverSettings = {} }: PostgresOptions): string[] => [
  ...['-D', dataFolder, '-p', String(port), '-h', '127.0.0.1', '-k', ''],
  ...['-c', 'max_connections=200', '-c', 'log_min_messages=warning'],
  // Keeps dynamic shared memory in files of the data folder. A killed server leaves these files: its next start removes
  // them, and so does the removal of the folder. In /dev/shm they would stay.
  ...['-c', 'dynamic_shared_memory_type=mmap'],
  ...(unsafeButFast ? ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'full_page_writes=off'] : []),
  ...Object.entries(serverSettings).flatMap(([name, value]) => ['-c', `${name}=${value}`]),
];

const answers = async (connectionString: string): Promise<boolean> => {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2_000 });
  // a server that ends while the connection closes would otherwise end this process
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
};

const startServer = (options: PostgresOptions, place: PlaceOfData, url: string): Promise<ServiceProcess> =>
  startOnFreePorts([options.port], async () => {
    const { logFile } = options;
    const service = await startProcess({
      name: 'PostgreSQL',
      command: path.join(place.bin, 'postgres'),
      args: serverArgs({ ...options, dataFolder: place.dataFolder }),
      cwd: place.dataFolder,
      logFile,
      pidFile: `${place.dataFolder}.pid`,
      ...markOf(place.dataFolder),
      ...(place.user === undefined ? {} : { user: place.user }),
    });
    await waitUntilReady(service, { isReady: () => answers(url), withinMs: readyMs, logFile });
    return service;
  });

/**
 * Starts the server, again if need be: after a kill, processes of the old one may hold its memory for some more
 * seconds.
 */
const startServerPatiently = async (
  options: PostgresOptions,
  place: PlaceOfData,
  url: string,
): Promise<ServiceProcess> => {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startServer(options, place, url);
    } catch (error) {
      if (attempt === startAttempts) throw error;
      await sleep(retryMs);
    }
  }
};

const markOf = (dataFolder: string): Omit<LeftOverProcess, 'pidFile'> => ({ mark: dataFolder, stopSignal: 'SIGINT' });

/** Ends a server that a killed process left on the data folder, so that its port is free again. */
export const endLeftOverPostgres = async (wantedFolder: string): Promise<void> => {
  const dataFolder = await reachableFolder(path.resolve(wantedFolder), serverUser());
  await endLeftOver({ pidFile: path.join(dataFolder, 'postmaster.pid'), ...markOf(dataFolder) });
};

/** Removes the data folder, and ends a server that a killed process left on it. */
export const removePostgres = async (wantedFolder: string): Promise<void> => {
  await endLeftOverPostgres(wantedFolder);
  await rm(await reachableFolder(path.resolve(wantedFolder), serverUser()), { recursive: true, force: true });
};

/**
 * Starts a server on the data folder, after ending one that a killed process left on it.
 * @throws Error with the end of the server's log, when it does not answer in time
 */
export const startPostgres = async (options: PostgresOptions): Promise<Postgres> => {
  const user = serverUser();
  const dataFolder = await reachableFolder(path.resolve(options.dataFolder), user);
  const place = { bin: await postgresBinFolder(user), dataFolder, user };
  await mkdir(path.dirname(dataFolder), { recursive: true });
  await endLeftOverPostgres(options.dataFolder);
  await initialize(place);
  const urlOf = (database: string): string => `postgresql://${superuser}@127.0.0.1:${String(options.port)}/${database}`;
  const service = await startServerPatiently(options, place, urlOf('postgres'));
  return { process: service, urlOf, stop: service.stop };
};
