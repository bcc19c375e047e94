/** Decides how many instances may leave one host without a place and come back with it: as many as their limits let. */
import { needsNoPlace } from '../fleet/double-allocation';
import type { Group, Instance } from '../fleet/fleet';
import { groupOfKey, type GroupsByKey, limitKeysOf } from '../fleet/limit-keys';
import { isEnforced } from '../limits/impact';
import type { TooMany } from '../limits/lack';

/** More of them than a limit lets go at once would wait for each other; undefined: they may leave. */
export const leavesTooMany = (
  model: GroupsByKey,
  leaving: readonly Instance[],
): (TooMany & { readonly instance: Instance }) | undefined => {
  const counts = new Map<string, number>();
  for (const instance of leaving) {
    for (const key of limitKeysOf(instance)) {
      const limit = groupOfKey(model, key);
      if (!waitsUnder(limit, instance)) continue;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > limit.maxImpactedMembers) return { instance, limit };
    }
  }
  return undefined;
};

/**
 * A limit that the cloud itself enforces lets none go before one that is away is back. Where nobody told a limit, and
 * where no other host could take them, they leave one after the other, each when the one before it counts no longer.
 */
const waitsUnder = (limit: Group, instance: Instance): boolean => {
  if (instance.isNotMadeAgain) return false;
  return isEnforced(limit) || !(limit.withoutConstraints || needsNoPlace(instance));
};
