import { setTimeout as delay } from 'node:timers/promises';

/** Bounds work that is tried again. @throws Error that names the work and the limit */
export const withinLimit = <T>(limitMs: number, doing: string, work: Promise<T>): Promise<T> =>
  unlessTooLong(work, { limitMs, tooLong: `${doing} took longer than ${limitMs} ms; it will be tried again` });

/**
 * Returns the outcome of the work. If the work takes longer than the limit, it goes on, but nobody waits for it.
 *
 * @throws Error with the words in `tooLong`, at the limit
 */
export const unlessTooLong = async <T>(
  work: Promise<T>,
  { limitMs, tooLong }: { readonly limitMs: number; readonly tooLong: string },
): Promise<T> => {
  const over = new AbortController();
  const limit = delay(limitMs, undefined, { signal: over.signal }).then(() => {
    throw new Error(tooLong);
  });
  try {
    return await Promise.race([work, limit]);
  } finally {
    limit.catch(() => undefined); // an aborted timer rejects, and nobody else listens
    over.abort();
  }
};
