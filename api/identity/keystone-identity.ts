/** Identifies callers by their Keystone tokens. */
import type { Keystone } from '../../clouds/keystone/keystone';
import { keystoneAway } from '../problems/away-problems';
import { noKeystoneToken, signInRefused } from '../problems/problem-catalogue';
import { checkedTokens, type TokenChecks } from './checked-tokens';
import type { Identity } from './identity';
import { type KeystoneRoles, principalOfToken } from './keystone-principal';

export interface KeystoneIdentityParts extends Omit<TokenChecks, 'service'> {
  readonly keystone: Pick<Keystone, 'authUrl' | 'validate' | 'signIn'>;
  readonly roles: KeystoneRoles;
}

export const createKeystoneIdentity = (parts: KeystoneIdentityParts): Identity => {
  const { keystone, roles } = parts;
  const validate = checkedTokens((token) => keystone.validate(token), { ...parts, service: 'Keystone' });
  return {
    name: 'keystone',
    ways: ['token', 'password'],
    trustsEverybody: false,
    async authenticate(token) {
      if (token === undefined) throw noKeystoneToken('the request has no token', keystone.authUrl);
      const validated = await validate(token);
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
