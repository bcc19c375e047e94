/** A user of the service with a role of its own in place of admin, as docs/openstack.md makes it. */
import { callJson } from './json-client';
import { logIn } from './log-in';
import { testOpenStack } from './openstack-addresses';

/** Keystone's policy lets it read projects (python/keystone_service.py). */
export const maintenanceRole = 'maintenance';

const made = async (path: string, kind: string, body: object): Promise<string> => {
  const { keystone } = testOpenStack();
  const { token } = await logIn(testOpenStack(), { user: 'admin', scope: { project: 'admin' } });
  const headers = { 'x-auth-token': token };
  const found = (await callJson(`${keystone}/${path}?name=${kind}`, { headers })).body as Record<
    string,
    { id: string }[]
  >;
  const known = found[path]?.[0]?.id;
  if (known !== undefined) return known;
  const answer = await callJson(`${keystone}/${path}`, { method: 'POST', headers, body });
  return Object.values(answer.body as Record<string, { id: string }>)[0]!.id;
};

/** @returns its OS_* variables */
export const makeMaintainer = async (role = maintenanceRole): Promise<Readonly<Record<string, string>>> => {
  const { keystone, password } = testOpenStack();
  const user = `user-for-${role}`;
  const roleId = await made('roles', role, { role: { name: role } });
  const userId = await made('users', user, { user: { name: user, password, domain_id: 'default' } });
  const admin = await logIn(testOpenStack(), { user: 'admin', scope: { project: 'admin' } });
  const grant = `${keystone}/projects/${admin.projectId!}/users/${userId}/roles/${roleId}`;
  await callJson(grant, { method: 'PUT', headers: { 'x-auth-token': admin.token } });
  return { OS_USERNAME: user };
};
