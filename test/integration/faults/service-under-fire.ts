/**
 * The service as real processes, each of which can be killed and is started again by the supervisor of the local stack:
 * PostgreSQL on a folder of its own, the api and a worker. Temporal and Kafka are those of the test set-up, with a
 * namespace and a topic of their own.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { keepRunning } from '../../../cli/stack/keep-running';
import { anyFreePort } from '../../../cli/stack/ports';
import { postgresUrl, startPostgres } from '../../../cli/stack/postgres';
import { type ServiceProcess, startProcess } from '../../../cli/stack/service-process';
import { type Database, openDatabase } from '../../../prisma/database';
import { createNamespace } from '../rig/namespace';
import { rigEnvironment } from '../rig/rig-settings';
import { ownFolder, runFolderPrefix } from '../setup/end-killed-runs';
import { testServices } from '../setup/services';
import { eventually } from './eventually';
import type { Moment } from './moments';

export const victims = ['api', 'worker', 'postgres'] as const;
export type Victim = (typeof victims)[number];
/** Workers beside the first. */
type Process = Victim | `worker-${number}`;

export interface ServiceUnderFire {
  /** Where the API listens, with /v1. */
  readonly url: string;
  readonly db: Database;
  readonly topic: string;
  /** Holds the files of the moment (moments.ts), data and logs. */
  readonly folder: string;
  /** kill -9; returns when it is dead. It is started again by itself. */
  kill(victim: Process): Promise<void>;
}

export interface FireOptions {
  /** Where the process that it concerns stands still. */
  readonly moment?: Moment | undefined;
  /** The workflows' bundle, a file. */
  readonly bundle: string;
  /** Changes to the environment of its processes. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Workers side by side: worker, worker-2 and so on. */
  readonly workers?: number;
}

interface Supervised {
  readonly kill: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const supervise = async (start: () => Promise<ServiceProcess>): Promise<Supervised> => {
  let current = await start();
  const startAgain = async (): Promise<ServiceProcess> => (current = await start());
  const kept = keepRunning({ first: current, startAgain, tell: () => undefined });
  return {
    async kill() {
      process.kill(current.pid, 'SIGKILL');
      await current.ended;
    },
    stop: kept.stop,
  };
};

interface Program {
  readonly program: 'api' | 'worker';
  readonly name: Process;
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const startProgram = ({ program, name, folder, args, environment }: Program): Promise<ServiceProcess> =>
  startProcess({
    name,
    command: process.execPath,
    args: [
      '--require',
      path.join(__dirname, 'run-typescript.cjs'),
      path.join(__dirname, `halting-${program}.ts`),
      ...args,
    ],
    env: { PATH: process.env['PATH'], ...environment },
    logFile: path.join(folder, `${name}.log`),
    pidFile: path.join(folder, `${name}.pid`),
    mark: folder,
    stopSignal: 'SIGTERM',
  });

const readyMs = 60_000;

/** Moves of a second or so; limits long enough to get through to what is being started again. */
const patience = {
  PARLEY_SIM_SPEED: '50',
  PARLEY_PROJECT_REPLY_SECONDS: '20',
  PARLEY_OWN_ACTION_SECONDS: '20',
  PARLEY_LIVE_MOVE_SECONDS: '20',
  PARLEY_LOG_LEVEL: 'warn',
} as const;

interface Parts {
  readonly folder: string;
  readonly options: FireOptions;
  /** What is to be done at the end, last added first. */
  readonly atEnd: (stop: () => Promise<void>) => void;
}

interface OwnDatabase {
  readonly supervised: Supervised;
  readonly url: string;
}

const startDatabase = async ({ folder, atEnd }: Parts): Promise<OwnDatabase> => {
  const port = await anyFreePort();
  // What is committed must outlive a kill here, so not the faster, unsafe way of the other tests.
  const options = { dataFolder: path.join(folder, 'postgres'), port, logFile: path.join(folder, 'postgres.log') };
  const supervised = await supervise(async () => (await startPostgres(options)).process);
  atEnd(supervised.stop);
  return { supervised, url: postgresUrl(port, 'parley') };
};

const startPrograms = async (
  { folder, options, atEnd }: Parts,
  environment: Readonly<Record<string, string>>,
): Promise<ReadonlyMap<Process, Supervised>> => {
  const { moment = 'none', bundle, workers = 1 } = options;
  const started = new Map<Process, Supervised>();
  const start = async (program: Program['program'], name: Process, ...more: string[]): Promise<void> => {
    const args = [folder, moment, ...more];
    const supervised = await supervise(() => startProgram({ program, name, folder, args, environment }));
    atEnd(supervised.stop);
    started.set(name, supervised);
  };
  await start('worker', 'worker', bundle);
  for (let number = 2; number <= workers; number += 1) await start('worker', `worker-${number}`, bundle);
  await start('api', 'api');
  return started;
};

const untilReady = (apiUrl: string): Promise<true> =>
  eventually({ what: `${apiUrl}/readyz answers 200`, withinMs: readyMs }, async () => {
    const { status } = await fetch(`${apiUrl}/readyz`);
    return status === 200 || undefined;
  });

const start = async (parts: Parts): Promise<ServiceUnderFire> => {
  const { temporalAddress, kafkaBrokers } = testServices();
  const { supervised: postgres, url: databaseUrl } = await startDatabase(parts);
  const namespace = await createNamespace(temporalAddress);
  const topic = `faults-${randomUUID()}`;
  const port = await anyFreePort();
  const apiUrl = `http://127.0.0.1:${port}`;
  const environment = rigEnvironment(
    { databaseUrl, temporalAddress, namespace },
    {
      KAFKA_BROKERS: kafkaBrokers.join(','),
      PARLEY_KAFKA_TOPIC: topic,
      PARLEY_PORT: String(port),
      PARLEY_BASE_URL: apiUrl,
      ...patience,
      ...parts.options.environment,
    },
  );
  const programs = await startPrograms(parts, environment);
  await untilReady(apiUrl);
  const db = openDatabase({ url: databaseUrl, poolSize: 3 });
  parts.atEnd(() => db.$disconnect());
  const supervised = new Map<Process, Supervised>([...programs, ['postgres', postgres]]);
  return {
    url: `${apiUrl}/v1`,
    db,
    topic,
    folder: parts.folder,
    kill: (victim) => supervised.get(victim)!.kill(),
  };
};

/** Starts a service, uses it, and removes all of it. */
export const withServiceUnderFire = async <T>(
  options: FireOptions,
  use: (service: ServiceUnderFire) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(path.join(tmpdir(), `${runFolderPrefix}faults-`));
  // PostgreSQL may run as another user, who has to reach its data folder
  chmodSync(folder, 0o755);
  await ownFolder(folder);
  const ends: (() => Promise<void>)[] = [];
  try {
    return await use(await start({ folder, options, atEnd: (end) => ends.unshift(end) }));
  } finally {
    for (const end of ends) await end();
    await rm(folder, { recursive: true, force: true });
  }
};
