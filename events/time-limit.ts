import { setTimeout as delay } from 'node:timers/promises';

/**
 * The outcome of the work, or an error once it has taken longer than the limit; the work itself goes on then.
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
