/** The time until the next look at the facts if nothing happens before. */

/** Every wait looks again after this time, in milliseconds, so that a lost wake-up costs time and nothing else. */
export const longestWaitMs = 60_000;
/** The interval, in milliseconds, while a host is starting: nobody tells when it is up. */
export const whileStartingMs = 5_000;
/** The interval, in milliseconds, while members of a group are made again: nobody tells when they serve. */
export const whileAwayMs = 1_000;
/** The interval, in milliseconds, while instances wait on a host under work: nobody tells when others take one away. */
export const whileWaitingMs = 5_000;
/** The minimum time between two looks, in milliseconds. */
const shortestWaitMs = 50;

/** The time until something that waits for the cloud is tried again: soon at first, then every ten seconds. */
export const untilTriedAgainMs = (waitsForMs: number): number => Math.min(10_000, Math.max(1_000, waitsForMs / 2));

/** The shortest of these times, in milliseconds, within sensible limits for a timer. */
export const untilNextLook = (remainingMs: Iterable<number>): number => {
  let nextMs = longestWaitMs;
  for (const oneMs of remainingMs) nextMs = Math.min(nextMs, oneMs);
  return Math.max(shortestWaitMs, nextMs);
};
