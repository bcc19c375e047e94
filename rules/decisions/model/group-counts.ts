/** Counts the members of each group that are impacted, that wait for its budget, and that have a reserved place. */
import type { Claim, Group, Instance } from '../fleet/fleet';
import { addOrForget } from '../fleet/host-load';
import { groupOfKey, type GroupsByKey, limitKeysOf } from '../fleet/limit-keys';
import { compareText } from '../fleet/ordered';
import { costsNothing, groupsImpactedBy, isLeftToCloud, membersLeft } from '../limits/impact';

export class GroupCounts implements GroupsByKey {
  readonly #impacted = new Map<string, number>();
  readonly #queued = new Map<string, number>();
  readonly #reserved = new Map<string, Set<Instance>>();

  constructor(readonly groupByKey: ReadonlyMap<string, Group>) {}

  /** Members of the group with an open claim. */
  impactedMembers(groupKey: string): number {
    return this.#impacted.get(groupKey) ?? 0;
  }

  /** The number of further members of the group that may be impacted now. */
  membersLeft(groupKey: string): number {
    return membersLeft(groupOfKey(this, groupKey), this.impactedMembers(groupKey));
  }

  /** Members that are impacted, or wait for the budget of the group on hosts that are being drained. */
  queueLength(groupKey: string): number {
    return this.impactedMembers(groupKey) + (this.#queued.get(groupKey) ?? 0);
  }

  /** Groups that have members with a reserved place, and budget left or a member that may go without. */
  ready(): readonly string[] {
    const isReady = ([key, members]: readonly [string, ReadonlySet<Instance>]): boolean => {
      if (this.membersLeft(key) > 0) return true;
      const group = groupOfKey(this, key);
      return [...members].some((member) => costsNothing(member) || isLeftToCloud(group, member));
    };
    return [...this.#reserved].flatMap((entry) => (isReady(entry) ? [entry[0]] : [])).sort(compareText);
  }

  /** The group's instances that have a reserved place. */
  reservedOf(groupKey: string): readonly Instance[] {
    return [...(this.#reserved.get(groupKey) ?? [])];
  }

  /** @param times 1: it counts from now on; -1: no longer */
  countImpacted(claim: Claim, instance: Instance | undefined, times: 1 | -1): void {
    for (const key of groupsImpactedBy(claim, instance)) addOrForget(this.#impacted, key, times);
  }

  countQueued(instance: Instance, times: 1 | -1): void {
    for (const key of limitKeysOf(instance)) addOrForget(this.#queued, key, times);
  }

  countReserved(instance: Instance, times: 1 | -1): void {
    const reserved = this.#reserved.get(instance.groupKey) ?? new Set();
    if (times === 1) reserved.add(instance);
    else reserved.delete(instance);
    if (reserved.size > 0) this.#reserved.set(instance.groupKey, reserved);
    else this.#reserved.delete(instance.groupKey);
  }
}
