/**
 * Ends a request to an API that hangs. An answer that takes long looks the same, such as the plan of a thousand hosts,
 * so the health check of the API decides: a process that goes on answers it at once.
 */
import { setTimeout as sleep } from 'node:timers/promises';

export interface HangLimits {
  /** The time without an answer after which the health check is asked, and again each time that it has answered. */
  readonly firstMs: number;
  /** The time limit of the health check. */
  readonly probeMs: number;
}

/** A command says within ten seconds that nobody answers, and so does `watch`, which looks every two seconds. */
export const usualPatience: HangLimits = { firstMs: 4_000, probeMs: 3_000 };

export class HungApi extends Error {
  constructor(seconds: number) {
    super(`it hangs, or nobody is at this address: nothing came within ${seconds} s`);
  }
}

/** The address of the API without its version: health and readiness stand there. */
export const rootOf = (url: string): string => url.replace(/\/v1$/, '');

const isAlive = (url: string, limitMs: number): Promise<boolean> =>
  fetch(`${rootOf(url)}/healthz`, { signal: AbortSignal.timeout(limitMs) }).then(
    ({ status }) => status < 500,
    () => false,
  );

/** @throws HungApi */
export const unlessHung = async <T>(
  url: string,
  { firstMs, probeMs }: HangLimits,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<T> => {
  const [hung, answered] = [new AbortController(), new AbortController()];
  const watch = async (): Promise<void> => {
    do await sleep(firstMs, undefined, { signal: answered.signal });
    while (await isAlive(url, probeMs));
    hung.abort(new HungApi(Math.round((firstMs + probeMs) / 1000)));
  };
  watch().catch(() => undefined);
  try {
    return await ask(hung.signal);
  } finally {
    answered.abort();
  }
};
