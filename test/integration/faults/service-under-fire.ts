/**
 * The service as real processes, each of which can be killed and is started again by the supervisor of the local stack:
 * the api and workers. PostgreSQL, Temporal and Kafka are those of the test set-up, with a database, a namespace and a
 * topic of their own; or own ones, to be killed as well.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import path from 'node:path';
import { isListening } from '../../../cli/stack/ports';
import { anyFreePort } from '../../../cli/stack/ports';
import { type ServiceProcess, startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { type Database, openDatabase } from '../../../prisma/database';
import { connectTemporal, type TemporalAddress } from '../../../temporal/connect';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { closeNamespace, createNamespace } from '../rig/namespace';
import { rigEnvironment } from '../rig/rig-settings';
import { allStarted } from '../setup/all-started';
import { fileFolder } from '../setup/file-folder';
import { testServices } from '../setup/services';
import { createTestDatabase } from '../setup/test-database';
import type { Moment } from './moments';
import { ownKafka, ownPostgres, type OwnServer, ownTemporal } from './own-servers';
import { startProductionTemporal } from './production-temporal';
import { type Killed, supervise, type Supervised } from './supervised';

export const victims = ['api', 'worker', 'postgres'] as const;
/** APIs and workers beside the first have a number; servers can be killed where they are own ones. */
export type Victim = (typeof victims)[number] | `${'api' | 'worker'}-${number}` | 'temporal' | 'kafka';

export interface ServiceUnderFire {
  /** The address of the first API, with /v1. */
  readonly url: string;
  /** The addresses of all APIs. */
  readonly urls: readonly string[];
  readonly db: Database;
  readonly kafkaBrokers: readonly string[];
  readonly topic: string;
  /** Holds the files of the moment (moments.ts), data and logs. */
  readonly folder: string;
  /** kill -9; returns when it is dead. It is started again by itself. */
  kill(victim: Victim): Promise<Killed>;
  /** Processes that ended without having been killed, in words. */
  ownEnds(): readonly string[];
}

export interface FireOptions {
  /** The places where the affected processes stand still, each once. */
  readonly moments?: readonly Moment[];
  /** Changes to the environment of its processes. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Workers side by side: worker, worker-2 and so on. */
  readonly workers?: number;
  /** APIs side by side: api, api-2 and so on. */
  readonly apis?: number;
  /** Servers of its own, which can be killed; production-temporal: the one of deployments, on PostgreSQL. */
  readonly ownServers?: 'postgres' | 'production-temporal' | 'all';
}

