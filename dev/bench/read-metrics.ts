/** Reads the metrics that a process of the stack exports. */

/** A process that is blocked answers when it is not any more. */
const patienceMs = 60_000;

/** Undefined: the process was killed, or is being started again. */
export const readMetrics = async (port: number): Promise<string | undefined> => {
  try {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { signal: AbortSignal.timeout(patienceMs) });
    return await response.text();
  } catch {
    return undefined;
  }
};
