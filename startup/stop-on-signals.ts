/** Tells a program that it is to stop. */

/** Aborted by SIGINT or SIGTERM. Further signals do not cut the stop short. */
export const stopOnSignals = (): AbortSignal => {
  const controller = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => controller.abort());
  return controller.signal;
};
