/** Waits for answers that come in useful, and goes on without those that take too long. */
import { setTimeout as pause } from 'node:timers/promises';

/** The work goes on after the limit. It rejects with the first error until then. */
export const waitAtMost = async (milliseconds: number, all: readonly Promise<void>[]): Promise<void> => {
  const over = new AbortController();
  const limit = pause(milliseconds, undefined, { signal: over.signal }).catch(() => undefined);
  try {
    await Promise.race([Promise.all(all), limit]);
  } finally {
    over.abort();
  }
};
