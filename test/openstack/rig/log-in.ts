/** Tokens of the rig's users. */
import { callJson } from './json-client';
import type { OpenStackAddresses } from './openstack-addresses';

/** The scope of a token: a project by its name, the default domain, the system, or nothing. */
export type TokenFor = { readonly project: string } | 'domain' | 'system' | 'nothing';

export interface Login {
  readonly user: string;
  readonly scope: TokenFor;
}

export interface RigToken {
  readonly token: string;
  /** The project of the token, if it is for a project. */
  readonly projectId: string | undefined;
  readonly userId: string;
}

const domain = { id: 'default' };

const scopeOf = (scope: TokenFor): object | 'unscoped' => {
  if (scope === 'domain') return { domain };
  if (scope === 'system') return { system: { all: true } };
  return scope === 'nothing' ? 'unscoped' : { project: { name: scope.project, domain } };
};

export const logIn = async (
  { keystone, password }: Pick<OpenStackAddresses, 'keystone' | 'password'>,
  { user, scope }: Login,
): Promise<RigToken> => {
  const identity = { methods: ['password'], password: { user: { name: user, domain, password } } };
  const { headers, body } = await callJson(`${keystone}/auth/tokens`, {
    method: 'POST',
    body: { auth: { identity, scope: scopeOf(scope) } },
  });
  const { token } = body as { token: { user: { id: string }; project?: { id: string } } };
  return { token: headers.get('x-subject-token')!, projectId: token.project?.id, userId: token.user.id };
};
