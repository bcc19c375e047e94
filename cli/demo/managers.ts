/** The demo's managers: for each managed project a process of the demo VNFM, with its own log file. */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { packageRoot } from '../package-root';
import {
  endLeftOver,
  failedStart,
  type ProcessDescription,
  type ServiceProcess,
  startProcess,
} from '../stack/service-process';
import { descriptorFile, type ManagedProject, managedProjects, readDescriptor } from './projects';

interface ManagerSurroundings {
  readonly dataDir: string;
  readonly env: NodeJS.ProcessEnv;
  /** The API's base address. */
  readonly api: string;
}

export interface Managers {
  /** The lines that they have logged since the last call. */
  readonly news: () => string[];
  readonly stop: () => Promise<void>;
}

const readyMs = 30_000;
const pollMs = 100;

const describeManager = (project: ManagedProject, { dataDir, env, api }: ManagerSurroundings): ProcessDescription => {
  const descriptor = descriptorFile(project);
  return {
    name: `the manager of ${project}`,
    command: process.execPath,
    args: ['--enable-source-maps', path.join(packageRoot, 'dist/examples/vnfm/vnfm.js'), descriptor],
    env: { ...env, PARLEY_URL: api },
    logFile: path.join(dataDir, 'logs', `vnfm-${project}.log`),
    pidFile: path.join(dataDir, `vnfm-${project}.pid`),
    mark: descriptor,
    stopSignal: 'SIGTERM',
  };
};

/** Ends the managers that an earlier, killed demo left running. */
export const endLeftOverManagers = async (dataDir: string): Promise<void> => {
  for (const project of managedProjects) await endLeftOver(describeManager(project, { dataDir, env: {}, api: '' }));
};

const isStored = async (api: string, instanceId: string): Promise<boolean> => {
  const response = await fetch(`${api}/v1/instance/${instanceId}`);
  await response.text();
  return response.status === 200;
};

/** A manager stores its instances one after the other, and replies from then on. */
const untilConstraintsAreStored = async (project: ManagedProject, started: Started, api: string): Promise<void> => {
  const last = readDescriptor(project).instances.at(-1)?.instance_id ?? '';
  const deadline = Date.now() + readyMs;
  while (!(await isStored(api, last))) {
    if (started.process.hasEnded()) throw failedStart(await started.process.ended, started.logFile);
    if (Date.now() > deadline)
      throw failedStart(`${started.process.name} has not stored its constraints`, started.logFile);
    await sleep(pollMs);
  }
};

/** The whole lines that were added to a file since the last call. */
const followLines = (file: string): (() => string[]) => {
  let position = 0;
  let rest = '';
  const buffer = Buffer.alloc(65_536);
  return () => {
    if (!existsSync(file)) return [];
    const descriptor = openSync(file, 'r');
    const size = readSync(descriptor, buffer, 0, buffer.length, position);
    closeSync(descriptor);
    position += size;
    const lines = (rest + buffer.toString('utf8', 0, size)).split('\n');
    rest = lines.pop() ?? '';
    return lines;
  };
};

interface Started {
  readonly process: ServiceProcess;
  readonly logFile: string;
}

/**
 * Starts the managers and waits until each has stored its constraints.
 * @throws Error with the end of a manager's log, when it does not
 */
export const startManagers = async (surroundings: ManagerSurroundings): Promise<Managers> => {
  const started: Started[] = [];
  const stop = async (): Promise<void> => {
    await Promise.all(started.map(({ process }) => process.stop()));
  };
  try {
    for (const project of managedProjects) {
      const description = describeManager(project, surroundings);
      const manager = { process: await startProcess(description), logFile: description.logFile };
      started.push(manager);
      await untilConstraintsAreStored(project, manager, surroundings.api);
    }
  } catch (error) {
    await stop();
    throw error;
  }
  const followed = started.map(({ logFile }) => followLines(logFile));
  return { stop, news: () => followed.flatMap((lines) => lines()) };
};
