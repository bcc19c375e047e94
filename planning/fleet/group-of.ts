/**
 * Which group every instance belongs to, and that group's limits: from the stored constraints, and where none are
 * stored from what the cloud knows. Groups and instances may be stored in any order, so either may be missing.
 */
import type { Group } from './fleet';

/** An instance as the cloud knows it. */
export interface InstanceFacts {
  readonly instanceId: string;
  readonly projectId: string;
  readonly flavor: string;
}

/** What the constraints of an instance say about its group. */
export interface StoredMembership {
  readonly instanceId: string;
  readonly groupId: string;
}

/** The constraints of a group, as stored. */
export interface StoredGroup {
  readonly groupId: string;
  readonly groupName: string;
  readonly antiAffinityGroup: boolean;
  readonly maxInstancesPerHost: number;
  readonly maxImpactedMembers: number;
  /** Seconds. */
  readonly recoveryTime: number;
}

/** A group as the cloud knows it (server group). */
export interface ServerGroup {
  readonly groupId: string;
  readonly antiAffinity: boolean;
  /** With anti-affinity: members that may share a host. */
  readonly maxInstancesPerHost: number;
  readonly instanceIds: readonly string[];
}

export interface GroupingInput {
  readonly instances: readonly InstanceFacts[];
  readonly memberships: readonly StoredMembership[];
  readonly storedGroups: readonly StoredGroup[];
  readonly serverGroups: readonly ServerGroup[];
}

export interface Grouping {
  /** Every group that has a member, ordered by key. */
  readonly groups: readonly Group[];
  /** The group key of every instance, by the instance's ID. */
  readonly keyOf: ReadonlyMap<string, string>;
}

/** Puts every instance into exactly one group. */
export function groupInstances(input: GroupingInput): Grouping {
  const known = knownGroups(input);
  const keyOf = new Map<string, string>();
  const groups = new Map<string, Group>();
  for (const instance of input.instances) {
    const group = groupOf(instance, known);
    keyOf.set(instance.instanceId, group.key);
    groups.set(group.key, group);
  }
  return { keyOf, groups: [...groups.values()].sort((one, other) => (one.key < other.key ? -1 : 1)) };
}

interface KnownGroups {
  readonly groupIdOf: ReadonlyMap<string, string>;
  readonly stored: ReadonlyMap<string, StoredGroup>;
  /** How many members may share a host, by the ID of a group with anti-affinity. */
  readonly perHostById: ReadonlyMap<string, number>;
  readonly antiAffinityIdOf: ReadonlyMap<string, string>;
}

function knownGroups({ memberships, storedGroups, serverGroups }: GroupingInput): KnownGroups {
  const antiAffinity = serverGroups.filter((group) => group.antiAffinity);
  return {
    groupIdOf: new Map(memberships.map(({ instanceId, groupId }) => [instanceId, groupId])),
    stored: new Map(storedGroups.map((group) => [group.groupId, group])),
    perHostById: new Map(antiAffinity.map((group) => [group.groupId, group.maxInstancesPerHost])),
    antiAffinityIdOf: new Map(
      antiAffinity.flatMap(({ groupId, instanceIds }) => instanceIds.map((id) => [id, groupId])),
    ),
  };
}

/**
 * The group that the instance's constraints name; else the cloud's server group where it has one with anti-affinity
 * (constraint groups match server groups, so a member whose constraints are not stored yet still counts in it); else
 * the instances of the project with the same flavor.
 */
function groupOf(instance: InstanceFacts, known: KnownGroups): Group {
  const groupId = known.groupIdOf.get(instance.instanceId) ?? known.antiAffinityIdOf.get(instance.instanceId);
  if (groupId === undefined) {
    return { ...groupWithoutConstraints(`${instance.projectId}/${instance.flavor}`), withoutConstraints: true };
  }
  const stored = known.stored.get(groupId);
  return stored ? constrainedGroup(stored) : groupWithoutConstraints(groupId, known.perHostById.get(groupId));
}

function constrainedGroup(stored: StoredGroup): Group {
  return {
    key: stored.groupId,
    name: stored.groupName,
    maxImpactedMembers: stored.maxImpactedMembers,
    recoveryTimeSeconds: stored.recoveryTime,
    // Without anti-affinity the field may hold anything, 0 included.
    ...(stored.antiAffinityGroup && { maxInstancesPerHost: stored.maxInstancesPerHost }),
  };
}

/** Nobody stored limits: one member at a time, and only as apart as the cloud itself keeps them. */
function groupWithoutConstraints(key: string, maxInstancesPerHost?: number): Group {
  return {
    key,
    name: key,
    maxImpactedMembers: 1,
    recoveryTimeSeconds: 0,
    ...(maxInstancesPerHost !== undefined && { maxInstancesPerHost }),
  };
}
