/** One HTTP exchange with a service of a cloud: JSON both ways, within a time limit, with the operator's own CA. */
import { fetch } from 'undici';
import type { ProxySettings } from '../../outgoing/proxies';
import { readAnew } from '../../outgoing/read-anew';
import { renewedWays } from '../../outgoing/renewed-ways';

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export interface HttpAnswer {
  readonly status: number;
  /** The headers, by their names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The parsed JSON; the text itself when it is not JSON; undefined when there is no body. */
  readonly body: unknown;
}

/** @throws NoAnswer */
export type Exchange = (request: HttpRequest) => Promise<HttpAnswer>;

/** No answer came in time. The service may have carried out the request or not. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(
    { method, url }: Pick<HttpRequest, 'method' | 'url'>,
    /** The reason, in the words of the code that noticed it. */
    readonly reason: string,
    options?: ErrorOptions,
  ) {
    super(`${method} ${url} got no answer: ${reason}`, options);
  }
}

export interface ExchangeOptions {
  /** The time limit of the whole exchange. */
  readonly timeoutSeconds: number;
  /** A PEM file with the certificates to trust, which may be replaced. Left out: those that Node.js trusts. */
  readonly caFile?: string | undefined;
  readonly proxies: ProxySettings;
}

/** @throws Error when the file of certificates cannot be read */
export const createExchange = ({ timeoutSeconds, caFile, proxies }: ExchangeOptions): Exchange => {
  const timeoutMs = timeoutSeconds * 1000;
  const ca = caFile === undefined ? undefined : readAnew(caFile);
  const ways = renewedWays();
  // Over HTTP/2 all exchanges share a connection, and one that has fallen silent would be used again and again.
  const wayNow = () => ({
    proxies,
    timeoutMs,
    answerMs: timeoutMs,
    tls: ca === undefined ? {} : { ca: ca() },
    allowsHttp2: false,
  });
  return async ({ method, url, headers = {}, body }) => {
    try {
      const response = await fetch(url, {
        method,
        dispatcher: ways.dispatcherFor(wayNow()),
        signal: AbortSignal.timeout(timeoutMs),
        redirect: 'error', // a token goes to the configured address alone
        headers: { accept: 'application/json', ...headers, ...(body !== undefined && jsonType) },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      });
      return { status: response.status, headers: new Map(response.headers), body: parsed(await response.text()) };
    } catch (cause) {
      throw new NoAnswer({ method, url }, reasonOf(cause, timeoutSeconds), { cause });
    }
  };
};

const jsonType = { 'content-type': 'application/json' };

const parsed = (text: string): unknown => {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

interface ReasonInBody {
  readonly name: string;
  readonly message: string;
  readonly cause?: unknown;
}

/**
 * Recognises an error by its shape, not its class: a time limit is not a plain Error, and errors of Node.js itself may
 * come from another realm.
 */
const isReason = (value: unknown): value is ReasonInBody =>
  typeof value === 'object' &&
  value !== null &&
  'name' in value &&
  typeof value.name === 'string' &&
  'message' in value &&
  typeof value.message === 'string' &&
  value.message !== '';

/** Of a signal, and of undici. */
const timeLimits = ['TimeoutError', 'HeadersTimeoutError', 'BodyTimeoutError'];

/** The message `fetch failed` says nothing: the reason is in its cause. */
export const reasonOf = (error: unknown, timeoutSeconds: number): string => {
  if (!isReason(error)) return String(error);
  if (timeLimits.includes(error.name)) return `none within ${timeoutSeconds} s`;
  return isReason(error.cause) ? error.cause.message : error.message;
};
