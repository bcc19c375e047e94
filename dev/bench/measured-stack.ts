/**
 * The whole service for a measurement: its own PostgreSQL, Temporal, apis and workers, in a folder that is removed at
 * the end.
 */
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { withoutSettings } from '../../cli/demo/demo-settings';
import { clearOwnServers } from '../../cli/stack/own-servers';
import { anyFreePort } from '../../cli/stack/ports';
import { readPid } from '../../cli/stack/service-process';
import { describeProgram, type ServiceProgram } from '../../cli/stack/service-programs';
import { type Stack, startStack } from '../../cli/stack/supervise';
import { untilAborted } from '../../cli/stop-signal';
import type { WireFleet } from '../../clouds/simulated/fleet-schema';
import { settingsTable } from '../../config/settings-table';
import { type Database, openDatabase } from '../../prisma/database';
import { type FurtherProgram, startFurther } from './further-programs';
import { sum } from './percentile';
import { processorSeconds } from './processes';
import { startTemporalForBench, type TemporalForBench } from './temporal-for-bench';

/** Temporal includes the PostgreSQL of its own, which the server of deployments has. */
export const programs = ['api', 'worker', 'PostgreSQL', 'Temporal'] as const;
export type Program = (typeof programs)[number];

export interface MeasuredStack {
  /** The API's base address. */
  readonly api: string;
  readonly settings: Stack['settings'];
  readonly temporalAddress: string;
  readonly db: Database;
  /** The processes of each program. */
  readonly pids: Readonly<Record<Program, readonly number[]>>;
  /** Those that run beside the first api and the first worker. */
  readonly further: readonly FurtherProgram[];
  /** The ports on which the processes of each program export their metrics; none: these are not watched. */
  readonly metricsPorts: Readonly<Record<ServiceProgram, readonly number[]>>;
}

export interface StackToMeasure {
  /** Left out: the settings name another cloud. */
  readonly fleet?: WireFleet;
  /** Environment variables of the service, beside those of every measurement. */
  readonly settings: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
  /** Left out: the development server. `server`: the one of deployments, on a PostgreSQL of its own. */
  readonly temporal?: 'development' | 'server';
  /** How many processes of each there are; left out: one. */
  readonly count?: Readonly<Partial<Record<ServiceProgram, number>>>;
  /** Lets the processes export their metrics, which costs the workers a little. */
  readonly withMetrics?: boolean;
}

const environment = async (
  dataDir: string,
  { fleet, settings, withMetrics }: StackToMeasure,
): Promise<NodeJS.ProcessEnv> => {
  const fleetFile = path.join(dataDir, 'fleet.json');
  if (fleet !== undefined) await writeFile(fleetFile, JSON.stringify(fleet));
  return {
    ...withoutSettings(process.env),
    ...settings,
    [settingsTable.dataDir.name]: dataDir,
    ...(fleet !== undefined && { [settingsTable.fleetFile.name]: fleetFile }),
    [settingsTable.port.name]: String(await anyFreePort()),
    [settingsTable.logLevel.name]: 'warn',
    ...(withMetrics && {
      [settingsTable.apiMetricsPort.name]: String(await anyFreePort()),
      [settingsTable.workerMetricsPort.name]: String(await anyFreePort()),
    }),
  };
};

const known = (pid: number | undefined, program: Program): number => {
  if (pid === undefined) throw new Error(`the process of ${program} is not known: its pid file is gone`);
  return pid;
};

interface Beside {
  readonly further: readonly FurtherProgram[];
  readonly temporal: TemporalForBench | undefined;
}

const findPids = async (dataDir: string, db: Database, beside: Beside): Promise<MeasuredStack['pids']> => {
  const pidsOf = (program: ServiceProgram): number[] => [
    known(readPid(describeProgram(program, { dataDir, env: {} }).pidFile), program),
    ...beside.further.filter((one) => one.program === program).map(({ process }) => process.pid),
  ];
  const [postmaster] = await db.$queryRaw<{ pid: number }[]>`
    SELECT split_part(pg_read_file('postmaster.pid'), E'\n', 1)::int AS pid`;
  return {
    api: pidsOf('api'),
    worker: pidsOf('worker'),
    PostgreSQL: [known(postmaster?.pid, 'PostgreSQL')],
    Temporal: beside.temporal?.pids ?? [known(readPid(path.join(dataDir, 'temporal.db.pid')), 'Temporal')],
  };
};

const portsOf = (
  { apiMetricsPort, workerMetricsPort }: Stack['settings'],
  further: readonly FurtherProgram[],
): MeasuredStack['metricsPorts'] => {
  const portsOfProgram = (program: ServiceProgram, first: number | undefined): number[] =>
    [first, ...further.filter((one) => one.program === program).map(({ metricsPort }) => metricsPort)].filter(
      (port) => port !== undefined,
    );
  return { api: portsOfProgram('api', apiMetricsPort), worker: portsOfProgram('worker', workerMetricsPort) };
};

const measureOn = async <T>(
  { addresses, settings }: Stack,
  beside: Beside,
  measure: (on: MeasuredStack) => Promise<T>,
): Promise<T> => {
  const db = openDatabase({ url: addresses.databaseUrl, poolSize: 2 });
  try {
    const pids = await findPids(settings.dataDir, db, beside);
    const { further } = beside;
    const metricsPorts = portsOf(settings, further);
    const { api, temporal: temporalAddress } = addresses;
    return await measure({ api, settings, temporalAddress, db, pids, further, metricsPorts });
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
  const { signal } = request;
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'parley-bench-'));
  await chmod(dataDir, 0o755); // PostgreSQL may run as another user
  const tell = (line: string): void => void process.stderr.write(`${line}\n`);
  let temporal: TemporalForBench | undefined;
  try {
    if (request.temporal === 'server') temporal = await startTemporalForBench(path.join(dataDir, 'temporal-server'));
    const env = { ...(await environment(dataDir, request)), ...temporal?.environment };
    const stack = await startStack({ env, tell, signal });
    const further: FurtherProgram[] = [];
    try {
      await startFurther({ stack, env, count: request.count ?? {} }, further);
      return await unlessAborted(signal, measureOn(stack, { further, temporal }, measure));
    } finally {
      await Promise.allSettled(further.map(({ process }) => process.stop()));
      await stack.stop();
    }
  } finally {
    await temporal?.stop();
    await clearOwnServers(dataDir);
    await rm(dataDir, { recursive: true, force: true });
  }
};

export type Cores = Readonly<Record<Program | 'bench', number>>;

/** A process that was killed counts no more. */
const secondsOf = async ({ pids }: MeasuredStack): Promise<Cores> => {
  const { user, system } = process.cpuUsage();
  const [api, worker, postgres, temporal] = await Promise.all(
    programs.map(async (program) =>
      sum(await Promise.all(pids[program].map((pid) => processorSeconds(pid).catch(() => 0)))),
    ),
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
