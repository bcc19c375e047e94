/**
 * Decides whether instances of a further host may leave without a place and come back with it, while other hosts are
 * out. A group has to have one member on each host, and its limits have to let all of these be away at once. Waiting
 * has to be in vain, too: no host that is out would take them when it is back, since its own member comes back itself.
 */
import { comesBackWithHost } from '../../cloud/departure';
import { noTarget } from '../fleet/double-allocation';
import type { Host, Instance, Reservation } from '../fleet/fleet';
import { isUnderWork } from '../fleet/host-work';
import { groupOfKey, limitKeysOf } from '../fleet/limit-keys';
import { isEnforced } from '../limits/impact';
import type { FleetModel } from '../model/fleet-model';

export interface LeavingBeside {
  /** The instances of the host without a place. */
  readonly leaving: readonly Instance[];
  /** All instances of the host. */
  readonly instances: readonly Instance[];
  /** The reservations that the same decision has made so far. */
  readonly reserved: readonly Reservation[];
}

export const mayLeaveBeside = (model: FleetModel, beside: LeavingBeside): boolean => {
  const keys = new Set(beside.leaving.flatMap(limitKeysOf));
  return (
    [...keys].every((key) => isWithinLimit(model, key, beside)) &&
    beside.leaving.every((instance) => comesBackWithHost(instance) && isWaitInVain(model, instance))
  );
};

/**
 * Of instances that no other host could take, more might be away from several hosts than a limit lets go that the cloud
 * enforces: each host would wait for the others.
 */
export const mayBeAwayBeside = (model: FleetModel, beside: LeavingBeside): boolean => {
  const keys = new Set(beside.leaving.flatMap(limitKeysOf));
  return (
    [...keys].every((key) => !isEnforced(groupOfKey(model, key)) || isWithinLimit(model, key, beside)) &&
    beside.leaving.every((instance) => !isSpreadTwice(instance) || isNoneAway(model, instance.groupKey, beside))
  );
};

/** Under two spreads, those of two hosts that are back may keep each other from coming back. */
const isSpreadTwice = ({ spreads = [] }: Instance): boolean => spreads.length > 1;

const isNoneAway = (model: FleetModel, key: string, { reserved }: LeavingBeside): boolean =>
  model.groups.membersLeft(key) >= groupOfKey(model, key).maxImpactedMembers &&
  withoutPlaceUnder(model, key, reserved).length === 0;

/** A member that has a place needs one more turn, which must not wait for those that are away. */
const isWithinLimit = (model: FleetModel, key: string, { leaving, instances, reserved }: LeavingBeside): boolean => {
  const needed = leaving.filter(isUnder(key)).length;
  const further = instances.filter(isUnder(key)).length > needed ? 1 : 0;
  return needed + further + withoutPlaceUnder(model, key, reserved).length <= model.groups.membersLeft(key);
};

const isUnder =
  (key: string) =>
  (instance: Instance): boolean =>
    limitKeysOf(instance).includes(key);

/** Members that are to leave without a place. */
const withoutPlaceUnder = (
  model: FleetModel,
  key: string,
  reserved: LeavingBeside['reserved'],
): readonly Reservation[] => {
  const known = [...model.reservedTarget].map(([instanceId, target]): Reservation => ({ instanceId, target }));
  return [...known, ...reserved].filter(({ instanceId, target }) => {
    const instance = model.instanceById.get(instanceId);
    return target === noTarget && instance !== undefined && isUnder(key)(instance);
  });
};

/** Of a group with several members on a host, those that are away together might not all find a way back. */
const isWaitInVain = (model: FleetModel, { groupKey, host, ...instance }: Instance): boolean => {
  const membersOn = ({ name }: Host): number => model.capacity.loadOf(name).membersByGroup.get(groupKey) ?? 0;
  if (model.hosts.some((one) => membersOn(one) > 1)) return false;
  const out = model.hosts.filter((one) => isUnderWork(one) && one.name !== host && model.classes.mayGo(instance, one));
  return out.filter((one) => membersOn(one) === 0).length <= membersAway(model, groupKey);
};

/** Members that are on no host until theirs is back. */
const membersAway = (model: FleetModel, groupKey: string): number => {
  const { membersAway: away = 0 } = model.groupByKey.get(groupKey) ?? {};
  const isOnHost = (instance: Instance | undefined): boolean =>
    instance !== undefined && model.hostByName.has(instance.host);
  const gone = [...model.claimByInstance.values()].filter(
    (claim) =>
      claim.groupKey === groupKey && claim.target === noTarget && !isOnHost(model.instanceById.get(claim.instanceId)),
  );
  return away + gone.length;
};
