/**
 * When the claim of a member counts against the limit of its group, over all hosts and sessions, and how many further
 * members may be impacted. A member is impacted from its admission until recovery_time after the end of its action:
 * exactly as long as its claim is open. The limit itself: rules/constraints/work-out-limits.ts, and in `vnf` also
 * default-impact.ts.
 */
import { comesBackWithHost, type Departing } from '../../cloud/departure';
import type { Claim, Group, Instance, Limited } from '../fleet/fleet';
import { limitKeysOf } from '../fleet/limit-keys';

/** True when the claim still counts. A claim whose recovery is over does not, even if it is not closed yet. */
export const stillCounts = ({ phase, recoversAtMs }: Claim, nowMs: number): boolean =>
  // A recovery without a known end counts: a safety check that cannot answer means "do not proceed".
  phase !== 'recovering' || recoversAtMs === undefined || recoversAtMs > nowMs;

/**
 * The number of further members of the group that may be impacted now. An instance that does not serve needs none of
 * it (`costsNothing`).
 */
export const membersLeft = (
  { maxImpactedMembers, membersAway = 0, overdue }: Group,
  impactedMembers: number,
): number => (overdue?.isOfLastMoved === true ? 0 : Math.max(0, maxImpactedMembers - membersAway - impactedMembers));

/** The move of an instance that does not serve impacts no further member: it is among those that are away already. */
export const costsNothing = ({ isUnhealthy }: Pick<Instance, 'isUnhealthy'>): boolean => isUnhealthy === true;

/** The cloud itself lets no more members go while those that are away are not back. */
export const isEnforced = ({ keptBy, maxImpactedMembers }: Group): boolean =>
  keptBy.kind === 'cloud' && Number.isFinite(maxImpactedMembers);

/** The impact on one of its members is one on all. */
export const isUnit = ({ keptBy }: Pick<Group, 'keptBy'>): boolean =>
  keptBy.kind === 'service' && keptBy.limit === 'unit';

/** Nobody told how many of its members may be impacted at once. */
export const isWithoutConstraints = ({ keptBy }: Pick<Group, 'keptBy'>): boolean =>
  keptBy.kind === 'service' && keptBy.limit === 'share';

/**
 * True when the cloud alone decides whether the instance may go. Under a limit that the cloud keeps, those that left
 * the host before are away until it is back, so waiting for them would never end; an owner of the limit may let it go.
 */
export const isLeftToCloud = (limit: Group, instance: Departing): boolean =>
  comesBackWithHost(instance) && isEnforced(limit);

/** The groups that count this claim. After a change of group these are the old one and the new one. */
export const groupsImpactedBy = (claim: Claim, instance: Limited | undefined): ReadonlySet<string> =>
  new Set([...limitKeysOf(claim), ...limitKeysOf(instance ?? claim)]);

/**
 * The claim of an instance that is gone. It may have changed its group on its way, and goes on counting in both.
 *
 * @param last the limits that held for the instance when it went
 */
export const claimOfGone = (claim: Claim, last: Limited): Claim => {
  const further = [...groupsImpactedBy(claim, last)].filter((key) => key !== claim.groupKey);
  return further.length === 0 ? claim : { ...claim, furtherLimitKeys: further };
};

/** How long each of the claims still recovers. Milliseconds. */
export const untilRecoveries = (claims: Iterable<Claim>, nowMs: number): readonly number[] =>
  [...claims].flatMap(({ phase, recoversAtMs }) =>
    phase === 'recovering' && recoversAtMs !== undefined && recoversAtMs > nowMs ? [recoversAtMs - nowMs] : [],
  );
