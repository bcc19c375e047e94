/** Counts the members of each group that are impacted, that wait for its budget, and that have a reserved place. */
import type { Claim, Instance } from '../fleet/fleet';
import { addOrForget } from '../fleet/host-load';
import { limitKeysOf } from '../fleet/limit-keys';
import { compareText } from '../fleet/ordered';
import { groupsImpactedBy } from '../limits/impact';

export class GroupCounts {
  readonly #impacted = new Map<string, number>();
  readonly #queued = new Map<string, number>();
  readonly #reserved = new Map<string, Set<string>>();

  /** Members of the group with an open claim. */
  impacted(groupKey: string): number {
    return this.#impacted.get(groupKey) ?? 0;
  }

  /** Members that wait for the budget of the group. */
  queued(groupKey: string): number {
    return this.#queued.get(groupKey) ?? 0;
  }

  /** Groups that have members with a reserved place. */
  groupsWithReserved(): readonly string[] {
    return [...this.#reserved.keys()].sort(compareText);
  }

  /** IDs of the group's instances that have a reserved place. */
  reserved(groupKey: string): readonly string[] {
    return [...(this.#reserved.get(groupKey) ?? [])];
  }

  /** @param times 1: it counts from now on; -1: no longer */
  countImpacted(claim: Claim, instance: Instance | undefined, times: 1 | -1): void {
    for (const key of groupsImpactedBy(claim, instance)) addOrForget(this.#impacted, key, times);
  }

  countQueued(instance: Instance, times: 1 | -1): void {
    for (const key of limitKeysOf(instance)) addOrForget(this.#queued, key, times);
  }

  countReserved({ id, groupKey }: Instance, times: 1 | -1): void {
    const reserved = this.#reserved.get(groupKey) ?? new Set();
    if (times === 1) reserved.add(id);
    else reserved.delete(id);
    if (reserved.size > 0) this.#reserved.set(groupKey, reserved);
    else this.#reserved.delete(groupKey);
  }
}
