/** Worker processes in place of the rig's own worker, each of which is killed with -9. */
import path from 'node:path';
import { startProcess } from '../../../cli/stack/service-process';
import { taskQueue } from '../../../temporal/workflow-messages';
import { environmentOfRun } from '../../run/environment-of-run';
import { eventually } from '../../waiting/eventually';
import { fileFolder } from '../setup/file-folder';
import { testServices } from '../setup/services';
import type { Rig } from './rig';
import { rigEnvironment } from './rig-settings';

export interface WorkerToKill {
  /** Returns when it is dead. */
  kill(): Promise<void>;
}

/**
 * Returns when the process asks for work.
 *
 * @param environment as the rig's
 */
export const startWorkerToKill = async (
  { client, settings }: Rig,
  environment: Readonly<Record<string, string>>,
): Promise<WorkerToKill> => {
  const { databaseUrl, temporalAddress, temporalNamespace: namespace } = settings;
  const folder = fileFolder();
  const { pid, ended } = await startProcess({
    name: 'worker to kill',
    command: process.execPath,
    args: [
      ...['--require', path.join(__dirname, '../../run/run-typescript.cjs')],
      ...[path.join(__dirname, 'worker-to-kill.ts'), testServices().workflowBundle],
    ],
    env: {
      ...environmentOfRun(),
      ...rigEnvironment({ databaseUrl, temporalAddress, namespace }, environment),
    },
    logFile: path.join(folder, 'worker-to-kill.log'),
    pidFile: path.join(folder, 'worker-to-kill.pid'),
    mark: folder,
    stopSignal: 'SIGTERM',
  });
  await eventually('the worker process asks for work', async () => {
    const { pollers } = await client.workflowService.describeTaskQueue({ namespace, taskQueue: { name: taskQueue } });
    return pollers.some(({ identity = '' }) => identity?.startsWith(`${pid}@`)) || undefined;
  });
  return {
    async kill() {
      process.kill(pid, 'SIGKILL');
      await ended;
    },
  };
};
