/**
 * Calls as clients in the field make them: only 200 is a success, a failed call is repeated five times and then given
 * up without a word, GET and DELETE declare a JSON body and have none, paths may end in a slash, and nobody reads what
 * PUT and DELETE answer.
 */
import { setTimeout as pause } from 'node:timers/promises';

export interface CallHabits {
  /** The time from a failed call to its repeat; five seconds in the field. */
  readonly retryMs: number;
  readonly trailingSlash: boolean;
  /** Sent as X-Auth-Token. */
  readonly token?: string;
}

export interface MadeCall {
  readonly method: string;
  readonly url: string;
  /** The last answer; undefined where none came. */
  readonly status: number | undefined;
}

export interface ServiceCalls {
  /** Every call that came to its end. */
  readonly made: readonly MadeCall[];
  get(url: string): Promise<unknown>;
  put(url: string, body: object): Promise<void>;
  delete(url: string): Promise<void>;
}

const repeats = 5;

export const createServiceCalls = ({ retryMs, trailingSlash, token }: CallHabits): ServiceCalls => {
  const made: MadeCall[] = [];
  const headers = { 'content-type': 'application/json', ...(token !== undefined && { 'x-auth-token': token }) };

  const callOnce = async (method: string, url: string, body?: object): Promise<Response | undefined> => {
    const request = { method, headers, body: body === undefined ? null : JSON.stringify(body) };
    const response = await fetch(url, request).catch(() => undefined);
    if (method !== 'GET') await response?.body?.cancel();
    return response;
  };

  /** undefined where it was given up. */
  const call = async (method: string, path: string, body?: object): Promise<Response | undefined> => {
    const url = trailingSlash ? `${path.replace(/\/$/, '')}/` : path;
    let response = await callOnce(method, url, body);
    for (let repeat = 0; repeat < repeats && response?.status !== 200; repeat += 1) {
      await pause(retryMs);
      response = await callOnce(method, url, body);
    }
    made.push({ method, url, status: response?.status });
    return response?.status === 200 ? response : undefined;
  };

  return {
    made,
    get: async (url) => (await call('GET', url))?.json(),
    put: async (url, body) => {
      await call('PUT', url, body);
    },
    delete: async (url) => {
      await call('DELETE', url);
    },
  };
};
