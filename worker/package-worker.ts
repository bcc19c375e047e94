/**
 * A Temporal worker for the workflow that a package has brought: it has the package's bundle and no activities, and a
 * process of its own (package-process.mjs), which gets nothing of the service's settings.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { readEndpoint, type TemporalAccess } from '../control/temporal-access';
import { readWorkflowFiles } from '../downloads/workflow-files';
import { findProgram } from '../plugins/actions/find-program';
import { createLastLines } from '../plugins/actions/last-lines';
import { codeOf, withPackage } from './package-bundle';

export interface PackageWorkerParts extends TemporalAccess {
  readonly namespace: string;
  readonly taskQueue: string;
  /** The service's own workflows. */
  readonly workflowBundle: WorkflowBundleOption;
  /** The session's files. */
  readonly folder: string;
  /** The workflow's own module, by its path within the folder. */
  readonly module: string;
  readonly logger: Logger;
}

export interface PackageWorker {
  /** When its process has ended, however; says how. */
  readonly ended: Promise<string>;
  /** Tells it to end, and waits until it has. */
  stop(): Promise<void>;
}

/**
 * @returns when it serves its task queue
 * @throws DownloadRefused where the package cannot be bundled, Error where the process does not come up
 */
export const startPackageWorker = async (parts: PackageWorkerParts): Promise<PackageWorker> => {
  const { namespace, taskQueue, workflowBundle, folder, module } = parts;
  const entry = module.replace(/^workflow\//, '');
  const code = withPackage(await codeOf(workflowBundle), { entry, files: await readWorkflowFiles(folder) });
  const process = startProcess();
  const lines = logOutput(process, parts.logger);
  const ended = endOf(process);
  const isReady = new Promise<'ready'>((resolve) => process.once('message', () => resolve('ready')));
  process.send({ endpoint: await readEndpoint(parts), namespace, taskQueue, code }, () => undefined);
  const first = await Promise.race([isReady, ended]);
  if (first !== 'ready') throw new Error(`the process for the workflow of ${folder} ${first}: ${lines.text()}`);
  return {
    ended,
    async stop() {
      if (process.connected) process.disconnect();
      await ended;
    },
  };
};

/** Of a process group of its own: what ends the worker from a terminal lets it end this one in turn. */
const startProcess = (): ChildProcess =>
  fork(findProgram('package-process.mjs', __dirname, '../../worker'), [], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    execArgv: [],
    detached: true,
    // Certificates arrive as bytes.
    serialization: 'advanced',
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });

const logOutput = ({ stdout, stderr }: ChildProcess, logger: Logger) => {
  const lines = createLastLines((line) => logger.warn(line));
  for (const output of [stdout, stderr]) {
    const stream = lines.openStream();
    output?.setEncoding('utf8');
    output?.on('data', (piece: string) => stream.take(piece));
    output?.on('close', () => stream.end());
  }
  return lines;
};

const endOf = (process: ChildProcess): Promise<string> =>
  new Promise((resolve) => {
    process.on('error', (error) => resolve(`could not be started: ${error.message}`));
    process.on('exit', (code, signal) =>
      resolve(signal === null ? `ended with exit code ${code}` : `was ended by ${signal}`),
    );
  });
