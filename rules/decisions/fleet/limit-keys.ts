/** The keys of the limits that an instance or a claim counts under, and the group that each names. */
import type { LimitKeeper } from '../../cloud/cloud-facts';
import type { Group, Limited } from './fleet';

/** All that it counts under, its own group first. */
export const limitKeysOf = ({ groupKey, furtherLimitKeys }: Limited): readonly string[] =>
  furtherLimitKeys ? [groupKey, ...furtherLimitKeys] : [groupKey];

/** The keys alone. */
export const limitedBy = ({ groupKey, furtherLimitKeys }: Limited): Limited => ({
  groupKey,
  ...(furtherLimitKeys && { furtherLimitKeys }),
});

export interface GroupsByKey {
  readonly groupByKey: ReadonlyMap<string, Group>;
}

/** The keeper of a limit that a project stored, and of one member at a time where nothing else is known. */
export const keptByService: LimitKeeper = { kind: 'service', limit: 'told' };

/** The group's limits; a group that the snapshot lacks has those of one that is not stored. */
export const groupOfKey = ({ groupByKey }: GroupsByKey, key: string): Group =>
  groupByKey.get(key) ?? { key, name: key, maxImpactedMembers: 1, recoveryTimeSeconds: 0, keptBy: keptByService };
