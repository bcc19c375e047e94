/** Nova's servers and server groups in the service's words. */
import type { CloudGroup, CloudInstance } from '../cloud-driver';
import { hostOf } from './moves/server-state';
import type { NovaServer, NovaServerGroup } from './nova/answers';

/**
 * Keystone's project IDs have no dashes.
 * @throws Error where the ID is no UUID, as those of some outside directories are not: nothing else can stand for it
 */
const projectIdOf = (id: string, owner: string): string => {
  const parts = /^([0-9a-f]{8})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{4})([0-9a-f]{12})$/.exec(
    id.toLowerCase().replaceAll('-', ''),
  );
  if (parts === null) throw new Error(`${owner} belongs to the project ${id}, whose ID is not 32 hexadecimal digits`);
  return parts.slice(1).join('-');
};

/** None where the server is on no host: one being built, or shelved away, needs no move. */
export const instancesFrom = (server: NovaServer): CloudInstance[] => {
  const host = hostOf(server);
  if (host === undefined) return [];
  return [
    {
      instanceId: server.id.toLowerCase(),
      instanceName: server.name,
      projectId: projectIdOf(server.tenant_id, `server ${server.name} (${server.id})`),
      host,
      flavor: server.flavor.original_name,
      vcpus: server.flavor.vcpus,
      memoryMb: server.flavor.ram,
      state: server.status,
    },
  ];
};

/** Only the hard policy: members of a soft one may share a host when there is no other. */
const isAntiAffinity = ({ policy, policies = [] }: NovaServerGroup): boolean =>
  policy === 'anti-affinity' || policies.includes('anti-affinity');

export const groupFrom = (group: NovaServerGroup): CloudGroup => ({
  groupId: group.id,
  groupName: group.name,
  projectId: projectIdOf(group.project_id, `server group ${group.id}`),
  antiAffinity: isAntiAffinity(group),
  maxInstancesPerHost: group.rules?.max_server_per_host ?? 1,
  instanceIds: group.members,
});
