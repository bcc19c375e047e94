/**
 * Checks tokens by a service that knows them. While it does not answer, nobody is let in, except callers about whom it
 * answered a moment ago.
 */
import type { Logger } from 'pino';
import { identityUnknown } from '../problems/away-problems';
import { cacheTokens, type TokenLookUp } from './token-cache';

export interface TokenChecks {
  /** The name of the service. */
  readonly service: string;
  /** The time, in seconds, for which an answer is kept. */
  readonly tokenCacheSeconds: number;
  readonly logger: Logger;
}

/** Tokens that are kept, of about a kilobyte each. */
const maxTokens = 5_000;

/** The longest token in a header that is sent to a service. Its own tokens of any kind are much shorter. */
const possibleToken = /^[\x21-\x7e]{1,8192}$/;

export const checkedTokens = <T extends { readonly expiresAtMs: number }>(
  ask: TokenLookUp<T>,
  { service, tokenCacheSeconds, logger }: TokenChecks,
): TokenLookUp<T> => {
  /** Errors of such a service contain no token, so they may be logged: once for all callers that wait for an answer. */
  const askOrRefuse = async (token: string): Promise<T | undefined> => {
    try {
      return await ask(token);
    } catch (err) {
      logger.error({ err }, 'a token could not be checked');
      throw identityUnknown(service);
    }
  };
  const find = cacheTokens(askOrRefuse, { maxAgeMs: tokenCacheSeconds * 1000, maxTokens });
  return async (token) => (possibleToken.test(token) ? find(token) : undefined);
};
