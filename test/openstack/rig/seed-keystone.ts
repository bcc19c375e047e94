/** What a Nova needs in Keystone: its own user, projects with users, and the catalogue. */
import { callJson } from './json-client';
import { logIn } from './log-in';
import type { OpenStackAddresses } from './openstack-addresses';

/** Projects with instances; `parley` is admin in them too, to place servers on hosts of its choice. */
export const tenantProjects = ['web', 'database'] as const;

/** Who has which roles where. parley: the service's own user; manager: may move a project's servers, not say where to. */
const users = [
  { user: 'nova', project: 'service', roles: ['admin', 'service'] },
  { user: 'parley', project: 'admin', roles: ['admin'] },
  ...tenantProjects.map((project) => ({ user: 'parley', project, roles: ['admin'] })),
  ...tenantProjects.map((project) => ({ user: `${project}-user`, project, roles: ['member'] })),
];

const services = [
  { type: 'compute', name: 'nova', url: ({ nova }: OpenStackAddresses) => nova },
  { type: 'placement', name: 'placement', url: ({ placement }: OpenStackAddresses) => placement },
];

interface Named {
  readonly id: string;
  readonly name: string;
}

type Collection = 'projects' | 'users' | 'roles' | 'services' | 'endpoints';

export const seedKeystone = async (addresses: OpenStackAddresses): Promise<void> => {
  const { headers } = await logIn(addresses, { user: 'admin', project: 'admin' });
  const url = (path: string): string => `${addresses.keystone}/${path}`;
  const list = async (collection: Collection): Promise<readonly Named[]> => {
    const { body } = await callJson(url(collection), { headers });
    return (body as Record<Collection, readonly Named[]>)[collection];
  };
  const create = async (collection: Collection, fields: Readonly<Record<string, unknown>>): Promise<string> => {
    const kind = collection.slice(0, -1);
    const { body } = await callJson(url(collection), { method: 'POST', headers, body: { [kind]: fields } });
    return (body as Record<string, Named>)[kind]!.id;
  };
  /** The ID of what has the name, made where it is not there. */
  const ensure = async (
    collection: 'projects' | 'users' | 'roles',
    name: string,
    fields: Readonly<Record<string, unknown>> = {},
  ): Promise<string> => {
    const known = (await list(collection)).find((each) => each.name === name);
    return known?.id ?? create(collection, { name, ...fields });
  };
  for (const { user, project, roles } of users) {
    const projectId = await ensure('projects', project, { domain_id: 'default' });
    const userId = await ensure('users', user, { domain_id: 'default', password: addresses.password });
    for (const role of roles) {
      const roleId = await ensure('roles', role);
      await callJson(url(`projects/${projectId}/users/${userId}/roles/${roleId}`), { method: 'PUT', headers });
    }
  }
  for (const { type, name, url: serviceUrl } of services) {
    const serviceId = await create('services', { type, name });
    for (const place of ['public', 'internal', 'admin']) {
      const endpoint = { service_id: serviceId, interface: place, url: serviceUrl(addresses), region_id: 'RegionOne' };
      await create('endpoints', endpoint);
    }
  }
};
