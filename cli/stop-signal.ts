/** Tells a long-running command to stop, when a person or its terminal asks for it. */

/**
 * Aborted at the first signal to stop, including SIGHUP of a closed terminal. Further signals do not cut the stop
 * short. Writing to a closed terminal fails, and that must not end this process before the processes that it started.
 */
export const stopSignal = (): AbortSignal => {
  const told = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(name, () => told.abort(new Error(`stopped by ${name}`)));
  }
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  return told.signal;
};

export const untilAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
