/**
 * Keystone v3 for the service: a token of its own, and the check of other people's tokens. The service asks Keystone
 * only when it needs an answer, so it starts even when Keystone is down.
 */
import type { Exchange } from '../http/exchange';
import { askKeystone } from './ask-keystone';
import type { KeystoneSettings } from './keystone-settings';
import { logIn, type LoginAnswer } from './log-in';
import { keepServiceToken, type ServiceTokens } from './service-tokens';
import { type PersonalLogin, signIn } from './sign-in';
import { type ValidatedToken, validateToken } from './validate-token';

export interface Keystone {
  /** Ends in /v3. */
  readonly authUrl: string;
  /** The service's own token. Its catalogue has the addresses of the cloud's services. */
  readonly tokens: ServiceTokens;
  /** The sender of this token; undefined when the token is not valid (validate-token.ts lists the errors). */
  validate(token: string): Promise<ValidatedToken | undefined>;
  /** A token for a person, or the reason why Keystone gives none. @throws KeystoneAway */
  signIn(login: PersonalLogin): Promise<LoginAnswer>;
  /** @throws KeystoneAway when Keystone does not answer; KeystoneRefusal when it refuses the service */
  ping(): Promise<void>;
}

export const connectKeystone = (settings: KeystoneSettings, exchange: Exchange): Keystone => {
  const { authUrl } = settings;
  const tokens = keepServiceToken(() => logIn(settings, exchange));
  return {
    authUrl,
    tokens,
    validate: (token) => validateToken({ authUrl, tokens, exchange }, token),
    signIn: (login) => signIn({ authUrl, exchange }, login),
    async ping() {
      await tokens.current();
      await askKeystone(exchange, { method: 'GET', url: authUrl });
    },
  };
};
