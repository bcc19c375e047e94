/**
 * The longest time for which the event loop of each api and worker stood still, by the gauge that each process exports
 * (`nodejs_eventloop_lag_max_seconds`). Each reading begins a new maximum, so none is missed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServiceProgram } from '../../cli/stack/service-programs';
import { readMetrics } from './read-metrics';

const everyMs = 2_000;

/** @throws Error where the text does not have the gauge */
export const longestBlockMs = (metrics: string): number => {
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(metrics)?.[1];
  if (seconds === undefined) throw new Error('the metrics have no nodejs_eventloop_lag_max_seconds');
  return Number(seconds) * 1000;
};

const readBlock = async (port: number): Promise<number | undefined> => {
  const metrics = await readMetrics(port);
  return metrics === undefined ? undefined : longestBlockMs(metrics);
};

export type LongestBlocks = Readonly<Record<ServiceProgram, number>>;

/** @returns a function that ends the watch, and tells the longest block of all processes of each program until then */
export const watchEventLoops = async (
  ports: Readonly<Record<ServiceProgram, readonly number[]>>,
): Promise<() => Promise<LongestBlocks>> => {
  const longest = { api: 0, worker: 0 };
  const look = async (): Promise<void> => {
    for (const program of ['api', 'worker'] as const) {
      const blocks = await Promise.all(ports[program].map(readBlock));
      longest[program] = Math.max(longest[program], ...blocks.map((block) => block ?? 0));
    }
  };
  await look();
  Object.assign(longest, { api: 0, worker: 0 }); // what the start of a process took is no part of it
  const stopping = new AbortController();
  const { signal } = stopping;
  const watching = (async (): Promise<void> => {
    while (!signal.aborted) {
      await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      await look();
    }
  })();
  return async () => {
    stopping.abort();
    await watching;
    return longest;
  };
};
