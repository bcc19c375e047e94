/** Nova's servers and server groups in the service's words; their IDs and those of Keystone's projects as they are. */
import type { CloudGroup, CloudInstance } from '../cloud-driver';
import { hostOf } from './moves/server-state';
import type { NovaServer, NovaServerGroup } from './nova/answers';

/** None where the server is on no host: one being built, or shelved away, needs no move. */
export const instancesFrom = (server: NovaServer): CloudInstance[] => {
  const host = hostOf(server);
  if (host === undefined) return [];
  return [
    {
      instanceId: server.id,
      instanceName: server.name,
      projectId: server.tenant_id,
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
  projectId: group.project_id,
  antiAffinity: isAntiAffinity(group),
  maxInstancesPerHost: group.rules?.max_server_per_host ?? 1,
  instanceIds: group.members,
});
