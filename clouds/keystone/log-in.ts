/** Logs the service in: gets a token of its own, with the cloud's catalogue. */
import { Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Exchange } from '../http/exchange';
import { askKeystone } from './ask-keystone';
import { type Catalog, catalogFrom } from './catalog';
import { KeystoneAway, KeystoneRefusal } from './keystone-errors';
import { describeCredentials, type KeystoneSettings, loginBody } from './keystone-settings';
import { reasonIn } from './reason-in';

const LoginSchema = Type.Object({
  token: Type.Object({
    expires_at: Type.String(),
    user: Type.Object({ id: Type.String() }),
    project: Type.Optional(Type.Object({ id: Type.String() })),
    catalog: Type.Optional(Type.Unknown()),
  }),
});

export interface ServiceToken {
  /** The value of X-Auth-Token: a secret. */
  readonly secret: string;
  /** The service's own user in OpenStack. */
  readonly userId: string;
  /** The project of the login, if it is for one. */
  readonly projectId?: string;
  readonly expiresAtMs: number;
  readonly catalog: Catalog;
}

export type LoginAnswer = { readonly token: ServiceToken } | { readonly refusedBecause: string };

/** @throws KeystoneAway where Keystone cannot say */
export const askForToken = async (
  { authUrl, credentials }: KeystoneSettings,
  exchange: Exchange,
): Promise<LoginAnswer> => {
  const request = { method: 'POST', url: `${authUrl}/auth/tokens`, body: loginBody(credentials) } as const;
  const answer = await askKeystone(exchange, request);
  const secret = answer.headers.get('x-subject-token');
  if (answer.status === 201 && secret !== undefined && Value.Check(LoginSchema, answer.body)) {
    const { expires_at: expiresAt, user, project, catalog } = answer.body.token;
    const lasts = { expiresAtMs: Date.parse(expiresAt), catalog: catalogFrom(catalog) };
    return { token: { secret, userId: user.id, ...(project && { projectId: project.id }), ...lasts } };
  }
  const because = `(${answer.status}): ${reasonIn(answer)}`;
  if (answer.status === 401 || answer.status === 403) return { refusedBecause: because };
  throw new KeystoneAway(`the server at ${authUrl} does not answer a login like Keystone v3 ${because}`);
};

/**
 * @throws KeystoneRefusal where the credentials are not accepted
 * @throws KeystoneAway where Keystone cannot say
 */
export const logIn = async (settings: KeystoneSettings, exchange: Exchange): Promise<ServiceToken> => {
  const answer = await askForToken(settings, exchange);
  if ('token' in answer) return answer.token;
  const { authUrl, credentials } = settings;
  const who = describeCredentials(credentials);
  throw new KeystoneRefusal(
    `Keystone at ${authUrl} does not let ${who} in ${answer.refusedBecause} Check the OS_* settings.`,
  );
};
