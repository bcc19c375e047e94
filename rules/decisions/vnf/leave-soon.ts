/** Whether an instance of a host may leave it soon after it is disabled, by the limits that it counts under. */
import type { Instance } from '../fleet/fleet';
import { groupOfKey, limitKeysOf } from '../fleet/limit-keys';
import { costsNothing } from '../limits/impact';
import type { FleetModel } from '../model/fleet-model';

export interface LeavingSoon {
  readonly instances: readonly Instance[];
  /** The instances of hosts that the same decision drains before. */
  readonly before: readonly Instance[];
}

/** One whose limits are not used up by those that are out, or that wait on hosts which are being drained. */
export const mayLeaveSoon = (model: FleetModel, { instances, before }: LeavingSoon): boolean => {
  const queued = new Map<string, number>();
  for (const key of before.flatMap(limitKeysOf)) queued.set(key, (queued.get(key) ?? 0) + 1);
  const isFree = (key: string): boolean => {
    const { maxImpactedMembers, membersAway = 0 } = groupOfKey(model, key);
    return model.groups.queueLength(key) + membersAway + (queued.get(key) ?? 0) < maxImpactedMembers;
  };
  return instances.length === 0 || instances.some((one) => costsNothing(one) || limitKeysOf(one).every(isFree));
};
