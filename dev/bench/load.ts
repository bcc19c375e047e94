/**
 * Load on the API: this many callers at once, each of which sends its next request when the one before was answered.
 */
import http from 'node:http';
import { text } from 'node:stream/consumers';

export interface Call {
  readonly method: 'GET' | 'PUT';
  /** The path from /v1 on. */
  readonly path: string;
  readonly body?: unknown;
}

export interface LoadRequest {
  readonly api: string;
  readonly callers: number;
  /** The load ends after this time, or when there is no next call. */
  readonly seconds: number;
  readonly nextCall: () => Call | undefined;
  readonly signal: AbortSignal;
}

export interface LoadResult {
  readonly seconds: number;
  /** The durations of the requests that were answered 200. */
  readonly latenciesMs: readonly number[];
  readonly failures: number;
}

/** Ends the measurement when the API hangs. */
const longestAnswerMs = 60_000;

const isAnswered200 = (agent: http.Agent, api: string, { method, path, body }: Call): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const payload = body === undefined ? '' : JSON.stringify(body);
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) };
    const request = http.request(`${api}/v1${path}`, { agent, method, headers }, (response) => {
      text(response).then(() => resolve(response.statusCode === 200), reject);
    });
    request.setTimeout(longestAnswerMs, () => request.destroy(new Error(`${method} ${path} was not answered`)));
    request.once('error', reject);
    request.end(payload);
  });

export const runLoad = async ({ api, callers, seconds, nextCall, signal }: LoadRequest): Promise<LoadResult> => {
  const agent = new http.Agent({ keepAlive: true, maxSockets: callers });
  const latenciesMs: number[] = [];
  let failures = 0;
  const startedMs = performance.now();
  const isOver = (): boolean => performance.now() - startedMs > seconds * 1000;
  const caller = async (): Promise<void> => {
    for (let call = nextCall(); call !== undefined && !isOver(); call = nextCall()) {
      signal.throwIfAborted();
      const sentMs = performance.now();
      if (await isAnswered200(agent, api, call)) latenciesMs.push(performance.now() - sentMs);
      else failures += 1;
    }
  };
  try {
    await Promise.all(Array.from({ length: callers }, caller));
    return { seconds: (performance.now() - startedMs) / 1000, latenciesMs, failures };
  } finally {
    agent.destroy();
  }
};
