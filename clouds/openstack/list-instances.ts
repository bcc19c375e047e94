/**
 * Turns Nova's servers and server groups into instances and groups. Their IDs, and those of Keystone's projects, stay
 * unchanged.
 */
import { type CloudGroup, type CloudInstance, togetherReason } from '../../rules/cloud/cloud-facts';
import { type CannotMoveNow, type Departure, movesUnless } from '../../rules/cloud/departure';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import { bareMetalReason, type FleetLook, nothingSeen, serverFacts } from './classes/fleet-look';
import { secretReason } from './classes/kept-by-secret';
import { isLock } from './moves/immovable';
import { cannotMoveNow, type MayHaveLeft } from './moves/movable-states';
import { hostOfServer } from './moves/server-state';
import type { NovaServer, NovaServerGroup } from './nova/answers';

/** None when the server is on no host: a server that is being built, or was shelved, needs no move. */
export const instancesFrom = (server: NovaServer, about: AboutServers = {}): CloudInstance[] => {
  const host = hostOfServer(server);
  if (host === undefined) return [];
  return [
    {
      instanceId: server.id,
      instanceName: server.name,
      projectId: server.tenant_id,
      host,
      flavor: server.flavor.original_name,
      ...serverFacts(server, about.look ?? nothingSeen),
      state: server.status,
      ...(server.status === 'ERROR' && { isUnhealthy: true }),
      departure: departureOf(server, about),
    },
  ];
};

const departureOf = (server: NovaServer, about: AboutServers): Departure => {
  const key = keyOf(server.id);
  const told = about.immovable?.get(key);
  const never = whyPinned(server, about) ?? (told !== undefined && isLock(told) ? undefined : told);
  return movesUnless(never, whyNotNow(server, about, told));
};

/** @param told what Nova has said of the server when it was asked for a move */
const whyNotNow = (
  server: NovaServer,
  { ours, left, isNoAdmin }: AboutServers,
  told: string | undefined,
): CannotMoveNow | undefined => {
  const isOursToUnlock = isNoAdmin !== true && (told === undefined || !isLock(told));
  if (server.locked === true && !isOursToUnlock) return lockedServer;
  const key = keyOf(server.id);
  return cannotMoveNow(server, ours?.has(key) === true, left?.get(key));
};

const lockedServer: CannotMoveNow = {
  because: 'it is locked, and the role of the service is no administrator (context_is_admin)',
  owner: 'project',
  help: 'unlock it (openstack server unlock), or give the role of the service the rule context_is_admin',
};

const whyPinned = (server: NovaServer, { look = nothingSeen, together }: AboutServers): string | undefined =>
  together?.get(server.id) ?? deviceReason(server) ?? secretReason(server) ?? bareMetalReason(server, look);

/** What is known of servers beside their own records. */
export interface AboutServers {
  readonly look?: FleetLook;
  readonly together?: KeptWithOthers;
  /** What Nova has said of some. */
  readonly immovable?: ReadonlyMap<IdKey, string>;
  /** Those that this service is moving. */
  readonly ours?: ReadonlySet<IdKey>;
  /** Those that may have left their host although Nova shows them there. */
  readonly left?: ReadonlyMap<IdKey, MayHaveLeft>;
  /** True when the service's role is no administrator of Nova, which moves locked servers for nobody else. */
  readonly isNoAdmin?: boolean;
}

/** Nova does not move a server with an accelerator. It moves a server with another PCI device cold. */
const deviceReason = ({ flavor }: NovaServer): string | undefined =>
  flavor.extra_specs?.['accel:device_profile'] === undefined
    ? undefined
    : `its flavor ${flavor.original_name} pins an accelerator (accel:device_profile) to it`;

/** Reasons by the ID of a server that has to stay beside others. */
export type KeptWithOthers = ReadonlyMap<string, string>;

/** Nova moves a member of an affinity group to no host without the other members. */
export const heldTogether = (groups: readonly NovaServerGroup[]): KeptWithOthers =>
  new Map(
    groups
      .filter((group) => group.members.length > 1 && hasPolicy(group, 'affinity'))
      .flatMap(({ id, name, members }) => members.map((member) => [member, togetherReason(name, id)])),
  );

/** Only the hard policies: members of a soft one may be on other hosts when there is no other way. */
const hasPolicy = ({ policy, policies }: NovaServerGroup, wanted: 'affinity' | 'anti-affinity'): boolean =>
  policy === wanted || policies?.includes(wanted) === true;

export const groupFrom = (group: NovaServerGroup): CloudGroup => ({
  groupId: group.id,
  groupName: group.name,
  projectId: group.project_id,
  antiAffinity: hasPolicy(group, 'anti-affinity'),
  maxInstancesPerHost: group.rules?.max_server_per_host ?? 1,
  instanceIds: group.members,
});
