/**
 * Identifies callers by their Keystone tokens. While Keystone does not answer, nobody is let in, except callers whose
 * token it confirmed a moment ago.
 */
import type { Logger } from 'pino';
import type { Keystone } from '../../clouds/keystone/keystone';
import { identityUnknown, keystoneAway } from '../problems/away-problems';
import { noKeystoneToken, signInRefused } from '../problems/problem-catalogue';
import type { Identity } from './identity';
import { type KeystoneRoles, principalOfToken } from './keystone-principal';
import { cacheTokens } from './token-cache';

export interface KeystoneIdentityParts {
  readonly keystone: Pick<Keystone, 'authUrl' | 'validate' | 'signIn'>;
  readonly roles: KeystoneRoles;
  /** The time, in seconds, for which an answer of Keystone is kept. */
  readonly tokenCacheSeconds: number;
  readonly logger: Logger;
}

/** Tokens that are kept, of about a kilobyte each. */
const maxTokens = 5_000;

/** The longest token in a header that is sent to Keystone. Its own tokens of any kind are much shorter. */
const possibleToken = /^[\x21-\x7e]{1,8192}$/;

export const createKeystoneIdentity = (parts: KeystoneIdentityParts): Identity => {
  const { keystone, roles, tokenCacheSeconds, logger } = parts;

  /** Errors of Keystone contain no token, so they may be logged: once for all callers that wait for the same answer. */
  const askKeystone = async (token: string) => {
    try {
      return await keystone.validate(token);
    } catch (err) {
      logger.error({ err }, 'a token could not be checked');
      throw identityUnknown('Keystone');
    }
  };
  const validate = cacheTokens(askKeystone, { maxAgeMs: tokenCacheSeconds * 1000, maxTokens });

  return {
    name: 'keystone',
    ways: ['token', 'password'],
    trustsEverybody: false,
    async authenticate(token) {
      if (token === undefined) throw noKeystoneToken('the request has no token', keystone.authUrl);
      const validated = possibleToken.test(token) ? await validate(token) : undefined;
      if (validated === undefined) {
        throw noKeystoneToken('Keystone does not know the token; it may be expired, or revoked', keystone.authUrl);
      }
      return { ...principalOfToken(validated, roles), expiresAtMs: validated.expiresAtMs };
    },
    async signIn(login) {
      const answer = await keystone.signIn(login).catch((error: unknown) => {
        throw keystoneAway(error);
      });
      if ('refusedBecause' in answer) throw signInRefused(answer.refusedBecause, keystone.authUrl);
      return { token: answer.token.secret, expiresAtMs: answer.token.expiresAtMs };
    },
  };
};
