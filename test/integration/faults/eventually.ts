/** Looks until something is seen: where processes are killed, looking may fail for a while. */
import { setTimeout as pause } from 'node:timers/promises';

interface Patience {
  /** What is waited for, for the error. */
  readonly what: string;
  readonly withinMs: number;
  readonly pollMs?: number;
}

/** @throws Error when nothing was seen in time, with the last error as its cause */
export const eventually = async <T>(
  { what, withinMs, pollMs = 50 }: Patience,
  look: () => Promise<T | undefined>,
): Promise<T> => {
  const deadline = Date.now() + withinMs;
  let cause: unknown;
  while (Date.now() < deadline) {
    try {
      const seen = await look();
      if (seen !== undefined) return seen;
    } catch (error) {
      cause = error;
    }
    await pause(pollMs);
  }
  throw new Error(`not seen within ${withinMs} ms: ${what}`, { cause });
};
