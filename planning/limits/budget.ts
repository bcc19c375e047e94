/**
 * How many members of a group may be impacted at once (max_impacted_members), over all hosts and sessions. A member is
 * impacted from the time it is asked its own question, or else its action starts, until recovery_time after its end:
 * exactly as long as its claim is open.
 */
import type { Claim, Group, Instance, Limited } from '../fleet/fleet';
import { type FleetIndex, limitKeysOf } from '../fleet/fleet-index';
import { limitsOf } from './limits-of-instance';

/** Whether the claim still counts; one whose recovery is over does not, even where it was not closed yet. */
export function isOpen({ phase, recoversAtMs }: Claim, nowMs: number): boolean {
  // A recovery without a known end counts: a safety check that cannot answer means "do not proceed".
  return phase !== 'recovering' || recoversAtMs === undefined || recoversAtMs > nowMs;
}

/** How many more members of the group may be impacted now. */
export function membersLeft({ maxImpactedMembers }: Group, impactedMembers: number): number {
  return Math.max(0, maxImpactedMembers - impactedMembers);
}

/** Of which groups the claim impacts a member: an instance that was put into another group meanwhile counts in both. */
export function groupsImpactedBy(claim: Claim, instance: Instance | undefined): ReadonlySet<string> {
  return new Set([...limitKeysOf(claim), ...limitKeysOf(instance ?? claim)]);
}

/** How long each of the claims still recovers. Milliseconds. */
export function untilRecoveries(claims: readonly Claim[], nowMs: number): readonly number[] {
  return claims.flatMap(({ phase, recoversAtMs }) =>
    phase === 'recovering' && recoversAtMs !== undefined && recoversAtMs > nowMs ? [recoversAtMs - nowMs] : [],
  );
}

/** The impacted members of every group, counted on by what a decision admits. */
export class Budget {
  readonly #impacted = new Map<string, number>();
  readonly #recoversAtMs = new Map<string, number>();

  constructor(
    private readonly index: FleetIndex,
    private readonly nowMs: number,
  ) {
    for (const claim of index.fleet.claims) if (isOpen(claim, nowMs)) this.#count(claim);
  }

  impactedMembers(groupKey: string): number {
    return this.#impacted.get(groupKey) ?? 0;
  }

  /** How many more members of the group may be impacted now. */
  membersLeft(group: Group): number {
    return membersLeft(group, this.impactedMembers(group.key));
  }

  /** The first of its limits that lets nothing more be impacted now; undefined: the instance may be. */
  spentLimit(limited: Limited): Group | undefined {
    return limitsOf(this.index, limited).find((limit) => this.membersLeft(limit) === 0);
  }

  /** Counts it as impacted from now on, under all of its limits. */
  impact(limited: Limited): void {
    for (const key of limitKeysOf(limited)) this.#add(key);
  }

  #add(groupKey: string): void {
    this.#impacted.set(groupKey, this.impactedMembers(groupKey) + 1);
  }

  /** Milliseconds until the first recovering member of the group has recovered; undefined where none recovers. */
  untilRecovery(groupKey: string): number | undefined {
    const atMs = this.#recoversAtMs.get(groupKey);
    return atMs === undefined ? undefined : atMs - this.nowMs;
  }

  #count(claim: Claim): void {
    for (const key of groupsImpactedBy(claim, this.index.instanceById.get(claim.instanceId))) {
      this.#add(key);
      if (claim.phase === 'recovering' && claim.recoversAtMs !== undefined) {
        this.#recoversAtMs.set(key, Math.min(claim.recoversAtMs, this.#recoversAtMs.get(key) ?? Infinity));
      }
    }
  }
}
