/**
 * Runs work whose result serves all callers at the same time. While it runs, new callers wait together for one further
 * run.
 */

/**
 * Each caller gets the outcome of a run that began after its call, so facts from before the call are taken into
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
    await before.catch(() => undefined); // its own callers learn of the failure
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
