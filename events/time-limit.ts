import { setTimeout as delay } from 'node:timers/promises';

/**
 * Returns the outcome of the work, or throws when the work takes longer than the limit. The work itself goes on in that
 * case.
 * @throws Error that names the work and the limit
 */
export const withinLimit = async <T>(limitMs: number, doing: string, work: Promise<T>): Promise<T> => {
  const over = new AbortController();
  const tooLong = delay(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(`${doing} took longer than ${limitMs} ms; it will be tried again`);
  });
  try {
    return await Promise.race([work, tooLong]);
  } finally {
    tooLong.catch(() => undefined); // an aborted timer rejects, and nobody else listens
    over.abort();
  }
};
