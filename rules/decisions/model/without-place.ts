/** How many instances may leave one host without a place, to come back with it: as many as their limits let go. */
import type { Instance } from '../fleet/fleet';
import { groupOfKey, type GroupsByKey, limitKeysOf } from '../fleet/limit-keys';
import type { TooMany } from '../limits/lack';

/**
 * More of them than a limit lets go at once would wait for each other; undefined: they may leave. Where nobody told a
 * limit, they leave one after the other, each when the one before it counts no longer.
 */
export const leavesTooMany = (
  model: GroupsByKey,
  leaving: readonly Instance[],
): (TooMany & { readonly instance: Instance }) | undefined => {
  const counts = new Map<string, number>();
  for (const instance of leaving) {
    for (const key of limitKeysOf(instance)) {
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const limit = groupOfKey(model, key);
      if (!limit.withoutConstraints && count > limit.maxImpactedMembers) return { instance, limit };
    }
  }
  return undefined;
};
