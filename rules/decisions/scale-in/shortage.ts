/** The capacity that other hosts lack so that a host can be drained. */
import { addCapacity, type Capacity, isAny, missingCapacity, noCapacity, shareOf } from '../fleet/capacity';
import { mayLeaveWithoutPlace } from '../fleet/double-allocation';
import type { Host, Instance } from '../fleet/fleet';
import { compareText } from '../fleet/ordered';
import type { FleetModel } from '../model/fleet-model';
import { instancesToMoveAway, largestFirst } from '../model/host-content';
import { closestTarget } from '../model/placement';

/** The capacity that would have to be freed if every instance of the host went where the least is missing for it. */
export interface Shortage {
  readonly host: Host;
  /** Instances that need a place elsewhere, largest first. */
  readonly instances: readonly Instance[];
  /** All the capacity that the blocked instances need. */
  readonly missing: Capacity;
  /** `missing` as a share of the host. */
  readonly share: number;
  /** The number of other hosts that lack that capacity. */
  readonly onHosts: number;
  /** Instances for which there is not enough, or no host that may take them. */
  readonly lacking: readonly Instance[];
  /** Instances for which anti-affinity leaves no other host. */
  readonly blocked: readonly Instance[];
}

/** @param withoutId an instance that is left out of account; its capacity has to be dropped from the model already */
export const shortageOf = (model: FleetModel, host: Host, withoutId?: string): Shortage => {
  const mark = model.capacity.mark();
  const instances = instancesToMoveAway(model, host.name)
    .filter(({ id }) => id !== withoutId && !model.reservedTarget.has(id))
    .filter((instance) => !mayLeaveWithoutPlace(instance))
    .sort(largestFirst(model));
  const lacks = instances.map((instance) => squeezeIn(model, instance));
  model.capacity.rollBack(mark);
  const missing = lacks.map((lack) => lack.missing).reduce((sum, each) => addCapacity(sum, each), noCapacity);
  return {
    host,
    instances,
    missing,
    share: shareOf(missing, model.capacity.sizeOf(host)),
    onHosts: new Set(lacks.flatMap(({ onHost }) => onHost ?? [])).size,
    lacking: lacks.filter((lack) => isAny(lack.missing)).map(({ instance }) => instance),
    blocked: lacks.filter(({ isBlocked }) => isBlocked).map(({ instance }) => instance),
  };
};

export const byLeastMissing = (one: Shortage, other: Shortage): number =>
  one.share - other.share || compareText(one.host.name, other.host.name);

interface Squeezed {
  readonly instance: Instance;
  readonly missing: Capacity;
  /** The host on which capacity is missing; undefined: none is missing, or no host in particular. */
  readonly onHost?: string;
  readonly isBlocked?: boolean;
}

/** Puts the instance where the least is missing for it, and says how much. */
const squeezeIn = (model: FleetModel, instance: Instance): Squeezed => {
  const { capacity } = model;
  const targets = capacity.targets();
  const closest = closestTarget(model, instance);
  const size = capacity.sizeOf(instance);
  if (!closest) {
    const refused = new Set(model.refusalsOf(instance).map(({ target }) => target));
    const isBlocked = targets.some(
      ({ host }) => host.name !== instance.host && model.classes.mayGo(instance, host) && !refused.has(host.name),
    );
    return { instance, missing: size, isBlocked };
  }
  const { host, load } = closest;
  const missing = missingCapacity(load.free, size);
  capacity.hold(host.name, instance);
  return { instance, missing, ...(isAny(missing) && { onHost: host.name }) };
};
