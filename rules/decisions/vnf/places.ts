/**
 * Places for the instances of hosts that a decision drains: each is held in the model's capacity while the decision is
 * made. Which hosts and instances get places, in which order: start-draining.ts.
 */
import { type Capacity, hasCapacityFor, slotsIn } from '../fleet/capacity';
import { mayLeaveWithoutPlace, needsNoPlace, noTarget } from '../fleet/double-allocation';
import type { Host, Instance, Reservation } from '../fleet/fleet';
import { isTarget, targetRanks } from '../fleet/host-work';
import type { FleetCapacity } from '../model/fleet-capacity';
import type { FleetModel } from '../model/fleet-model';
import { mayTakeIt } from '../model/may-take-it';
import { searchFor, type Targets } from '../model/placement';

export const placesOf = (instances: readonly Instance[], targetOf: Targets): readonly Reservation[] =>
  instances.map(({ id: instanceId }) => ({ instanceId, target: targetOf.get(instanceId)?.name ?? noTarget }));

/**
 * A quick look, before places are searched: whether there is as much capacity at all on the other hosts, and slots for
 * as many instances as large as its largest. Where hosts are nearly full, most searches would fail for that. Makes no
 * objects on its way: each decision asks about all hosts that wait.
 */
export const mayPlaceAllOf = (model: FleetModel, host: Host): boolean => {
  const { capacity } = model;
  const whole = capacity.sizeOf(host);
  const { free } = capacity.loadOf(host.name);
  const { total } = capacity;
  const isOneOfThem = isTarget(host);
  // An instance that is leaving already needs no other place.
  const largest = model.outgoingByHost.has(host.name) ? [] : largestOn(capacity, model.instancesOn(host.name));
  for (let resource = 0; resource < Math.max(whole.length, free.length); resource += 1) {
    const left = amountAt(free, resource);
    const used = amountAt(whole, resource) - left;
    const own = isOneOfThem ? Math.max(0, left) : 0;
    if (used <= 0) continue;
    if (used > amountAt(total, resource) - own) return false;
    const { amount, count } = largest[resource] ?? none;
    if (amount > 0 && capacity.slotsFor(amount, resource) - slotsIn(own, amount) < count) return false;
  }
  return true;
};

const amountAt = (capacity: Capacity, resource: number): number => capacity[resource] ?? 0;

interface Largest {
  readonly amount: number;
  /** The number of instances with that much. */
  readonly count: number;
}

const none: Largest = { amount: 0, count: 0 };

/** The list of a host's instances never changes; each decision asks about all hosts that wait. */
const knownLargest = new WeakMap<readonly Instance[], readonly Largest[]>();

/** The largest amount of each resource. */
const largestOn = (capacity: FleetCapacity, instances: readonly Instance[]): readonly Largest[] => {
  const known = knownLargest.get(instances);
  if (known) return known;
  const sizes = instances.map((instance) => capacity.sizeOf(instance));
  const resources = Math.max(0, ...sizes.map(({ length }) => length));
  const largest = Array.from({ length: resources }, (_, resource): Largest => {
    const amount = Math.max(...sizes.map((size) => size[resource] ?? 0));
    return { amount, count: sizes.filter((size) => size[resource] === amount).length };
  });
  knownLargest.set(instances, largest);
  return largest;
};

/** A place on a host that stays; undefined where none has capacity. */
export const placeToStay = (model: FleetModel, instance: Instance): Reservation | undefined => {
  if (needsNoPlace(instance)) return { instanceId: instance.id, target: noTarget };
  const search = { ...searchFor(model, instance), worstRank: targetRanks.notInSession };
  const target = model.capacity.bestFor(instance, search)?.host.name;
  if (target === undefined) return undefined;
  model.capacity.hold(target, instance);
  return { instanceId: instance.id, target };
};

/** Places on hosts that stay, for those instances that find one. */
export const placeMost = (model: FleetModel, instances: readonly Instance[]): readonly Reservation[] =>
  instances.flatMap((instance) => placeToStay(model, instance) ?? []);

/** The same where all others fit together on one of the hosts that return; else none. */
export const placeSome = (
  model: FleetModel,
  instances: readonly Instance[],
  returning: readonly Host[],
): readonly Reservation[] => {
  const mark = model.capacity.mark();
  const places = placeMost(model, instances);
  const placed = new Set(places.map(({ instanceId }) => instanceId));
  const rest = instances.filter(({ id }) => !placed.has(id));
  if (places.length > 0 && returning.some((host) => fitOn(model, host, rest))) return places;
  model.capacity.rollBack(mark);
  return [];
};

/** True when the instances fit together on the host beside its load. */
const fitOn = (model: FleetModel, host: Host, instances: readonly Instance[]): boolean => {
  const { capacity } = model;
  const mark = capacity.mark();
  const load = capacity.loadOf(host.name);
  const fits = instances.every((instance) => {
    if (mayLeaveWithoutPlace(instance)) return true;
    const mayTake = mayTakeIt(model, capacity, instance);
    if (!hasCapacityFor(load.free, capacity.sizeOf(instance)) || !mayTake({ host, load })) return false;
    capacity.hold(host.name, instance);
    return true;
  });
  capacity.rollBack(mark);
  return fits;
};
