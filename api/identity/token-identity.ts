/** Identifies callers by tokens whose hashes the service knows. */
import { createHash, timingSafeEqual } from 'node:crypto';
import { notAuthenticated } from '../problems/problem-catalogue';
import type { Identity } from './identity';
import type { KnownToken } from './token-file';

const hashOf = (token: string): Buffer => createHash('sha256').update(token, 'utf8').digest();

export const createTokenIdentity = (known: readonly KnownToken[]): Identity => ({
  name: 'token',
  ways: ['token'],
  trustsEverybody: false,
  // A refusal is a rejected promise for every identity, also for one that need not wait.
  // eslint-disable-next-line @typescript-eslint/require-await
  async authenticate(token) {
    if (token === undefined) throw notAuthenticated('the request has no token');
    const hash = hashOf(token);
    // All are compared, each in constant time: the time of the check tells nothing about a token.
    const [match] = known.filter(({ sha256 }) => timingSafeEqual(sha256, hash));
    if (match === undefined) throw notAuthenticated('the token is not known');
    return match.principal;
  },
});
