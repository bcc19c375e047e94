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

export interface SearchForWorker {
  readonly signs: readonly SignOfLife[];
  readonly withinSeconds: number;
  /** Finds those that ask for work now (`findAskingWorkers`). */
  readonly look: () => Promise<readonly AskingWorker[]>;
  /** Waits for as long as a worker is silent at most. */
  readonly wait: () => Promise<unknown>;
}

/**
 * A worker that was at work within these seconds, by its signs of life. A worker that has left none in this database is
 * found by two looks, between which it asks again: Temporal's clock has made both times. Undefined where there is none.
 */
export const findWorkerAtWork = async (search: SearchForWorker): Promise<string | undefined> => {
  const { signs, withinSeconds, look, wait } = search;
  const known = new Set(signs.map(({ identity }) => identity));
  const lookForStrangers = async () => (await look()).filter(({ identity }) => !known.has(identity));
  const alive = signs.find(({ silentSeconds }) => silentSeconds < withinSeconds);
  if (alive !== undefined) return alive.identity;
  const earlier = new Map((await lookForStrangers()).map(({ identity, askedAt }) => [identity, askedAt.getTime()]));
  if (earlier.size === 0) return undefined;
  await wait();
  const later = await lookForStrangers();
  return later.find(({ identity, askedAt }) => earlier.get(identity) !== askedAt.getTime())?.identity;
};
