/**
 * Works out the limits that hold for each instance, from the projects' constraints and the cloud's facts. Where no
 * project stored a limit, the cloud may tell one; else one member may be impacted at once. Instances without any group
 * form one by project and flavor, of which `vnf` and `k8s` may impact a share (default-impact.ts). Where the cloud
 * chooses the targets and keeps no limits itself, every limit is one member (`oneMemberAtATime`).
 */
import type { CloudGroup, LimitKeeper } from '../cloud/cloud-facts';
import { type IdKey, keyOf } from '../cloud/id';
import type { Group, Limited } from '../decisions/fleet/fleet';
import { keptByService } from '../decisions/fleet/limit-keys';
import { compareText, listsBy } from '../decisions/fleet/ordered';
import { isWithoutConstraints } from '../decisions/limits/impact';

/** The cloud's facts about an instance. */
export interface InstanceFacts {
  readonly instanceId: string;
  readonly projectId: string;
  readonly flavor: string;
}

/** Marks an instance that the cloud does not list: flavor keeps none apart, and names a group without constraints. */
export const noFlavor = '';

/** The constraints of an instance about its group. */
export interface StoredMembership {
  readonly instanceId: string;
  readonly groupId: string;
}

/** The constraints of a group, as stored. */
export interface StoredGroup {
  readonly groupId: string;
  readonly projectId: string;
  readonly groupName: string;
  readonly antiAffinityGroup: boolean;
  readonly maxInstancesPerHost: number;
  readonly maxImpactedMembers: number;
  /** Time in seconds. */
  readonly recoveryTime: number;
}

export interface LimitFacts {
  readonly instances: readonly InstanceFacts[];
  readonly memberships: readonly StoredMembership[];
  /** Groups and instances may be stored in any order, so either may be missing. */
  readonly storedGroups: readonly StoredGroup[];
  readonly serverGroups: readonly CloudGroup[];
}

export interface WorkedOutLimits {
  /** Every limit of the instances, ordered by key. */
  readonly groups: readonly Group[];
  /** Limits by the instance's ID. */
  readonly limitedOf: ReadonlyMap<string, Limited>;
}

/** Puts every instance into exactly one group, and under the limits that the cloud itself enforces beside it. */
export const workOutLimits = ({ instances, memberships, storedGroups, serverGroups }: LimitFacts): WorkedOutLimits => {
  const known = knownGroups(memberships, storedGroups, serverGroups);
  const groupOf = new Map(instances.map((instance) => [instance.instanceId, ownGroup(instance, known)]));
  const enforced = serverGroups.flatMap((serverGroup) => limitBeside(serverGroup, groupOf));
  const enforcedOn = listsBy(enforced, ({ instanceIds }) => instanceIds);
  const limitedOf = [...groupOf].map(([id, { key }]): [string, Limited] => {
    const further = enforcedOn.get(id)?.map(({ limit }) => limit.key);
    return [id, { groupKey: key, ...(further && { furtherLimitKeys: further }) }];
  });
  const groups = new Map(
    [...groupOf.values(), ...enforced.map(({ limit }) => limit)].map((group) => [group.key, group]),
  );
  return {
    limitedOf: new Map(limitedOf),
    groups: [...groups.values()].sort((one, other) => compareText(one.key, other.key)),
  };
};

/** The facts about an instance that was not among those for which the limits were computed. */
export const ownGroupAlone = (instanceId: string): Limited => {
  return { groupKey: keyOf(instanceId) };
};

interface KnownGroups {
  readonly groupIdOf: ReadonlyMap<IdKey, string>;
  readonly stored: ReadonlyMap<IdKey, StoredGroup>;
  /** Groups that the cloud knows limits of. */
  readonly limitedByCloud: ReadonlyMap<IdKey, CloudGroup>;
  readonly idInCloudOf: ReadonlyMap<IdKey, string>;
  /** Projects that own the group, by the cloud, or else by stored constraints. */
  readonly ownersOf: ReadonlyMap<IdKey, ReadonlySet<IdKey>>;
}

