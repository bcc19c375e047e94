/**
 * Work that many ask for at the same time and that serves all of them at once: while it runs, those who ask wait for
 * one further run together.
 */

/**
 * Each caller gets the outcome of a run that began after it asked, so what was true when it asked is taken into
 * account.
 */
export const joinedRuns = (work: () => Promise<void>): (() => Promise<void>) => {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = (): Promise<void> => {
    running = work().finally(() => {
      running = undefined;
    });
    return running;
  };
  const runAfter = async (before: Promise<void>): Promise<void> => {
    await before.catch(() => undefined); // its own callers are told
    next = undefined;
    await run();
  };
  return () => {
    if (next !== undefined) return next;
    if (running === undefined) return run();
    next = runAfter(running);
    return next;
  };
};
