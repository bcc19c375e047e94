import { setTimeout as pause } from 'node:timers/promises';

/** Waits for the end of what is under way, at most this long; it goes on beside that. It must not reject. */
export const waitAtMost = async (underWay: Promise<void>, milliseconds: number): Promise<void> => {
  const waited = new AbortController();
  const limit = pause(milliseconds, undefined, { ref: false, signal: waited.signal }).catch(() => undefined);
  await Promise.race([underWay, limit]);
  waited.abort();
};
