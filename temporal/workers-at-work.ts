/** Finds the workers that ask Temporal for work. */
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { taskQueue } from './workflow-messages';

const { TASK_QUEUE_TYPE_WORKFLOW: taskQueueType } = temporal.api.enums.v1.TaskQueueType;

export interface AskingWorker {
  /** `PID@HOST`, as the SDK names it. */
  readonly identity: string;
  readonly silenceMs: number;
}

/** Temporal remembers for some minutes when each worker asked last. A worker without work asks again each minute. */
export const findAskingWorkers = async (client: Client, longestSilenceMs: number): Promise<AskingWorker[]> => {
  const { namespace } = client.options;
  const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType };
  const { pollers } = await client.workflowService.describeTaskQueue(request);
  return pollers
    .map(({ identity, lastAccessTime }) => ({
      identity: identity ?? '',
      silenceMs: Date.now() - Number(lastAccessTime?.seconds ?? 0) * 1_000,
    }))
    .filter(({ silenceMs }) => silenceMs < longestSilenceMs);
};

/** A worker shows a sign of life every few seconds. */
const longestSilenceSeconds = 12;

/**
 * Whether a worker is at work: one that has asked lately, and that is not silent by its signs of life. A worker
 * that has shown none yet counts by what Temporal says of it.
 */
export const isOneAtWork = (
  asking: readonly Pick<AskingWorker, 'identity'>[],
  signs: readonly { readonly identity: string; readonly silentSeconds: number }[],
): boolean => {
  const silence = new Map(signs.map(({ identity, silentSeconds }) => [identity, silentSeconds]));
  return asking.some(({ identity }) => (silence.get(identity) ?? 0) < longestSilenceSeconds);
};
