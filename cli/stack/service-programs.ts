/** The API and a worker of the local stack, and the wait until a session could run. */
import path from 'node:path';
import type { Settings } from '../../config/settings';
import { packageRoot } from '../package-root';
import { startOneAtATime } from './one-start-at-a-time';
import { isListening } from './ports';
import {
  endLeftOver,
  failedStart,
  type ProcessDescription,
  type ServiceProcess,
  startProcess,
  waitUntilReady,
} from './service-process';

const readyMs = 120_000;

export type ServiceProgram = 'api' | 'worker';

/** @param env settings of the program, its databases among them */
export const describeProgram = (
  program: ServiceProgram,
  { dataDir, env }: { dataDir: string; env: NodeJS.ProcessEnv },
): ProcessDescription => {
  const script = path.join(packageRoot, 'dist', program, 'main.js');
  return {
    name: program,
    command: process.execPath,
    args: ['--enable-source-maps', script],
    env,
    logFile: path.join(dataDir, 'logs', `${program}.log`),
    pidFile: path.join(dataDir, `${program}.pid`),
    mark: script,
    stopSignal: 'SIGTERM',
  };
};

/** Ends the programs of an earlier supervisor before their databases are stopped. */
export const endLeftOverPrograms = async (dataDir: string): Promise<void> => {
  for (const program of ['worker', 'api'] as const) await endLeftOver(describeProgram(program, { dataDir, env: {} }));
};

const anyAddress = ['0.0.0.0', '::'];

const reachableHost = ({ host }: Settings): string => (anyAddress.includes(host) ? '127.0.0.1' : host);

/** The API's address on this machine, whatever address projects use. */
const localApi = (settings: Settings): string => {
  const host = reachableHost(settings);
  return `http://${host.includes(':') ? `[${host}]` : host}:${String(settings.port)}`;
};

/**
 * Another service on this port would answer in the API's place, and look like it.
 * @throws Error that says what would help
 */
export const assertApiPortFree = async (settings: Settings): Promise<void> => {
  if (!(await isListening(settings.port, reachableHost(settings)))) return;
  throw new Error(
    `port ${String(settings.port)} of the API is taken: stop what listens there, or name another port in PARLEY_PORT`,
  );
};

/**
 * No other stack starts a server on this machine in the meantime: since the port was seen free, databases have started,
 * and what answers on it now would be taken for the API.
 * @param start resolves when the API answers
 * @throws Error that says what would help, where the port is taken
 */
export const startApiAlone = <T>(settings: Settings, start: () => Promise<T>): Promise<T> =>
  startOneAtATime(async () => {
    await assertApiPortFree(settings);
    return await start();
  });

const isReady = async (url: string, signal: AbortSignal): Promise<boolean> => {
  try {
    return (await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]) })).status === 200;
  } catch {
    return false;
  }
};

export interface StartedProgram {
  readonly process: ServiceProcess;
  readonly logFile: string;
  readonly startAgain: () => Promise<ServiceProcess>;
}

/** Starts the program without waiting until it is ready. */
export const startProgram = async (description: ProcessDescription): Promise<StartedProgram> => {
  const startAgain = (): Promise<ServiceProcess> => startProcess(description);
  return { process: await startAgain(), logFile: description.logFile, startAgain };
};

const endsTooSoon = async ({ process, logFile }: StartedProgram): Promise<never> => {
  throw failedStart(await process.ended, logFile);
};

interface Programs {
  readonly api: StartedProgram;
  readonly worker: StartedProgram;
}

/**
 * Waits until `/readyz` answers 200: the API runs, and so does everything that a session needs.
 * @throws Error with the end of its log, when a program ends or is not ready in time; the reason of the signal
 */
export const waitUntilServing = async (
  { api, worker }: Programs,
  settings: Settings,
  signal: AbortSignal,
): Promise<void> => {
  const url = `${localApi(settings)}/readyz`;
  const serving = waitUntilReady(api.process, {
    isReady: () => isReady(url, signal),
    withinMs: readyMs,
    logFile: api.logFile,
    signal,
  });
  await Promise.race([serving, endsTooSoon(worker)]);
};