const knownGroups = (
  memberships: LimitFacts['memberships'],
  storedGroups: LimitFacts['storedGroups'],
  serverGroups: LimitFacts['serverGroups'],
): KnownGroups => {
  const ofCloud = ownersIn(serverGroups);
  const stored = storedGroups.filter(
    ({ groupId, projectId }) => ofCloud.get(keyOf(groupId))?.has(keyOf(projectId)) ?? true,
  );
  const storedKeys = new Set(stored.map(({ groupId }) => keyOf(groupId)));
  const weightOf = (group: CloudGroup) => (storedKeys.has(keyOf(group.groupId)) ? mostWeight : weightInCloud(group));
  // The last one counts, where several groups have the same instance.
  const limited = serverGroups
    .filter((group) => weightOf(group) > 0)
    .sort((one, other) => weightOf(one) - weightOf(other));
  return {
    groupIdOf: new Map(memberships.map(({ instanceId, groupId }) => [keyOf(instanceId), groupId])),
    stored: new Map(stored.map((group) => [keyOf(group.groupId), group])),
    ownersOf: new Map([...ownersIn(stored), ...ofCloud]),
    limitedByCloud: new Map(limited.map((group) => [keyOf(group.groupId), group])),
    idInCloudOf: new Map(limited.flatMap(({ groupId, instanceIds }) => instanceIds.map((id) => [keyOf(id), groupId]))),
  };
};

/** Of a group whose constraints are stored. */
const mostWeight = 4;

/** What its project told comes before what the cloud enforces, and that before anti-affinity; 0: it has no limits. */
const weightInCloud = (group: CloudGroup): number => {
  if (isTold(group)) return 3;
  if (group.keptBy?.kind === 'cloud') return 2;
  return group.antiAffinity ? 1 : 0;
};

const isTold = ({ keptBy, maxImpactedMembers, recoveryTimeSeconds, fault }: CloudGroup): boolean =>
  keptBy?.kind !== 'cloud' && [maxImpactedMembers, recoveryTimeSeconds, fault].some((one) => one !== undefined);

const ownersIn = (groups: readonly Pick<CloudGroup, 'groupId' | 'projectId'>[]): Map<IdKey, Set<IdKey>> => {
  const owners = new Map<IdKey, Set<IdKey>>();
  for (const { groupId, projectId } of groups) {
    const key = keyOf(groupId);
    owners.set(key, (owners.get(key) ?? new Set()).add(keyOf(projectId)));
  }
  return owners;
};

/**
 * The group that the instance's constraints name, unless it belongs to another project. Otherwise the cloud's server
 * group, when that has stored constraints, anti-affinity or other limits: constraint groups match server groups, so a
 * member without stored constraints still counts in it. Otherwise the project's instances with the same flavor.
 */
const ownGroup = ({ instanceId, projectId, flavor }: InstanceFacts, known: KnownGroups): Group => {
  const instanceKey = keyOf(instanceId);
  const groupId = known.groupIdOf.get(instanceKey) ?? known.idInCloudOf.get(instanceKey);
  if (groupId === undefined) {
    const named = { key: `${keyOf(projectId)}/${flavor}`, name: `${projectId}/${flavor}` };
    return { ...groupWithoutStoredLimits(named), keptBy: { kind: 'service', limit: 'share' } };
  }
  const key = keyOf(groupId);
  const projectKey = keyOf(projectId);
  if (known.ownersOf.get(key)?.has(projectKey) === false) {
    return groupWithoutStoredLimits({ key: `${projectKey}//${key}`, name: `${projectId}/${groupId}` });
  }
  const stored = known.stored.get(key);
  return stored
    ? constrainedGroup(key, stored)
    : groupWithoutStoredLimits({ key, id: groupId, name: groupId }, known.limitedByCloud.get(key));
};

