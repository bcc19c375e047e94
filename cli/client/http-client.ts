/** Requests to the API: JSON in and out, problems as failures, and again where nothing answered. */
import { setTimeout as sleep } from 'node:timers/promises';
import { apiAway, CommandFailure, RefusedByApi } from './exit';
import { type HangLimits, HungApi, rootOf, unlessHung, usualPatience } from './unless-hung';

export interface Client {
  /** The base address, with /v1. */
  readonly url: string;
  readonly get: <T>(path: string) => Promise<T>;
  readonly send: <T>(method: 'POST' | 'PUT' | 'PATCH' | 'DELETE', path: string, sending?: SendOptions) => Promise<T>;
  /** Lists what sessions lack to go on, a line each. Empty where they lack nothing, or the API does not say. */
  readonly problems: () => Promise<readonly string[]>;
  /** A response whose body is read bit by bit. */
  readonly stream: (path: string, streaming: Streaming) => Promise<Response>;
}

export interface SendOptions {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent again where no answer came: the request may be repeated. */
  readonly isRepeatable?: boolean;
}

export interface Streaming {
  readonly headers: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

export interface ClientOptions {
  readonly url: string;
  /** Asked for anew where the API does not know it any more. */
  readonly token: (isStale: boolean) => Promise<string | undefined>;
  readonly stop: AbortSignal;
  /** Why changes are asked for; left out: nothing is said. */
  readonly reason?: string;
  readonly retryMs?: number;
  readonly patience?: HangLimits;
}

const answerMs = 60_000;
const attempts = 3;

interface ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal: AbortSignal;
}

/** @returns the path, with its query where there is one */
export const withQuery = (path: string, query: Readonly<Record<string, string>>): string => {
  const text = new URLSearchParams(query).toString();
  return text === '' ? path : `${path}?${text}`;
};

export const createClient = (options: ClientOptions): Client => {
  const { url, stop, retryMs = 500, patience = usualPatience } = options;
  const within = (hung: AbortSignal): AbortSignal => AbortSignal.any([stop, hung, AbortSignal.timeout(answerMs)]);
  const readOnce = (request: Omit<ApiRequest, 'signal'>): Promise<string> =>
    unlessHung(url, patience, async (hung) => (await call(options, { ...request, signal: within(hung) })).text());
  const read = async <T>(request: Omit<ApiRequest, 'signal'>, times: number): Promise<T> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        const text = await readOnce(request);
        // The interface says in what form the answer is.
        return (text === '' ? undefined : JSON.parse(text)) as T;
      } catch (error) {
        if (error instanceof CommandFailure || stop.aborted) throw error;
        if (attempt >= times || error instanceof HungApi) throw apiAway(url, error, request.method);
        await sleep(retryMs * attempt, undefined, { signal: stop });
      }
    }
  };
  return {
    url,
    get: (path) => read({ method: 'GET', path }, attempts),
    send: (method, path, { body, headers = {}, isRepeatable = method !== 'POST' } = {}) =>
      read({ method, path, body, headers }, isRepeatable ? attempts : 1),
    problems: () => problemsAt(url, stop),
    stream: (path, { headers, signal }) =>
      unlessHung(url, patience, (hung) =>
        call(options, { method: 'GET', path, headers, signal: AbortSignal.any([signal, hung]) }),
      ),
  };
};

/** The API gives its parts three seconds to answer. */
const readinessMs = 4_500;

const problemsAt = async (url: string, stop: AbortSignal): Promise<readonly string[]> => {
  const signal = AbortSignal.any([stop, AbortSignal.timeout(readinessMs)]);
  try {
    const body: unknown = await (await fetch(`${rootOf(url)}/readyz`, { signal })).json();
    return problemsIn(body);
  } catch {
    // The command itself says that nobody answers; a proxy may hide this address.
    return [];
  }
};

/** @returns none where a proxy or another program answers */
const problemsIn = (body: unknown): readonly string[] => {
  if (typeof body !== 'object' || body === null || !('problems' in body) || !Array.isArray(body.problems)) return [];
  return body.problems.filter((problem): problem is string => typeof problem === 'string');
};

const call = async ({ url, token, reason }: ClientOptions, given: ApiRequest): Promise<Response> => {
  const why = reason === undefined || given.method === 'GET' ? {} : { 'Parley-Reason': encodeURIComponent(reason) };
  const request = { ...given, headers: { ...given.headers, ...why } };
  const first = await fetchWith(url, request, await token(false));
  if (first.status !== 401) return checked(first);
  const renewed = await token(true);
  return checked(renewed === undefined ? first : await fetchWith(url, request, renewed));
};

const fetchWith = (
  url: string,
  { method, path, body, headers = {}, signal }: ApiRequest,
  token: string | undefined,
): Promise<Response> =>
  fetch(`${url}${path}`, {
    method,
    signal,
    headers: {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token !== undefined && { 'X-Auth-Token': token }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

const checked = async (response: Response): Promise<Response> => {
  if (response.ok) return response;
  const text = await response.text();
  const retryAfter = Number(response.headers.get('retry-after') ?? NaN);
  const { problemIn } = await import('./problem-in.js');
  throw new RefusedByApi(problemIn(text, response), Number.isNaN(retryAfter) ? undefined : retryAfter);
};
