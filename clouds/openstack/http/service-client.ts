/**
 * Calls to one OpenStack service (Nova, placement): with our token, renewed once when it is refused; at the service's
 * micro-version; repeated with pauses where that is safe and may help.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { type Exchange, type HttpAnswer, type HttpRequest, NoAnswer } from '../../../keystone/exchange';
import { type ServiceTokens, withServiceToken } from '../../../keystone/service-tokens';
import { isPassing, mostTries, pauseBeforeRetryMs, wasNotTaken } from './back-off';
import { serviceError } from './service-error';

export interface ServiceCall {
  readonly method: HttpRequest['method'];
  /** Below the service's endpoint, with a leading slash. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Carrying it out twice is as good as once, as with every GET. Others go out again only where they did nothing. */
  readonly repeatable?: boolean;
}

export interface ServiceClient {
  /**
   * The answer, which is a success (2xx).
   * @throws ServiceError where the service says no, NoAnswer where it says nothing; KeystoneAway, KeystoneRefusal
   */
  call(call: ServiceCall): Promise<HttpAnswer>;
}

export interface ServiceClientOptions {
  /** For messages, such as Nova. */
  readonly name: string;
  /** The service's address, from the catalogue of the token in use. */
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
      const { method, body, repeatable = method === 'GET' } = call;
      const url = urlOf(await endpoint(), call);
      const request = { method, url, headers: await headers(), ...(body !== undefined && { body }) };
      for (let tries = 1; ; tries += 1) {
        const outcome = await tryOnce(request);
        if (!mayTryAgain(outcome, repeatable) || tries === mostTries) return successOf(name, request, outcome);
        await pause(pauseBeforeRetryMs(tries, outcome instanceof NoAnswer ? undefined : outcome, Date.now()));
      }
    },
  };
};

const urlOf = (endpoint: string, { path, query = {} }: ServiceCall): string => {
  const text = new URLSearchParams(query).toString();
  return `${endpoint}${path}${text === '' ? '' : `?${text}`}`;
};

const withToken = (request: HttpRequest, secret: string): HttpRequest => ({
  ...request,
  headers: { ...request.headers, 'x-auth-token': secret },
});

const mayTryAgain = (outcome: HttpAnswer | NoAnswer, repeatable: boolean): boolean => {
  if (outcome instanceof NoAnswer) return repeatable;
  return wasNotTaken(outcome.status) || (repeatable && isPassing(outcome.status));
};

const successOf = (name: string, request: HttpRequest, outcome: HttpAnswer | NoAnswer): HttpAnswer => {
  if (outcome instanceof NoAnswer) throw outcome;
  if (outcome.status >= 200 && outcome.status < 300) return outcome;
  throw serviceError(name, request, outcome);
};
