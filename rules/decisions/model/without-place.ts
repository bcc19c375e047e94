/**
 * Decides how many instances may leave one host without a place and come back with it: as many as the limits let that
 * the service keeps. A limit that the cloud keeps may be opened by its owner when the first of them has left.
 */
import { comesBackWithHost, isNotMadeAgain } from '../../cloud/departure';
import type { Group, Instance } from '../fleet/fleet';
import { groupOfKey, type GroupsByKey, limitKeysOf } from '../fleet/limit-keys';
import { isEnforced, isWithoutConstraints } from '../limits/impact';
import type { TooMany } from '../limits/lack';

/** More of them than a limit lets go at once would wait for each other; undefined: they may leave. */
export const leavesTooMany = (model: GroupsByKey, leaving: readonly Instance[]): TooManyThere | undefined =>
  // Where nobody told a limit, as many may be away as one host has of them (limits/default-impact.ts).
  firstBeyond(model, leaving, (limit) => !isEnforced(limit) && !isWithoutConstraints(limit));

/**
 * The cloud lets fewer of those go at once that come back with the host than there are: the others are asked for until
 * its owner lets them go. Undefined: it lets all of them go, or a program changes the limit as they leave.
 */
export const mayBeTooMany = (model: GroupsByKey, there: readonly Instance[]): TooManyThere | undefined => {
  const isWaiting = (limit: Group): boolean => isEnforced(limit) && !isSteered(limit);
  return firstBeyond(model, there.filter(comesBackWithHost), isWaiting);
};

const isSteered = ({ keptBy }: Group): boolean => keptBy.kind === 'cloud' && keptBy.isSteered;

type TooManyThere = TooMany & { readonly instance: Instance };

const firstBeyond = (
  model: GroupsByKey,
  leaving: readonly Instance[],
  isWaiting: (limit: Group) => boolean,
): TooManyThere | undefined => {
  const counts = new Map<string, number>();
  for (const instance of leaving) {
    if (isNotMadeAgain(instance)) continue;
    for (const key of limitKeysOf(instance)) {
      const limit = groupOfKey(model, key);
      if (!isWaiting(limit)) continue;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      if (count > limit.maxImpactedMembers) return { instance, limit };
    }
  }
  return undefined;
};
