/**
 * The whole service for a measurement: its own PostgreSQL, Temporal, api and worker, in a folder that is removed at the
 * end.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { withoutSettings } from '../../cli/demo/demo-settings';
import { clearOwnServers } from '../../cli/stack/own-servers';
import { anyFreePort } from '../../cli/stack/ports';
import { readPid } from '../../cli/stack/service-process';
import { describeProgram } from '../../cli/stack/service-programs';
import { type Stack, startStack } from '../../cli/stack/supervise';
import { untilAborted } from '../../cli/stop-signal';
import type { WireFleet } from '../../clouds/simulated/fleet-schema';
import { settingsTable } from '../../config/settings-table';
import { type Database, openDatabase } from '../../prisma/database';
import { processorSeconds } from './processes';

export const programs = ['api', 'worker', 'PostgreSQL', 'Temporal'] as const;
export type Program = (typeof programs)[number];

export interface MeasuredStack {
  /** The API's base address. */
  readonly api: string;
  readonly settings: Stack['settings'];
  readonly temporalAddress: string;
  readonly db: Database;
  readonly pids: Readonly<Record<Program, number>>;
}

export interface StackToMeasure {
  readonly fleet: WireFleet;
  /** Environment variables of the service, beside those of every measurement. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

const environment = async (dataDir: string, { fleet, settings }: StackToMeasure): Promise<NodeJS.ProcessEnv> => {
  const fleetFile = path.join(dataDir, 'fleet.json');
  await writeFile(fleetFile, JSON.stringify(fleet));
  return {
    ...withoutSettings(process.env),
    ...settings,
    [settingsTable.dataDir.name]: dataDir,
    [settingsTable.fleetFile.name]: fleetFile,
    [settingsTable.port.name]: String(await anyFreePort()),
    [settingsTable.logLevel.name]: 'warn',
  };
};

const known = (pid: number | undefined, program: Program): number => {
  if (pid === undefined) throw new Error(`the process of ${program} is not known: its pid file is gone`);
  return pid;
};

const findPids = async (dataDir: string, db: Database): Promise<MeasuredStack['pids']> => {
  const pidOf = (program: 'api' | 'worker') => readPid(describeProgram(program, { dataDir, env: {} }).pidFile);
  const [postmaster] = await db.$queryRaw<{ pid: number }[]>`
    SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int AS pid`;
  return {
    api: known(pidOf('api'), 'api'),
    worker: known(pidOf('worker'), 'worker'),
    PostgreSQL: known(postmaster?.pid, 'PostgreSQL'),
    Temporal: known(readPid(path.join(dataDir, 'temporal.db.pid')), 'Temporal'),
  };
};

const measureOn = async <T>({ addresses, settings }: Stack, measure: (on: MeasuredStack) => Promise<T>): Promise<T> => {
  const db = openDatabase({ url: addresses.databaseUrl, poolSize: 2 });
  try {
    const pids = await findPids(settings.dataDir, db);
    return await measure({ api: addresses.api, settings, temporalAddress: addresses.temporal, db, pids });
  } finally {
    await db.$disconnect();
  }
};

/** @throws the reason of the abort, at once, whatever the measurement is waiting for */
const unlessAborted = async <T>(signal: AbortSignal, result: Promise<T>): Promise<T> => {
  const aborted = untilAborted(signal).then(() => {
    throw signal.reason;
  });
  return await Promise.race([result, aborted]);
};

/** Starts the service, measures, and removes everything again, also when the measurement fails or is aborted. */
export const withStack = async <T>(request: StackToMeasure, measure: (on: MeasuredStack) => Promise<T>): Promise<T> => {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'));
  await chmod(dataDir, 0o755); // PostgreSQL may run as another user
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  try {
    const stack = await startStack({ env: await environment(dataDir, request), tell, signal: request.signal });
    try {
      return await unlessAborted(request.signal, measureOn(stack, measure));
    } finally {
      await stack.stop();
    }
  } finally {
    await clearOwnServers(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
};

export type Cores = Readonly<Record<Program | 'bench', number>>;

const secondsOf = async ({ pids }: MeasuredStack): Promise<Cores> => {
  const { user, system } = process.cpuUsage();
  const [api, worker, postgres, temporal] = await Promise.all(
    programs.map((program) => processorSeconds(pids[program])),
  );
  return {
    api: api ?? 0,
    worker: worker ?? 0,
    PostgreSQL: postgres ?? 0,
    Temporal: temporal ?? 0,
    bench: (user + system) / 1e6,
  };
};

/** The average number of processors that each process used between two calls; `bench` is this process. */
export const watchCores = async (stack: MeasuredStack): Promise<() => Promise<Cores>> => {
  const before = await secondsOf(stack);
  const startedMs = performance.now();
  return async () => {
    const now = await secondsOf(stack);
    const seconds = (performance.now() - startedMs) / 1000;
    const cores = (of: keyof Cores): number => (now[of] - before[of]) / seconds;
    return {
      api: cores('api'),
      worker: cores('worker'),
      PostgreSQL: cores('PostgreSQL'),
      Temporal: cores('Temporal'),
      bench: cores('bench'),
    };
  };
};
