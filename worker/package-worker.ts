/**
 * A Temporal worker for the workflow that a package brought. It has the package's bundle, no activities, and its own
 * process (package-process.mjs), which receives none of the service's settings.
 */
import { type ChildProcess, fork } from 'node:child_process';
import type { WorkflowBundleOption } from '@temporalio/worker';
import type { Logger } from 'pino';
import { findProgram } from '../plugins/actions/find-program';
import { createLastLines } from '../plugins/actions/last-lines';
import { readWorkflowFiles } from '../plugins/downloads/workflow-files';
import { readEndpoint, type TemporalAccess, type TemporalEndpoint } from '../temporal/temporal-access';
import { watchEndpoint } from '../temporal/watch-endpoint';
import { codeOf, withPackage } from './package-bundle';

export interface PackageWorkerParts extends TemporalAccess {
  readonly namespace: string;
  readonly taskQueue: string;
  /** The bundle of the service's own workflows. */
  readonly workflowBundle: WorkflowBundleOption;
  /** The folder of the session's files. */
  readonly folder: string;
  /** The module of the workflow, by its path within the folder. */
  readonly module: string;
  readonly logger: Logger;
}

export interface PackageWorker {
  /** Resolves when its process has ended for any reason, with a description of the end. */
  readonly ended: Promise<string>;
  /** Tells the process to end, and waits until it has. */
  stop(): Promise<void>;
}

/**
 * @returns when the process serves its task queue
 * @throws DownloadRefused when the package cannot be bundled, Error when the process does not start
 */
export const startPackageWorker = async (parts: PackageWorkerParts): Promise<PackageWorker> => {
  const { namespace, taskQueue, workflowBundle, folder, module } = parts;
  const entry = module.replace(/^workflow\//, '');
  const code = withPackage(await codeOf(workflowBundle), { entry, files: await readWorkflowFiles(folder) });
  const process = startProcess();
  const lines = logOutput(process, parts.logger);
  const ended = endOf(process);
  const isReady = new Promise<'ready'>((resolve) => process.once('message', () => resolve('ready')));
  const endpoint = await readEndpoint(parts);
  process.send({ endpoint, namespace, taskQueue, code }, () => undefined);
  const endWatch = watchEndpoint({ access: parts, first: endpoint, take: (changed) => passOn(process, changed) });
  void ended.then(endWatch);
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

/** The process cannot read the files of the settings. */
const passOn = async (process: ChildProcess, endpoint: TemporalEndpoint): Promise<void> => {
  await new Promise<void>((resolve, reject) => {
    process.send({ endpoint }, (error) => (error === null ? resolve() : reject(error)));
  });
};

/**
 * Starts the process in its own process group: a terminal that ends the worker must leave it to the worker to end this
 * process.
 */
const startProcess = (): ChildProcess =>
  fork(findProgram('package-process.mjs', __dirname, '../../worker'), [], {
    env: { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8' },
    execArgv: [],
    detached: true,
    // Certificates are bytes.
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
