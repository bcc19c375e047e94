/**
 * Looks up the limits that hold for an instance, as rules/constraints/work-out-limits.ts has worked them out: those of
 * its own group, and further ones, each of which counts its own members; all of them must hold.
 */
import type { Group, Limited } from '../fleet/fleet';
import { groupOfKey, type GroupsByKey, limitKeysOf } from '../fleet/limit-keys';

/** The limits of an instance or a claim, its own group's first. */
export const limitsOf = (fleet: GroupsByKey, limited: Limited): readonly Group[] => {
  return limitKeysOf(limited).map((key) => groupOfKey(fleet, key));
};

/**
 * The anti-affinity by which a host that holds these members, resident or incoming, may not take another one;
 * undefined: it may. A host that is over its limit already is tolerated, and takes none.
 */
export const limitAgainst = (limits: readonly Group[], membersOnHost: ReadonlyMap<string, number>): Group | undefined =>
  limits.find(({ key, maxInstancesPerHost = Infinity }) => (membersOnHost.get(key) ?? 0) >= maxInstancesPerHost);

/** The longest of them, in seconds: an instance counts as impacted under all of its limits until it has recovered. */
export const recoverySecondsOf = (limits: readonly Group[]): number => {
  return limits.reduce((longest, { recoveryTimeSeconds }) => Math.max(longest, recoveryTimeSeconds), 0);
};
