/** Asks Keystone for the sender of a token (GET /v3/auth/tokens). */
import { type Static, Type } from '@sinclair/typebox';
import { Value } from '@sinclair/typebox/value';
import type { Exchange } from '../http/exchange';
import { askKeystone } from './ask-keystone';
import { KeystoneAway, KeystoneRefusal } from './keystone-errors';
import { reasonIn } from './reason-in';
import { type ServiceTokens, withServiceToken } from './service-tokens';

export interface ProjectScope {
  readonly kind: 'project';
  readonly projectId: string;
  /** undefined: Keystone did not name the project. */
  readonly projectName?: string;
}

/** The scope of the token's rights. */
export type TokenScope =
  | ProjectScope
  | { readonly kind: 'system' }
  | { readonly kind: 'domain' }
  /** A token without a scope only names the user. */
  | { readonly kind: 'none' };

export interface ValidatedToken {
  readonly expiresAtMs: number;
  readonly scope: TokenScope;
  /** Names of the roles that the user has in the scope, including implied roles. */
  readonly roles: readonly string[];
  /** False when Keystone is set to have one admin project, and the token is for another project. */
  readonly mayBeAdminProject: boolean;
  /** undefined: Keystone did not name the user. */
  readonly userId?: string;
  readonly userName?: string;
}

const WithId = Type.Object({ id: Type.String() });
const TokenSchema = Type.Object({
  expires_at: Type.String(),
  roles: Type.Optional(Type.Array(Type.Object({ name: Type.String() }))),
  project: Type.Optional(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
  domain: Type.Optional(WithId),
  system: Type.Optional(Type.Object({ all: Type.Optional(Type.Boolean()) })),
  is_admin_project: Type.Optional(Type.Boolean()),
  user: Type.Optional(Type.Object({ id: Type.String(), name: Type.Optional(Type.String()) })),
});
const ValidationSchema = Type.Object({ token: TokenSchema });

const scopeOf = ({ project, system, domain }: Static<typeof TokenSchema>): TokenScope => {
  if (project !== undefined) {
    return { kind: 'project', projectId: project.id, ...(project.name && { projectName: project.name }) };
  }
  if (system?.all === true) return { kind: 'system' };
  return { kind: domain === undefined ? 'none' : 'domain' };
};

const toValidated = (token: Static<typeof TokenSchema>): ValidatedToken => ({
  expiresAtMs: Date.parse(token.expires_at),
  scope: scopeOf(token),
  roles: (token.roles ?? []).map(({ name }) => name),
  mayBeAdminProject: token.is_admin_project ?? true,
  ...(token.user && { userId: token.user.id, ...(token.user.name && { userName: token.user.name }) }),
});

export interface TokenCheck {
  readonly authUrl: string;
  /** The service's own token. */
  readonly tokens: ServiceTokens;
  readonly exchange: Exchange;
}

/**
 * @returns undefined when the token is unknown, expired or revoked. A token with access rules counts as unknown:
 * Keystone only shows it to services that declare that they enforce such rules.
 * @throws KeystoneRefusal when Keystone refuses the service itself; KeystoneAway when Keystone cannot answer
 */
export const validateToken = async (
  { authUrl, tokens, exchange }: TokenCheck,
  token: string,
): Promise<ValidatedToken | undefined> => {
  const url = `${authUrl}/auth/tokens?nocatalog=true`;
  const reply = await withServiceToken(tokens, ({ secret }) =>
    askKeystone(exchange, { method: 'GET', url, headers: { 'x-auth-token': secret, 'x-subject-token': token } }),
  );
  if (reply.status === 404) return undefined;
  if (reply.status === 200 && Value.Check(ValidationSchema, reply.body)) return toValidated(reply.body.token);
  if (reply.status === 401 || reply.status === 403) {
    throw new KeystoneRefusal(
      `Keystone at ${authUrl} does not let the service check tokens (${reply.status}: ${reasonIn(reply)}); ` +
        'its user (OS_*) needs the role admin or service',
    );
  }
  throw new KeystoneAway(
    `the server at ${authUrl} does not answer the check of a token like Keystone v3 (${reply.status})`,
  );
};
