/**
 * Keystone v3 as the service uses it: a token of its own, and the check of other people's. Nothing is asked before it
 * is needed, so the service starts while Keystone is away.
 */
import { askKeystone } from './ask-keystone';
import type { Exchange } from './exchange';
import type { KeystoneSettings } from './keystone-settings';
import { logIn } from './log-in';
import { keepServiceToken, type ServiceTokens } from './service-tokens';
import { type ValidatedToken, validateToken } from './validate-token';

export interface Keystone {
  /** Ends in /v3. */
  readonly authUrl: string;
  /** The service's own token; its catalogue says where the cloud's services are. */
  readonly tokens: ServiceTokens;
  /** Who has sent this token; undefined where it is good for nothing (validate-token.ts has the errors). */
  validate(token: string): Promise<ValidatedToken | undefined>;
  /** @throws KeystoneAway, KeystoneRefusal where it does not answer or does not let the service in */
  ping(): Promise<void>;
}

export const connectKeystone = (settings: KeystoneSettings, exchange: Exchange): Keystone => {
  const { authUrl } = settings;
  const tokens = keepServiceToken(() => logIn(settings, exchange));
  return {
    authUrl,
    tokens,
    validate: (token) => validateToken({ authUrl, tokens, exchange }, token),
    async ping() {
      await tokens.current();
      await askKeystone(exchange, { method: 'GET', url: authUrl });
    },
  };
};
