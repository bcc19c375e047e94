/** When to look at the facts again if nothing happens before. */

/** Every wait looks again after this time, so that a lost wake-up costs time and nothing else. Milliseconds. */
export const longestWaitMs = 60_000;
/** While a host is starting: nobody tells when it is up. Milliseconds. */
export const whileStartingMs = 5_000;
/** Two looks lie at least this far apart. Milliseconds. */
const shortestWaitMs = 50;

/** The shortest of these times, in milliseconds, within what is sensible for a timer. */
export function untilNextLook(remainingMs: Iterable<number>): number {
  let nextMs = longestWaitMs;
  for (const oneMs of remainingMs) nextMs = Math.min(nextMs, oneMs);
  return Math.max(shortestWaitMs, nextMs);
}
