/**
 * When Jest gives up a test on real services. Every wait in a test ends by itself before, and says what was waited for
 * (eventually.ts); this limit only ends what hangs without waiting.
 */
export const backstopMs = 15 * 60_000;
