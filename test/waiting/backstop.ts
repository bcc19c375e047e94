/**
 * The limit after which Jest gives up a test on real services. Every wait in a test ends by itself before, and its
 * error says what it waited for (eventually.ts). This limit only ends a test that hangs without waiting.
 */
export const backstopMs = 15 * 60_000;
