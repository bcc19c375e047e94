/**
 * Calls one OpenStack service (Nova, placement) with the service's token, which is renewed once when it is refused, and
 * at the service's micro-version. Repeats a call with pauses when that is safe and may help.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { isPassing, mostTries, pauseBeforeRetryMs, wasNotTaken } from '../../http/back-off';
import { type Exchange, type HttpAnswer, type HttpRequest, NoAnswer } from '../../http/exchange';
import { type ServiceTokens, withServiceToken } from '../../keystone/service-tokens';
import { serviceError } from './service-error';

export type CallQuery = Readonly<Record<string, string | readonly string[]>>;

export interface ServiceCall {
  readonly method: HttpRequest['method'];
  /** The path below the service's endpoint, with a leading slash. */
  readonly path: string;
  /** A parameter with a list is sent once for each of its values. */
  readonly query?: CallQuery;
  readonly body?: unknown;
  /** Take precedence over those of the service's client. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * True when a second call has no further effect, as for every GET. Other calls are repeated only when they did
   * nothing.
   */
  readonly repeatable?: boolean;
  /** The largest number of tries; left out: the usual one. */
  readonly tries?: number;
}

export interface ServiceClient {
  /**
   * The answer, which is a success (2xx).
   * @throws ServiceError when the service refuses, NoAnswer when it does not answer; KeystoneAway, KeystoneRefusal
   */
  call(call: ServiceCall): Promise<HttpAnswer>;
}

export interface ServiceClientOptions {
  /** The service's name in messages, such as Nova. */
  readonly name: string;
  /** The service's address, from the catalogue of the present token. */
  readonly endpoint: () => Promise<string>;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly tokens: ServiceTokens;
  readonly exchange: Exchange;
}

export const createServiceClient = (options: ServiceClientOptions): ServiceClient => {
  const { name, endpoint, headers, tokens, exchange } = options;

  const exchangeOnce = (request: HttpRequest): Promise<HttpAnswer> =>
    withServiceToken(tokens, ({ secret }) => exchange(withToken(request, secret)));

  const tryOnce = async (request: HttpRequest): Promise<HttpAnswer | NoAnswer> => {
    try {
      return await exchangeOnce(request);
    } catch (error) {
      if (error instanceof NoAnswer) return error;
      throw error;
    }
  };

  return {
    async call(call) {
      const { method, body, repeatable = method === 'GET', tries: most = mostTries } = call;
      const url = urlOf(await endpoint(), call);
      const all = { ...(await headers()), ...call.headers };
      const request = { method, url, headers: all, ...(body !== undefined && { body }) };
      for (let tries = 1; ; tries += 1) {
        const outcome = await tryOnce(request);
        if (!mayTryAgain(outcome, repeatable) || tries === most) return successOf(name, request, outcome);
        await pause(pauseBeforeRetryMs(tries, outcome instanceof NoAnswer ? undefined : outcome, Date.now()));
      }
    },
  };
};

const urlOf = (endpoint: string, { path, query = {} }: ServiceCall): string => {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    for (const each of [value].flat()) parameters.append(name, each);
  }
  const text = parameters.toString();
  return `${endpoint}${path}${text === '' ? '' : `?${text}`}`;
};

const withToken = (request: HttpRequest, secret: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'x-auth-token': secret },
});

const mayTryAgain = (outcome: HttpAnswer | NoAnswer, repeatable: boolean): boolean => {
  if (outcome instanceof NoAnswer) return repeatable;
  return wasNotTaken(outcome) || (repeatable && isPassing(outcome.status));
};

const successOf = (name: string, request: HttpRequest, outcome: HttpAnswer | NoAnswer): HttpAnswer => {
  if (outcome instanceof NoAnswer) throw outcome;
  if (outcome.status >= 200 && outcome.status < 300) return outcome;
  throw serviceError(name, request, outcome);
};
