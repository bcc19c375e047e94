/**
 * The service's own token: asked for when it is first needed, renewed before it ends, and once after a service has
 * refused it. Whoever needs one while a login is under way waits for that login.
 */
import { isPassing } from '../http/back-off';
import { type Exchange, type HttpAnswer, type HttpRequest, NoAnswer } from '../http/exchange';
import { reasonIn, serviceError } from '../http/service-error';
import { type Credentials, describeCredentials, loginBody } from '../../../keystone/keystone-settings';
import { type Token, tokenIn } from './token';

export interface TokenSource {
  /** @throws LoginRefused where Keystone does not let us in; NoAnswer or ServiceError where it cannot say now */
  current(): Promise<Token>;
  /** A new token in place of one that a service refused; where it was replaced already, the one that replaced it. */
  replace(refused: Token): Promise<Token>;
}

/** Keystone does not let us in: nothing works until the operator has put the credentials right. */
export class LoginRefused extends Error {
  override readonly name = 'LoginRefused';
}

export interface TokenSourceOptions {
  /** Keystone's address, with or without /v3. */
  readonly authUrl: string;
  readonly credentials: Credentials;
  readonly exchange: Exchange;
  readonly nowMs?: () => number;
}

/** A call that has begun with a token must end before the token does. */
const renewBeforeMs = 60_000;

/** Of a short-lived token the last third is kept in reserve. */
const renewAtMs = ({ expiresAtMs }: Token, loggedInAtMs: number): number =>
  expiresAtMs - Math.min(renewBeforeMs, (expiresAtMs - loggedInAtMs) / 3);

const tokensUrl = (authUrl: string): string => `${authUrl.replace(/\/+$/, '').replace(/\/v3$/, '')}/v3/auth/tokens`;

const loginError = (options: TokenSourceOptions, request: HttpRequest, answer: HttpAnswer): Error => {
  if (isPassing(answer.status)) return serviceError('Keystone', request, answer);
  const who = describeCredentials(options.credentials);
  return new LoginRefused(
    `Keystone at ${options.authUrl} does not let ${who} in (${answer.status}): ${reasonIn(answer)} ` +
      'Check the OS_* settings.',
  );
};

const logIn = async (options: TokenSourceOptions): Promise<Token> => {
  const { authUrl, credentials, exchange } = options;
  const request = { method: 'POST', url: tokensUrl(authUrl), body: loginBody(credentials) } as const;
  const answer = await exchange(request);
  if (answer.status !== 201) throw loginError(options, request, answer);
  return tokenIn(answer);
};

export const createTokenSource = (options: TokenSourceOptions): TokenSource => {
  const nowMs = options.nowMs ?? Date.now;
  let held: { readonly token: Token; readonly renewAtMs: number } | undefined;
  let login: Promise<Token> | undefined;

  const renew = (): Promise<Token> =>
    (login ??= logIn(options)
      .then((token) => {
        held = { token, renewAtMs: renewAtMs(token, nowMs()) };
        return token;
      })
      .finally(() => {
        login = undefined;
      }));

  /** A token that is still good serves while Keystone is away. */
  const renewOrKeep = async (token: Token): Promise<Token> => {
    try {
      return await renew();
    } catch (error) {
      if (error instanceof NoAnswer && nowMs() < token.expiresAtMs) return token;
      throw error;
    }
  };

  return {
    current: () => {
      if (held === undefined) return renew();
      return nowMs() < held.renewAtMs ? Promise.resolve(held.token) : renewOrKeep(held.token);
    },
    replace: (refused) => {
      if (held !== undefined && held.token !== refused) return Promise.resolve(held.token);
      held = undefined;
      return renew();
    },
  };
};
