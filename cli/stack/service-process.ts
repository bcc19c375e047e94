/**
 * One process of the local stack: starts it with a log file and a pid file, waits until it is ready, and stops it
 * cleanly. It runs in its own process group, so that Ctrl-C reaches only the supervisor, which stops the stack in
 * order. It writes to its log file directly, so that it outlives a killed supervisor.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { isErrorWithCode } from './error-code';

export interface ProcessDescription {
  /** Its name for people, such as `PostgreSQL`. */
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly logFile: string;
  readonly pidFile: string;
  readonly env?: NodeJS.ProcessEnv;
  readonly cwd?: string;
  /** The user that the process runs as. Left out: the user of this process. */
  readonly user?: { readonly uid: number; readonly gid: number };
  /** The part of its command line by which a process from an earlier start is recognised as ours. */
  readonly mark: string;
  readonly stopSignal: NodeJS.Signals;
}

export interface ServiceProcess {
  readonly name: string;
  readonly pid: number;
  /** Resolves when the process has ended, with a description for people. */
  readonly ended: Promise<string>;
  readonly hasEnded: () => boolean;
  /** Asks it to stop, and kills it when it has not stopped after a while. */
  readonly stop: () => Promise<void>;
}

const stopGraceMs = 20_000;
const pollMs = 50;
const logTailLines = 15;

const isAlive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return isErrorWithCode(error, 'EPERM');
  }
};

const commandLineOf = async (pid: number): Promise<string> => {
  try {
    return (await promisify(execFile)('ps', ['-ww', '-o', 'args=', '-p', String(pid)])).stdout;
  } catch {
    return '';
  }
};

export const readPid = (pidFile: string): number | undefined => {
  try {
    const pid = Number.parseInt(readFileSync(pidFile, 'utf8'), 10);
    return pid > 1 ? pid : undefined;
  } catch {
    return undefined;
  }
};

const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch {
    // it has ended already
  }
};

const isGoneWithin = async (pid: number, timeoutMs: number): Promise<boolean> => {
  const deadline = Date.now() + timeoutMs;
  while (isAlive(pid)) {
    if (Date.now() > deadline) return false;
    await sleep(pollMs);
  }
  return true;
};

const endProcess = async (pid: number, stopSignal: NodeJS.Signals): Promise<void> => {
  signal(pid, stopSignal);
  if (await isGoneWithin(pid, stopGraceMs)) return;
  signal(pid, 'SIGKILL');
  await isGoneWithin(pid, stopGraceMs);
};

/** True when the process runs and is the intended one: another process may have the pid by now. */
export const isRunning = async (pid: number, mark: string): Promise<boolean> =>
  isAlive(pid) && (await commandLineOf(pid)).includes(mark);

export type LeftOverProcess = Pick<ProcessDescription, 'pidFile' | 'mark' | 'stopSignal'>;

/** Ends the process that an earlier, killed supervisor left running. */
export const endLeftOver = async ({ pidFile, mark, stopSignal }: LeftOverProcess): Promise<void> => {
  const pid = readPid(pidFile);
  if (pid !== undefined && (await isRunning(pid, mark))) await endProcess(pid, stopSignal);
};

const logTail = (logFile: string): string => {
  try {
    return readFileSync(logFile, 'utf8').trimEnd().split('\n').slice(-logTailLines).join('\n');
  } catch {
    return '(no log)';
  }
};

const endOf = (child: ChildProcess, name: string): Promise<string> =>
  new Promise((resolve) => {
    child.once('error', (error) => resolve(`${name} could not be started: ${error.message}`));
    child.once('exit', (code, by) => resolve(`${name} ended with ${by ?? `exit code ${String(code)}`}`));
  });

const spawnLogged = (description: ProcessDescription): ChildProcess => {
  const log = openSync(description.logFile, 'a');
  const child = spawn(description.command, description.args, {
    stdio: ['ignore', log, log],
    detached: true,
    ...(description.env === undefined ? {} : { env: description.env }),
    ...(description.cwd === undefined ? {} : { cwd: description.cwd }),
    ...description.user,
  });
  closeSync(log);
  return child;
};

/** Ends the process of an earlier start, then starts the process. */
export const startProcess = async (description: ProcessDescription): Promise<ServiceProcess> => {
  const { name, logFile, pidFile, stopSignal } = description;
  await mkdir(path.dirname(logFile), { recursive: true });
  await mkdir(path.dirname(pidFile), { recursive: true });
  await endLeftOver(description);
  const child = spawnLogged(description);
  let over = child.pid === undefined;
  const ended = endOf(child, name).finally(() => {
    over = true;
  });
  const { pid } = child;
  if (pid === undefined) throw new Error(await ended);
  writeFileSync(pidFile, `${String(pid)}\n`);
  const stop = async (): Promise<void> => {
    if (!over) await endProcess(pid, stopSignal);
    await ended;
    rmSync(pidFile, { force: true });
  };
  return { name, pid, ended, hasEnded: () => over, stop };
};

interface WaitUntilReady {
  readonly isReady: () => Promise<boolean>;
  readonly withinMs: number;
  readonly logFile: string;
  /** Ends the wait. Left out: nobody does. */
  readonly signal?: AbortSignal;
}

export const failedStart = (what: string, logFile: string): Error =>
  new Error(`${what}; the end of its log ${logFile}:\n${logTail(logFile)}`);

/**
 * Waits until the process does its work.
 * @throws Error with the end of its log, when it ends or is not ready in time; the process is stopped then. The reason
 * of the signal, when that is aborted; whoever aborts it stops the process
 */
export const waitUntilReady = async (service: ServiceProcess, readiness: WaitUntilReady): Promise<void> => {
  const { isReady, withinMs, logFile, signal } = readiness;
  const deadline = Date.now() + withinMs;
  while (!(await isReady())) {
    if (service.hasEnded()) throw failedStart(await service.ended, logFile);
    if (Date.now() > deadline) {
      await service.stop();
      throw failedStart(`${service.name} was not ready within ${String(withinMs / 1000)} seconds`, logFile);
    }
    await sleep(pollMs);
    signal?.throwIfAborted();
  }
};
