/** Finds the workers that ask Temporal for work. */
import type { Client } from '@temporalio/client';
import { temporal } from '@temporalio/proto';
import { taskQueue } from './workflow-messages';

const { TASK_QUEUE_TYPE_WORKFLOW: taskQueueType } = temporal.api.enums.v1.TaskQueueType;

export interface AskingWorker {
  /** `PID@HOST`, as the SDK names it. */
  readonly identity: string;
  /** When it asked last, by Temporal's clock, which may differ from others. */
  readonly askedAt: Date;
}

/** Temporal remembers for five minutes who has asked. A worker without work asks again each minute. */
export const findAskingWorkers = async (client: Client): Promise<AskingWorker[]> => {
  const { namespace } = client.options;
  const request = { namespace, taskQueue: { name: taskQueue }, taskQueueType };
  const { pollers } = await client.workflowService.describeTaskQueue(request);
  return pollers.map(({ identity, lastAccessTime }) => ({
    identity: identity ?? '',
    askedAt: new Date(Number(lastAccessTime?.seconds ?? 0) * 1_000),
  }));
};

/** A worker shows a sign of life every few seconds. */
const longestSilenceSeconds = 12;

interface SignOfLife {
  readonly identity: string;
  /** By the clock of the database, which has also written the sign: no clock of another process counts. */
  readonly silentSeconds: number;
}

/**
 * The workers at work: those that have asked Temporal in the last minutes, and that are not silent by their signs of
 * life. Where no signs can be read, what Temporal says counts alone.
 */
export const workersAtWork = <T extends Pick<AskingWorker, 'identity'>>(
  asking: readonly T[],
  signs: readonly SignOfLife[] | undefined,
  mostSilentSeconds = longestSilenceSeconds,
): T[] => {
  if (signs === undefined) return [...asking];
  const silence = new Map(signs.map(({ identity, silentSeconds }) => [identity, silentSeconds]));
  return asking.filter(({ identity }) => (silence.get(identity) ?? Infinity) < mostSilentSeconds);
};

/**
 * A worker that was at work within these seconds: by its signs of life, or, where it has left none in this database, by
 * Temporal's clock and ours. Undefined where there is none.
 */
export const findWorkerAtWork = (
  asking: readonly AskingWorker[],
  signs: readonly SignOfLife[],
  withinSeconds: number,
): string | undefined => {
  const known = new Set(signs.map(({ identity }) => identity));
  const sinceMs = Date.now() - withinSeconds * 1_000;
  const stranger = asking.find(({ identity, askedAt }) => !known.has(identity) && askedAt.getTime() > sinceMs);
  return (signs.find(({ silentSeconds }) => silentSeconds < withinSeconds) ?? stranger)?.identity;
};
