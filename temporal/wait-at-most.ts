import { setTimeout as pause } from 'node:timers/promises';

/** Waits until the work ends, but at most this long; the work goes on after that. The work must not reject. */
export const waitAtMost = async (underWay: Promise<void>, milliseconds: number): Promise<void> => {
  const waited = new AbortController();
  const limit = pause(milliseconds, undefined, { ref: false, signal: waited.signal }).catch(() => undefined);
  await Promise.race([underWay, limit]);
  waited.abort();
};
