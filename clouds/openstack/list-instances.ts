/** Nova's servers and server groups in the service's words; their IDs and those of Keystone's projects as they are. */
import { type CloudGroup, type CloudInstance, togetherReason } from '../cloud-driver';
import { hostOf } from './moves/server-state';
import type { NovaServer, NovaServerGroup } from './nova/answers';

/** None where the server is on no host: one being built, or shelved away, needs no move. */
export const instancesFrom = (server: NovaServer, held: HeldTogether = new Map()): CloudInstance[] => {
  const host = hostOf(server);
  if (host === undefined) return [];
  const cannotMove = held.get(server.id) ?? deviceReason(server);
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
      ...(cannotMove !== undefined && { cannotMove }),
    },
  ];
};

/** Nova moves no server with an accelerator; one with another PCI device it moves cold. */
const deviceReason = ({ flavor }: NovaServer): string | undefined =>
  flavor.extra_specs?.['accel:device_profile'] === undefined
    ? undefined
    : `its flavor ${flavor.original_name} pins an accelerator (accel:device_profile) to it`;

/** By the ID of a server that has to stay beside others: why. */
export type HeldTogether = ReadonlyMap<string, string>;

/** Nova takes a member to no host on which the others are not. */
export const heldTogether = (groups: readonly NovaServerGroup[]): HeldTogether =>
  new Map(
    groups
      .filter((group) => group.members.length > 1 && hasPolicy(group, 'affinity'))
      .flatMap(({ id, name, members }) => members.map((member) => [member, togetherReason(name, id)])),
  );

/** Only the hard policies: members of a soft one may be elsewhere when there is no other way. */
const hasPolicy = ({ policy, policies = [] }: NovaServerGroup, wanted: 'affinity' | 'anti-affinity'): boolean =>
  policy === wanted || policies.includes(wanted);

export const groupFrom = (group: NovaServerGroup): CloudGroup => ({
  groupId: group.id,
  groupName: group.name,
  projectId: group.project_id,
  antiAffinity: hasPolicy(group, 'anti-affinity'),
  maxInstancesPerHost: group.rules?.max_server_per_host ?? 1,
  instanceIds: group.members,
});
