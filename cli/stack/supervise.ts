/**
 * The whole service on one machine: a worker and the API, with PostgreSQL and Temporal unless the environment names
 * others. Each process is started again when it ends. They stop in reverse order. The data stay.
 */
import path from 'node:path';
import { openPreparedDatabase } from '../../clouds/open-prepared-database';
import { loadSettings, type Settings } from '../../config/settings';
import { keepLogsSmall } from './cap-logs';
import { keepRunning } from './keep-running';
import { takeDataFolder } from './only-one';
import { isGiven, type ProvidedTemporal, providePostgres, provideTemporal, type Surroundings } from './own-servers';
import {
  assertApiPortFree,
  describeProgram,
  endLeftOverPrograms,
  startApiAlone,
  startProgram,
  waitUntilServing,
} from './service-programs';

export interface StackOptions {
  /** The settings, and the variables for finding the Temporal server: PATH, TEMPORAL_CLI and XDG_CACHE_HOME. */
  readonly env: NodeJS.ProcessEnv;
  /** A line for the person who watches. */
  readonly tell: (line: string) => void;
  /** Aborts the start: everything that was started is stopped. */
  readonly signal: AbortSignal;
}

export interface StackAddresses {
  readonly api: string;
  readonly docs: string;
  /** Absent when the Temporal server is not ours. */
  readonly temporalUi?: string;
  readonly temporal: string;
  readonly databaseUrl: string;
}

export interface Stack {
  readonly settings: Settings;
  readonly addresses: StackAddresses;
  /** Stops everything that was started, last started first. */
  readonly stop: () => Promise<void>;
}

/** A placeholder while the other settings are read, before our own server has its port. */
const databaseOfOurOwn = 'postgresql://parley@127.0.0.1/parley';

const readSettings = (env: NodeJS.ProcessEnv): Settings =>
  loadSettings(isGiven(env, 'DATABASE_URL') ? env : { ...env, DATABASE_URL: databaseOfOurOwn });

const runPrograms = async ({ settings, env, tell, atStop, signal }: Surroundings): Promise<void> => {
  const { dataDir } = settings;
  const worker = await startProgram(describeProgram('worker', { dataDir, env }));
  atStop(worker.process.stop);
  const api = await startApiAlone(settings, async () => {
    const started = await startProgram(describeProgram('api', { dataDir, env }));
    atStop(started.process.stop);
    await waitUntilServing({ api: started, worker }, settings, signal);
    return started;
  });
  for (const { process: first, startAgain } of [worker, api]) atStop(keepRunning({ first, startAgain, tell }).stop);
};

const addressesOf = (settings: Settings, databaseUrl: string, temporal: ProvidedTemporal): StackAddresses => ({
  api: settings.baseUrl,
  docs: `${settings.baseUrl}/docs`,
  temporal: temporal.address,
  databaseUrl,
  ...(temporal.uiAddress === undefined ? {} : { temporalUi: temporal.uiAddress }),
});

/** The programs would do the same, and write to their logs what is told here. */
const prepareDatabase = async ({ settings, tell, signal }: Surroundings, databaseUrl: string): Promise<void> => {
  const { fleetFile } = settings;
  const start = { stopping: signal, tell };
  const db = await openPreparedDatabase(start, { databaseUrl, ...(fleetFile !== undefined && { fleetFile }) });
  await db.$disconnect();
};

const startAll = async (surroundings: Surroundings): Promise<StackAddresses> => {
  const { settings, env, signal, tell, atStop } = surroundings;
  await endLeftOverPrograms(settings.dataDir);
  await assertApiPortFree(settings);
  signal.throwIfAborted();
  const databaseUrl = await providePostgres(surroundings);
  await prepareDatabase(surroundings, databaseUrl);
  signal.throwIfAborted();
  const temporal = await provideTemporal(surroundings);
  signal.throwIfAborted();
  const programEnv = {
    ...(temporal.uiAddress !== undefined && { PARLEY_TEMPORAL_UI_URL: temporal.uiAddress }),
    ...env,
    DATABASE_URL: databaseUrl,
    PARLEY_TEMPORAL_ADDRESS: temporal.address,
  };
  await runPrograms({ ...surroundings, env: programEnv });
  atStop(keepLogsSmall(path.join(settings.dataDir, 'logs'), tell));
  return addressesOf(settings, databaseUrl, temporal);
};

/**
 * Starts the service with its servers and waits until a session could run. Uses the data of an earlier start.
 * @throws SettingsError, or an Error that says what could not be started. Nothing runs then, and nothing runs when the
 * start is aborted
 */
export const startStack = async ({ env, tell, signal }: StackOptions): Promise<Stack> => {
  const settings = readSettings(env);
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (let next = stops.pop(); next !== undefined; next = stops.pop()) await next();
  };
  const giveFree = await takeDataFolder(settings.dataDir);
  const atStop = (each: () => Promise<void>): number => stops.push(each);
  atStop(giveFree);
  try {
    return { settings, addresses: await startAll({ settings, env, tell, signal, atStop }), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};