const constrainedGroup = (key: IdKey, stored: StoredGroup): Group => {
  return {
    key,
    id: stored.groupId,
    name: stored.groupName,
    maxImpactedMembers: stored.maxImpactedMembers,
    recoveryTimeSeconds: stored.recoveryTime,
    keptBy: keptByService,
    // The field may hold anything without anti-affinity, including 0.
    ...(stored.antiAffinityGroup && { maxInstancesPerHost: stored.maxInstancesPerHost }),
  };
};

/** The limits as the cloud tells them; else one member at a time. */
const groupWithoutStoredLimits = (named: Pick<Group, 'key' | 'id' | 'name'>, inCloud?: CloudGroup): Group => {
  const { groupName: name = named.name, maxImpactedMembers = 1, recoveryTimeSeconds = 0 } = inCloud ?? {};
  return {
    ...named,
    ...{ name, maxImpactedMembers, recoveryTimeSeconds },
    keptBy: keeperOf(inCloud),
    ...(inCloud?.fault !== undefined && { fault: inCloud.fault }),
    ...(inCloud?.antiAffinity && { maxInstancesPerHost: inCloud.maxInstancesPerHost }),
  };
};

/** A share may be impacted where its project told the cloud something else alone. */
const keeperOf = (group: CloudGroup | undefined): LimitKeeper => {
  if (group?.keptBy !== undefined) return group.keptBy;
  return group && isTold(group) && group.maxImpactedMembers === undefined
    ? { kind: 'service', limit: 'share' }
    : keptByService;
};

/** The limit that the cloud enforces for the members of one of its own server groups. */
export const keyBeside = (serverGroupId: string): string => {
  return `server-group/${keyOf(serverGroupId)}`;
};

interface EnforcedLimit {
  readonly limit: Group;
  readonly instanceIds: readonly string[];
}

/**
 * The limit that the cloud enforces for the members of a server group, whatever projects stored. None when the group
 * with the same ID holds all of them to it. Its key differs from the group's, because the two may have different
 * members.
 */
const limitBeside = (serverGroup: CloudGroup, groupOf: ReadonlyMap<string, Group>): readonly EnforcedLimit[] => {
  const { groupId, antiAffinity, keptBy, maxInstancesPerHost } = serverGroup;
  const enforced = keptBy?.kind === 'cloud' ? keptBy : undefined;
  if (!antiAffinity && !enforced) return [];
  const limit: Group = {
    ...{ key: keyBeside(groupId), id: groupId, name: nameBeside(serverGroup) },
    maxImpactedMembers: (enforced && serverGroup.maxImpactedMembers) ?? Infinity,
    recoveryTimeSeconds: 0,
    ...(antiAffinity && { maxInstancesPerHost }),
    keptBy: enforced ?? { kind: 'cloud', isSteered: false },
  };
  const instanceIds = serverGroup.instanceIds.filter((id) => groupOf.has(id));
  const isHeldAnyway = instanceIds.every((id) => {
    const group = groupOf.get(id);
    return group?.key === keyOf(groupId) && isWithin(group, limit);
  });
  return isHeldAnyway ? [] : [{ limit, instanceIds }];
};

const nameBeside = ({ groupId, groupName = groupId, keptBy, kind = 'server group' }: CloudGroup): string =>
  keptBy?.kind === 'cloud' ? groupName : `${kind} ${groupName}`;

const isWithin = (group: Group, limit: Group): boolean =>
  (group.maxInstancesPerHost ?? Infinity) <= (limit.maxInstancesPerHost ?? Infinity) &&
  group.maxImpactedMembers <= limit.maxImpactedMembers;

/** Allows one member at a time where the cloud chooses the targets: it might choose the same host for two members. */
export const oneMemberAtATime = (group: Group): Group => ({
  ...group,
  maxImpactedMembers: 1,
  ...(isWithoutConstraints(group) && { keptBy: keptByService }),
});
