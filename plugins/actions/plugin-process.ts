/**
 * Runs downloaded code in its own process (keeper.mjs). The process group is ended as a whole, and its environment
 * contains none of the service's settings.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { homedir } from 'node:os';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { ActionPluginFailure, type ActionPluginRun } from './action-plugin';
import { findProgram } from './find-program';
import { createLastLines, type LineStream } from './last-lines';

export interface PluginCode {
  readonly kind: 'script' | 'module';
  /** The path within the session's files. */
  readonly file: string;
}

export type DownloadedRun = ActionPluginRun & { readonly directory: string };

/** The time between SIGTERM and SIGKILL. */
const usualGraceMs = 5_000;
/** A process that left the group may hold the output open. The worker does not wait for it. */
const outputMs = 1_000;

/**
 * @returns the state that the plug-in reports, or else its last lines
 * @throws ActionPluginFailure with the reason and its last lines, also when `signal` ended it
 */
export const runPluginProcess = async (
  code: PluginCode,
  run: DownloadedRun,
  { graceMs = usualGraceMs } = {},
): Promise<{ state: string | null }> => {
  const keeper = startKeeper(run);
  const lines = createLastLines(run.log);
  const streams = [lines.openStream(), lines.openStream()] as const;
  const output = Promise.all([readOutput(keeper.stdout, streams[0]), readOutput(keeper.stderr, streams[1])]);
  const ended = endOf(keeper);
  const stop = endOnAbort(keeper, run.signal, graceMs);
  keeper.send(orderFor(code, run), () => undefined);
  const end = await ended;
  stop();
  signalGroup(keeper, 'SIGKILL'); // processes that a script left running end with it
  await within(outputMs, output);
  for (const stream of streams) stream.end();
  if ('failure' in end)
    throw new ActionPluginFailure([end.failure, lines.text()].filter((text) => text !== '').join(': '));
  return { state: end.state ?? (lines.text() || null) };
};

type ProgramEnd = { readonly state: string | null } | { readonly failure: string };

const startKeeper = (run: DownloadedRun): ChildProcess =>
  fork(findProgram('keeper.mjs', __dirname, '../../../plugins/actions'), [], {
    cwd: path.join(run.directory, 'actions'),
    env: environmentOf(run),
    execArgv: [],
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });

/** The environment of a script. Its names differ from those of the service's settings, and it contains none of them. */
const environmentOf = (run: DownloadedRun): Record<string, string> => ({
  PATH: `/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:${path.dirname(process.execPath)}`,
  HOME: homedir(),
  LANG: 'C.UTF-8',
  MAINTENANCE_SESSION_ID: run.session.id,
  MAINTENANCE_WORKFLOW: run.session.workflow,
  MAINTENANCE_STATE: run.session.state,
  MAINTENANCE_HOST: run.host?.name ?? '',
  MAINTENANCE_HOST_TYPE: run.host?.type ?? '',
  MAINTENANCE_METADATA: JSON.stringify(run.metadata),
  MAINTENANCE_DIRECTORY: run.directory,
  MAINTENANCE_EARLIER_ATTEMPTS: String(run.earlierAttempts),
});

const orderFor = ({ kind, file }: PluginCode, { session, host, metadata, directory, ...run }: DownloadedRun) => {
  const { earlierAttempts, maintenanceSeconds } = run;
  return { kind, file, run: { session, host, metadata, directory, earlierAttempts, maintenanceSeconds } };
};

/** The keeper's report, or else how the keeper ended. */
const endOf = (keeper: ChildProcess): Promise<ProgramEnd> =>
  new Promise((resolve) => {
    let told: ProgramEnd | undefined;
    keeper.on('message', (message) => {
      told ??= parseEnd(message);
    });
    keeper.on('error', (error) => resolve({ failure: `cannot be started: ${error.message}` }));
    keeper.on('exit', (code, signal) => {
      const how = signal === null ? `exit code ${String(code)}` : signal;
      const conclude = () => resolve(told ?? { failure: `ended without a result (${how})` });
      // The keeper's last message may still be on its way; the channel closes after it.
      if (keeper.connected) keeper.once('disconnect', conclude);
      else conclude();
    });
  });

const parseEnd = (message: unknown): ProgramEnd => {
  if (typeof message === 'object' && message !== null) {
    if ('failure' in message && typeof message.failure === 'string') return { failure: message.failure };
    if ('state' in message && typeof message.state === 'string') return { state: message.state };
  }
  return { state: null };
};

const signalGroup = ({ pid }: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void => {
  if (pid === undefined) return;
  try {
    process.kill(-pid, signal);
  } catch {
    // The group has ended already.
  }
};

/** @returns a function to call when the process has ended */
const endOnAbort = (keeper: ChildProcess, signal: AbortSignal, graceMs: number): (() => void) => {
  let kill: NodeJS.Timeout | undefined;
  const end = () => {
    signalGroup(keeper, 'SIGTERM');
    kill = setTimeout(() => signalGroup(keeper, 'SIGKILL'), graceMs);
  };
  if (signal.aborted) end();
  else signal.addEventListener('abort', end, { once: true });
  return () => {
    clearTimeout(kill);
    signal.removeEventListener('abort', end);
  };
};

const readOutput = async (stream: Readable | null, lines: LineStream): Promise<void> => {
  if (stream === null) return;
  stream.setEncoding('utf8');
  stream.on('data', (piece: string) => lines.take(piece));
  await new Promise((resolve) => stream.once('close', resolve));
};

const within = async (milliseconds: number, work: Promise<unknown>): Promise<void> => {
  let timer: NodeJS.Timeout | undefined;
  const timeUp = new Promise((resolve) => {
    timer = setTimeout(resolve, milliseconds);
  });
  await Promise.race([work, timeUp]);
  clearTimeout(timer);
};
