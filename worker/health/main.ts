/**
 * `node dist/worker/health/main.js` ends with 0 where a worker of this machine, or container, asks for work: its health
 * check. Temporal knows when each worker asked last; who waits for work asks again each minute.
 */
import { hostname } from 'node:os';
import { temporal } from '@temporalio/proto';
import { loadSettings } from '../../config/settings';
import { connectTemporal } from '../../control/connect';
import { taskQueue } from '../../workflows/messages';

const longestSilenceMs = 150_000;

const { TASK_QUEUE_TYPE_WORKFLOW: taskQueueType } = temporal.api.enums.v1.TaskQueueType;

/** The SDK names a worker `PID@HOST`. */
const isHere = ({ identity }: temporal.api.taskqueue.v1.IPollerInfo): boolean =>
  identity?.endsWith(`@${hostname()}`) === true;

const silenceMs = ({ lastAccessTime }: temporal.api.taskqueue.v1.IPollerInfo): number =>
  Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000;

const main = async (): Promise<void> => {
  const { client, close } = await connectTemporal(loadSettings(process.env));
  const { namespace } = client.options;
  const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType };
  const { pollers } = await client.workflowService.describeTaskQueue(request);
  await close();
  const asksForWork = pollers.filter(isHere).some((poller) => silenceMs(poller) < longestSilenceMs);
  if (!asksForWork) throw new Error(`no worker of ${hostname()} asks for work on the task queue ${taskQueue}`);
};

main().catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
