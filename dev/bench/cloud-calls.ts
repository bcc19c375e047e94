/** The calls of the cloud driver that the workers made, by operation, from the metrics that they export. */
import { readMetrics } from './read-metrics';

export type CloudCalls = ReadonlyMap<string, number>;

const countLine = /^parley_cloud_call_duration_seconds_count\{(?<labels>[^}]*)\} (?<count>\S+)$/gm;

/** @param texts the metrics of each process */
export const cloudCallsIn = (texts: readonly string[]): CloudCalls => {
  const calls = new Map<string, number>();
  for (const { groups } of texts.flatMap((text) => [...text.matchAll(countLine)])) {
    const operation = /operation="([^"]*)"/.exec(groups?.['labels'] ?? '')?.[1] ?? '';
    calls.set(operation, (calls.get(operation) ?? 0) + Number(groups?.['count'] ?? 0));
  }
  return calls;
};

/** Those of a worker that was killed are not among them. */
export const countCloudCalls = async (workerPorts: readonly number[]): Promise<CloudCalls> => {
  const texts = await Promise.all(workerPorts.map(readMetrics));
  return cloudCallsIn(texts.filter((text) => text !== undefined));
};
