/** Requests to the API that serves this page, typed by its OpenAPI document: JSON in and out, problems as errors. */
import { learnServiceTime } from '../live/clock';
import type { paths } from './openapi';
import { NoAnswer, refusalIn } from './problem';
import { createReach, type Reach } from './reach';
import { isOfProxy, readProblems } from './readiness';

type Method = 'get' | 'put' | 'post' | 'patch' | 'delete';

type JsonOf<Content> = Content extends { content: { 'application/json': infer Body } } ? Body : undefined;

/** The paths that have the method. */
export type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: object } ? P : never;
}[keyof paths];

type OperationOf<P extends keyof paths, M extends Method> = paths[P][M];

export type Answer<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { responses: { 200: infer Ok } } ? JsonOf<Ok> : never;

export type Body<P extends keyof paths, M extends Method> =
  OperationOf<P, M> extends { requestBody?: infer Given } ? JsonOf<NonNullable<Given>> : undefined;

export interface Sending<B = undefined> {
  /** The values that replace the names in the path. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: B;
  readonly signal?: AbortSignal;
}

export interface Http {
  readonly call: <M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    sending?: Sending<Body<P, M>>,
  ) => Promise<Answer<P, M>>;
  /** @param etag of what is there already; undefined: it has not changed */
  readonly look: <P extends PathOf<'get'>>(
    path: P,
    sending: Sending & { readonly etag: string | undefined },
  ) => Promise<{ readonly body: Answer<P, 'get'>; readonly etag: string | undefined } | undefined>;
  /** Lists what sessions lack to go on, a line each. @throws NoAnswer */
  readonly problems: () => Promise<readonly string[]>;
  readonly reach: Pick<Reach, 'isAway'>;
  readonly stream: (path: PathOf<'get'>, sending: Sending) => Promise<Response>;
}

const answerMs = 60_000;

/** @returns the path below the page, with names in place of parameters */
export const pathWith = (path: string, { params = {}, query = {} }: Sending<unknown>): string => {
  const named = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const text = new URLSearchParams(query).toString();
  return `${named.replace(/^\//, '')}${text === '' ? '' : `?${text}`}`;
};

export interface Caller {
  /** The token to send; undefined: none. */
  readonly token: () => string | undefined;
  /** Told when the API does not know that token any more. */
  readonly onSignedOut: () => void;
}

const initOf = (method: Method, { body, headers }: Sending<unknown>, own: string | undefined): RequestInit => ({
  method: method.toUpperCase(),
  cache: 'no-store',
  credentials: 'omit',
  headers: {
    ...(own !== undefined && { 'X-Auth-Token': own }),
    ...(body !== undefined && { 'Content-Type': 'application/json' }),
    ...headers,
  },
  ...(body !== undefined && { body: JSON.stringify(body) }),
});

/** @param base of the API's paths */
export const createHttp = (base: string, { token, onSignedOut }: Caller): Http => {
  const reach = createReach();
  const send = async (method: Method, path: string, sending: Sending<unknown>): Promise<Response> => {
    const own = token();
    const { signal = AbortSignal.timeout(answerMs) } = sending;
    const away = reach.untilAway();
    try {
      const init = { ...initOf(method, sending, own), signal: AbortSignal.any([signal, away]) };
      const response = await fetch(new URL(pathWith(path, sending), base), init);
      if (!isOfProxy(response)) reach.found();
      learnServiceTime(response.headers.get('date'));
      // Somebody may have signed in again since the request was sent.
      if (response.status === 401 && own === token()) onSignedOut();
      return response;
    } catch (error) {
      if (!signal.aborted && !away.aborted) reach.lost();
      throw new NoAnswer('the API does not answer', { cause: error });
    }
  };
  return {
    call: async (method, path, sending = {}) => bodyOf(await send(method, path, sending)),
    look: async (path, { etag, ...sending }) => {
      const headers = etag === undefined ? {} : { 'If-None-Match': etag };
      const response = await send('get', path, { ...sending, headers });
      if (response.status === 304) return undefined;
      const found = response.headers.get('etag') ?? undefined;
      return bodyOf<Answer<typeof path, 'get'>>(response).then((body) => ({ body, etag: found }));
    },
    reach,
    problems: () => readProblems(base, reach),
    stream: async (path, sending) => {
      const response = await send('get', path, sending);
      if (!response.ok) await bodyOf<unknown>(response);
      return response;
    },
  };
};

/** The OpenAPI document says in what form the answer is. @throws Refusal */
const bodyOf = async <T>(response: Response): Promise<T> => {
  const text = await response.text().catch((error: unknown) => {
    throw new NoAnswer('the answer was cut off', { cause: error });
  });
  const body = parsed(text);
  if (!response.ok) throw refusalIn(response.status, body, response.headers.get('retry-after'));
  return body as T;
};

const parsed = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};
