/** Tokens of the rig's users. */
import { callJson } from './json-client';
import type { OpenStackAddresses } from './openstack-addresses';

export interface Login {
  readonly user: string;
  readonly project: string;
}

export interface RigToken {
  readonly token: string;
  readonly projectId: string;
  readonly headers: Readonly<Record<string, string>>;
}

export const logIn = async (
  { keystone, password }: Pick<OpenStackAddresses, 'keystone' | 'password'>,
  { user, project }: Login,
): Promise<RigToken> => {
  const domain = { id: 'default' };
  const identity = { methods: ['password'], password: { user: { name: user, domain, password } } };
  const { headers, body } = await callJson(`${keystone}/auth/tokens`, {
    method: 'POST',
    body: { auth: { identity, scope: { project: { name: project, domain } } } },
  });
  const token = headers.get('x-subject-token')!;
  const projectId = (body as { token: { project: { id: string } } }).token.project.id;
  return { token, projectId, headers: { 'x-auth-token': token, 'openstack-api-version': 'compute 2.87' } };
};
