/** Requests to the service. */
import { setTimeout as pause } from 'node:timers/promises';

/** The service has understood the request and does not take it: the same request would be refused again. */
export class Refused extends Error {
  override readonly name = 'Refused';
  constructor(
    message: string,
    readonly status: number,
  ) {
    super(message);
  }
}

export interface CallOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
  /** The time until which a request is sent again that gets no answer, or 5xx or 429. Left out: for half a minute. */
  readonly until?: Date;
  /** Is told why the request is sent again. */
  readonly tell?: (line: string) => void;
}

export interface Call {
  /**
   * @returns the JSON of the answer
   * @throws Refused for any other 4xx; Error where no answer came
   */
  (method: string, url: string, options?: CallOptions): Promise<unknown>;
  /** Sends once, and returns the answer as it comes. */
  send(method: string, url: string, options?: CallOptions): Promise<Response>;
}

type Token = string | (() => string | Promise<string>) | undefined;

const requestMs = 30_000;
const patienceMs = 30_000;
const firstPauseMs = 500;
const longestPauseMs = 10_000;

export const createCall = (token: Token): Call => {
  const send = async (method: string, url: string, { body, headers, signal }: CallOptions = {}): Promise<Response> => {
    const known = typeof token === 'function' ? await token() : token;
    return fetch(url, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(known !== undefined && { 'x-auth-token': known }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  };
  const sendOnce = async (method: string, url: string, options: CallOptions): Promise<unknown> => {
    const limit = AbortSignal.timeout(requestMs);
    const signal = options.signal ? AbortSignal.any([options.signal, limit]) : limit;
    const response = await send(method, url, { ...options, signal });
    const text = await response.text();
    if (response.ok) return text === '' ? undefined : JSON.parse(text);
    const why = `${method} ${new URL(url).pathname}: ${String(response.status)} ${wordsOf(text)}`;
    throw isToBeRepeated(response.status) ? new Error(why) : new Refused(why, response.status);
  };
  const call = async (method: string, url: string, options: CallOptions = {}): Promise<unknown> => {
    const { signal, tell, until = new Date(Date.now() + patienceMs) } = options;
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
      try {
        return await sendOnce(method, url, options);
      } catch (error) {
        if (error instanceof Refused || Date.now() + pauseMs >= until.getTime()) throw error;
        signal?.throwIfAborted();
        tell?.(`${String(error)}; the request is sent again`);
        await pause(pauseMs, undefined, signal && { signal });
      }
    }
  };
  return Object.assign(call, { send });
};

const isToBeRepeated = (status: number): boolean => status >= 500 || status === 429 || status === 408;

/** `detail` and `hint` of a problem say what is wrong and what helps. */
const wordsOf = (text: string): string => {
  try {
    const { detail = '', hint = '' } = JSON.parse(text) as { readonly detail?: string; readonly hint?: string };
    return [detail, hint].filter((part) => part !== '').join('; ') || text;
  } catch {
    return text.slice(0, 500);
  }
};
