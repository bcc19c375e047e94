/** Further apis and workers beside those of the local stack, on the same databases. */
import path from 'node:path';
import { anyFreePort } from '../../cli/stack/ports';
import { type ServiceProcess, startProcess } from '../../cli/stack/service-process';
import { describeProgram, type ServiceProgram } from '../../cli/stack/service-programs';
import type { Stack } from '../../cli/stack/supervise';
import { settingsTable } from '../../config/settings-table';

export interface FurtherProgram {
  readonly program: ServiceProgram;
  readonly process: ServiceProcess;
  /** Undefined: it exports no metrics. */
  readonly metricsPort: number | undefined;
}

interface Further {
  readonly stack: Stack;
  readonly env: NodeJS.ProcessEnv;
  /** How many there are in all, with the one of the stack; left out: that one alone. */
  readonly count: Readonly<Partial<Record<ServiceProgram, number>>>;
}

const metricsPortSetting = {
  api: settingsTable.apiMetricsPort.name,
  worker: settingsTable.workerMetricsPort.name,
} as const;

const start = async (program: ServiceProgram, number: number, { stack, env }: Further): Promise<FurtherProgram> => {
  const { addresses, settings } = stack;
  const isMeasured = env[metricsPortSetting[program]] !== undefined;
  const metricsPort = isMeasured ? await anyFreePort() : undefined;
  const own = {
    ...env,
    DATABASE_URL: addresses.databaseUrl,
    PARLEY_TEMPORAL_ADDRESS: addresses.temporal,
    [settingsTable.port.name]: String(await anyFreePort()),
    // Reply URLs name it, whichever worker publishes the event; by default they name the process's own port.
    [settingsTable.baseUrl.name]: addresses.api,
    ...(isMeasured && { [metricsPortSetting[program]]: String(metricsPort) }),
  };
  const first = describeProgram(program, { dataDir: settings.dataDir, env: own });
  const name = `${program}-${number}`;
  const process = await startProcess({
    ...first,
    name,
    logFile: path.join(settings.dataDir, 'logs', `${name}.log`),
    pidFile: path.join(settings.dataDir, `${name}.pid`),
  });
  return { program, process, metricsPort };
};

/** @param started takes each as soon as it runs, so that it can be stopped when a later one does not start */
export const startFurther = async (further: Further, started: FurtherProgram[]): Promise<void> => {
  for (const program of ['api', 'worker'] as const) {
    for (let number = 2; number <= (further.count[program] ?? 1); number += 1) {
      started.push(await start(program, number, further));
    }
  }
};
