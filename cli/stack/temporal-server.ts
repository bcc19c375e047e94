/** Temporal's dev server of the local stack and of the tests, with its Web UI and its data in one SQLite file. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { Connection } from '@temporalio/client';
import { startOnFreePorts } from './one-start-at-a-time';
import { isListening } from './ports';
import {
  endLeftOver,
  type LeftOverProcess,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from './service-process';

export interface TemporalServerOptions {
  /** The path of the Temporal CLI; see temporal-program.ts. */
  readonly program: string;
  readonly databaseFile: string;
  readonly port: number;
  /** Left out: there is no Web UI. */
  readonly uiPort?: number;
  readonly namespace: string;
  readonly logFile: string;
}

export interface TemporalServer {
  readonly process: ServiceProcess;
  readonly address: string;
  readonly uiAddress?: string;
  readonly stop: () => Promise<void>;
}

const readyMs = 60_000;
const ip = '127.0.0.1';

/** Measured: with these settings a sequential step takes 35 ms instead of 83, and SQLite bears 4–5 times the load. */
const tuning = [
  ...['--sqlite-pragma', 'journal_mode=wal', '--sqlite-pragma', 'synchronous=normal'],
  ...['--dynamic-config-value', 'system.enableActivityEagerExecution=true'],
  ...['--dynamic-config-value', 'matching.numTaskqueueReadPartitions=1'],
  ...['--dynamic-config-value', 'matching.numTaskqueueWritePartitions=1'],
];

const serverArgs = ({ databaseFile, port, uiPort, namespace }: TemporalServerOptions): string[] => [
  ...['server', 'start-dev', '--ip', ip, '--port', String(port), '--namespace', namespace],
  ...['--db-filename', databaseFile, '--log-level', 'warn'],
  ...(uiPort === undefined ? ['--headless'] : ['--ui-ip', ip, '--ui-port', String(uiPort)]),
  ...tuning,
];

const servesNamespace = async (port: number, namespace: string): Promise<boolean> => {
  if (!(await isListening(port))) return false;
  try {
    const connection = await Connection.connect({ address: `${ip}:${String(port)}`, connectTimeout: 2_000 });
    try {
      await connection.workflowService.describeNamespace({ namespace });
      return true;
    } finally {
      await connection.close();
    }
  } catch {
    return false;
  }
};

const leftOverOn = (databaseFile: string): LeftOverProcess => ({
  pidFile: `${databaseFile}.pid`,
  mark: databaseFile,
  stopSignal: 'SIGTERM',
});

/** Ends a server that a killed process left on the file, so that its ports are free again. */
export const endLeftOverTemporalServer = (databaseFile: string): Promise<void> => endLeftOver(leftOverOn(databaseFile));

/**
 * Starts the server on the file, after ending one that a killed process left on it.
 * @throws PortTaken, or Error with the end of the server's log, when it does not serve the namespace in time
 */
export const startTemporalServer = async (options: TemporalServerOptions): Promise<TemporalServer> => {
  const { program, databaseFile, port, uiPort, namespace, logFile } = options;
  await mkdir(path.dirname(databaseFile), { recursive: true });
  await endLeftOverTemporalServer(databaseFile);
  const service = await startOnFreePorts(uiPort === undefined ? [port] : [port, uiPort], async () => {
    const mark = leftOverOn(databaseFile);
    const started = await startProcess({
      name: 'Temporal',
      command: program,
      args: serverArgs(options),
      logFile,
      ...mark,
    });
    await waitUntilReady(started, { isReady: () => servesNamespace(port, namespace), withinMs: readyMs, logFile });
    return started;
  });
  return {
    process: service,
    address: `${ip}:${String(port)}`,
    ...(uiPort === undefined ? {} : { uiAddress: `http://${ip}:${String(uiPort)}` }),
    stop: service.stop,
  };
};
