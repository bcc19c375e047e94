/**
 * The budget of a project's instances with the same flavor, where nobody stored a group for them: in the workflow `vnf`
 * a share of them (PARLEY_DEFAULT_IMPACT_SHARE). All other limits come from rules/constraints/work-out-limits.ts.
 */
import type { Group, Instance } from '../fleet/fleet';

/** The default of PARLEY_DEFAULT_IMPACT_SHARE. */
export const usualImpactShare = 0.25;

interface Grouped {
  readonly groups: readonly Group[];
  readonly instances: readonly Pick<Instance, 'groupKey'>[];
}

/**
 * The number of members of a group without constraints that may be impacted at once.
 *
 * @param share of its members, rounded down, but at least one
 */
export const defaultImpact = (members: number, share: number): number => {
  return Math.max(1, Math.floor(share * members));
};

/** The fleet, with `max_impacted_members` of groups without constraints by their size. */
export const withDefaultImpact = <Fleet extends Grouped>(fleet: Fleet, share: number): Fleet => {
  const members = new Map<string, number>();
  for (const { groupKey } of fleet.instances) members.set(groupKey, (members.get(groupKey) ?? 0) + 1);
  const groups = fleet.groups.map((group) =>
    group.withoutConstraints
      ? { ...group, maxImpactedMembers: defaultImpact(members.get(group.key) ?? 0, share) }
      : group,
  );
  return { ...fleet, groups };
};