interface Program {
  readonly program: 'api' | 'worker';
  readonly name: Victim;
  readonly folder: string;
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

const startProgram = async ({ program, name, folder, args, environment }: Program): Promise<ServiceProcess> => {
  const logFile = path.join(folder, `${name}.log`);
  const service = await startProcess({
    name,
    command: process.execPath,
    args: [
      '--require',
      path.join(__dirname, '../../run/run-typescript.cjs'),
      path.join(__dirname, `halting-${program}.ts`),
      ...args,
    ],
    env: { ...environmentOfRun(), ...environment },
    logFile,
    pidFile: path.join(folder, `${name}.pid`),
    mark: folder,
    stopSignal: 'SIGTERM',
  });
  if (program === 'worker') return service; // nothing shows that it has begun to ask for work
  const isReady = (): Promise<boolean> => isListening(Number(environment['PARLEY_PORT']));
  await waitUntilReady(service, { isReady, withinMs: readyMs, logFile });
  return service;
};

const readyMs = 300_000;

/** Moves of a second or so; limits long enough to get through to what is being started again. */
const patience = {
  PARLEY_SIM_SPEED: '50',
  PARLEY_PROJECT_REPLY_SECONDS: '20',
  PARLEY_OWN_ACTION_SECONDS: '20',
  PARLEY_LIVE_MOVE_SECONDS: '20',
  PARLEY_MOVE_SECONDS: '60',
  PARLEY_LOG_LEVEL: 'warn',
} as const;

interface Parts {
  readonly folder: string;
  readonly options: FireOptions;
  /** Functions to run at the end, last added first. */
  readonly atEnd: (stop: () => Promise<void>) => void;
}

interface Servers {
  readonly databaseUrl: string;
  readonly temporalAddress: string;
  readonly namespace: string;
  readonly kafkaBrokers: readonly string[];
  readonly supervised: ReadonlyMap<Victim, Supervised>;
}

const leaveNamespace = async (access: TemporalAddress): Promise<void> => {
  const { client, close } = await connectTemporal(access);
  await closeNamespace(client).finally(close);
};

const temporalFor = async ({ folder, options, atEnd }: Parts): Promise<string> => {
  if (options.ownServers !== 'production-temporal') return testServices().temporalAddress;
  const { address, stop } = await startProductionTemporal(folder);
  atEnd(stop);
  return address;
};

const startServers = async ({ folder, options, atEnd }: Parts): Promise<Servers> => {
  const noted = async (starting: Promise<OwnServer>): Promise<OwnServer> => {
    const server = await starting;
    atEnd(server.supervised.stop);
    return server;
  };
  if (options.ownServers === 'all') {
    const namespace = 'default';
    const [postgres, temporal, kafka] = await allStarted<[OwnServer, OwnServer, OwnServer]>([
      noted(ownPostgres(folder)),
      noted(ownTemporal(folder, namespace)),
      noted(ownKafka(folder)),
    ]);
    return {
      databaseUrl: postgres.address,
      temporalAddress: temporal.address,
      namespace,
      kafkaBrokers: [kafka.address],
      supervised: new Map<Victim, Supervised>([
        ['postgres', postgres.supervised],
        ['temporal', temporal.supervised],
        ['kafka', kafka.supervised],
      ]),
    };
  }
  const { kafkaBrokers } = testServices();
  const temporalAddress = await temporalFor({ folder, options, atEnd });
  const namespace = await createNamespace(temporalAddress);
  atEnd(() => leaveNamespace({ temporalAddress, temporalNamespace: namespace }));
  const shared = { temporalAddress, namespace, kafkaBrokers };
  if (options.ownServers === 'postgres') {
    const { supervised, address } = await noted(ownPostgres(folder));
    return { ...shared, databaseUrl: address, supervised: new Map([['postgres', supervised]]) };
  }
  const { url, drop } = await createTestDatabase();
  atEnd(drop);
  return { ...shared, databaseUrl: url, supervised: new Map() };
};

const startPrograms = async (
  { folder, options, atEnd }: Parts,
  { environment, apiPorts }: Started,
): Promise<ReadonlyMap<Victim, Supervised>> => {
  const { moments = [], workers = 1 } = options;
  const { workflowBundle: bundle } = testServices();
  const started = new Map<Victim, Supervised>();
  const start = async (name: Victim, own: Pick<Program, 'program' | 'environment'>, ...more: string[]) => {
    const args = [folder, moments.join(','), ...more];
    const supervised = await supervise(() => startProgram({ ...own, name, folder, args }));
    atEnd(supervised.stop);
    started.set(name, supervised);
  };
  await start('worker', { program: 'worker', environment }, bundle);
  for (let number = 2; number <= workers; number += 1) {
    await start(`worker-${number}`, { program: 'worker', environment }, bundle);
  }
  for (const [index, port] of apiPorts.entries()) {
    const own = { ...environment, PARLEY_PORT: String(port) };
    await start(index === 0 ? 'api' : `api-${index + 1}`, { program: 'api', environment: own });
  }
  return started;
};

interface Started {
  readonly environment: Readonly<Record<string, string>>;
  readonly apiPorts: readonly number[];
}

const untilReady = (apiUrl: string): Promise<true> =>
  eventually(`${apiUrl}/readyz answers 200`, async () => {
    const { status } = await fetch(`${apiUrl}/readyz`);
    return status === 200 || undefined;
  });

const start = async (parts: Parts): Promise<ServiceUnderFire> => {
  const servers = await startServers(parts);
  const { databaseUrl, kafkaBrokers } = servers;
  const topic = `faults-${randomUUID()}`;
  const apiPorts: number[] = [];
  for (let number = 1; number <= (parts.options.apis ?? 1); number += 1) apiPorts.push(await anyFreePort());
  const apiUrls = apiPorts.map((port) => `http://127.0.0.1:${port}`);
  const environment = rigEnvironment(servers, {
    KAFKA_BROKERS: kafkaBrokers.join(','),
    PARLEY_KAFKA_TOPIC: topic,
    // Reply URLs name it, whichever process publishes the event.
    PARLEY_BASE_URL: apiUrls[0]!,
    ...patience,
    ...parts.options.environment,
  });
  const programs = await startPrograms(parts, { environment, apiPorts });
  await Promise.all(apiUrls.map(untilReady));
  const db = openDatabase({ url: databaseUrl, poolSize: 3 });
  parts.atEnd(() => db.$disconnect());
  const supervised = new Map<Victim, Supervised>([...programs, ...servers.supervised]);
  return {
    url: `${apiUrls[0]}/v1`,
    urls: apiUrls.map((url) => `${url}/v1`),
    db,
    kafkaBrokers,
    topic,
    folder: parts.folder,
    kill: (victim) => supervised.get(victim)!.kill(),
    ownEnds: () => [...supervised.values()].flatMap(({ ownEnds }) => ownEnds),
  };
};

/** Starts a service, uses it, and removes all of it. */
export const withServiceUnderFire = async <T>(
  options: FireOptions,
  use: (service: ServiceUnderFire) => Promise<T>,
): Promise<T> => {
  const folder = await mkdtemp(path.join(fileFolder(), 'service-'));
  chmodSync(folder, 0o755); // as its parent
  const ends: (() => Promise<void>)[] = [];
  try {
    return await use(await start({ folder, options, atEnd: (end) => ends.unshift(end) }));
  } finally {
    for (const end of ends) await end();
    await rm(folder, { recursive: true, force: true });
  }
};
