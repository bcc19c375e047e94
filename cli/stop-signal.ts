/** How a command that runs for long is told to stop, by a person or by the terminal that it was started in. */

/**
 * Aborted at the first signal to stop, SIGHUP of a closed terminal among them; further ones do not cut it short. A
 * closed terminal also fails whatever is written to it: that must not end the process before what it started.
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
