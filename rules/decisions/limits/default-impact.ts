/**
 * The budget of a project's instances with the same flavor, where nobody stored a group for them: in the workflow `vnf`
 * a share of them (PARLEY_DEFAULT_IMPACT_SHARE). All other limits come from rules/constraints/work-out-limits.ts.
 */
import { comesBackWithHost } from '../../cloud/departure';
import type { Group, Instance } from '../fleet/fleet';
import { isWithoutConstraints } from './impact';

/** The default of PARLEY_DEFAULT_IMPACT_SHARE. */
export const usualImpactShare = 0.25;

interface Grouped {
  readonly groups: readonly Group[];
  readonly instances: readonly (Pick<Instance, 'groupKey'> & Partial<Pick<Instance, 'host' | 'departure'>>)[];
}

/**
 * The number of members of a group without constraints that may be impacted at once.
 *
 * @param share of its members, rounded down, but at least one
 */
export const defaultImpact = (members: number, share: number): number => {
  return Math.max(1, Math.floor(share * members));
};

/**
 * The fleet, with `max_impacted_members` of groups without constraints by their size. Members that come back with their
 * host are away until then, so all of one host may be.
 */
export const withDefaultImpact = <Fleet extends Grouped>(fleet: Fleet, share: number): Fleet => {
  const members = Map.groupBy(fleet.instances, ({ groupKey }) => groupKey);
  const groups = fleet.groups.map((group) => {
    if (!isWithoutConstraints(group)) return group;
    const own = members.get(group.key) ?? [];
    return { ...group, maxImpactedMembers: Math.max(defaultImpact(own.length, share), mostBackWithOneHost(own)) };
  });
  return { ...fleet, groups };
};

const mostBackWithOneHost = (members: Grouped['instances']): number => {
  const comingBack = Map.groupBy(
    members.filter(({ departure }) => departure && comesBackWithHost({ departure })),
    ({ host }) => host,
  );
  return Math.max(0, ...[...comingBack.values()].map(({ length }) => length));
};
