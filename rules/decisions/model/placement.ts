/**
 * Targets for the instances of a host: packing with anti-affinity, largest first, each by the rule `bestFor` in
 * fleet-capacity.ts. Where an instance finds no target, it goes first in another attempt; the number of attempts is
 * bounded, so a placement that exists may be missed, never one found that does not fit.
 */
import { comesBackWithHost } from '../../cloud/departure';
import type { Spread } from '../../cloud/spread';
import { missingCapacity, missingShare, shareOf } from '../fleet/capacity';
import { mayLeaveWithoutPlace, needsNoPlace } from '../fleet/double-allocation';
import type { Host, Instance } from '../fleet/fleet';
import { groupOfKey } from '../fleet/limit-keys';
import type { Lack } from '../limits/lack';
import type { FleetCapacity, Target, TargetSearch } from './fleet-capacity';
import type { FleetModel } from './fleet-model';
import { fullOfMembers } from './full-of-members';
import { largestFirst } from './host-content';
import { mayTakeIt } from './may-take-it';
import { spreadAgainst } from './spread-counts';
import { leavesTooMany } from './without-place';

/** Attempts with another order after the first, where the request names no number. */
const usualFurtherAttempts = 10;

export interface PlacementRequest {
  readonly model: FleetModel;
  readonly instances: readonly Instance[];
  /** Holds what was placed afterwards; unchanged where a target is lacking. Left out: that of the model now. */
  readonly capacity?: FleetCapacity;
  /** Attempts with another order, after the first. */
  readonly furtherAttempts?: number;
}

/** The targets by instance ID; an instance that leaves without a place has none. */
export type Targets = ReadonlyMap<string, Host>;

export type Placement =
  | { readonly kind: 'placed'; readonly targetOf: Targets }
  /** The lack is the one of the first attempt. */
  | { readonly kind: 'lacking'; readonly lack: Lack };

/**
 * Places all of the instances, or says what is lacking. If they do not all fit, those that may leave without a place
 * do so, and the others have the capacity. Of those that come back with their host, each that finds a place beside them
 * has it; as many as their limits let go at once have none.
 */
export const place = (request: PlacementRequest): Placement => {
  const { model, instances, capacity = model.capacity } = request;
  const mark = capacity.mark();
  const placement = placeOrLeave(request);
  if (placement.kind === 'lacking') return placement;
  const without = instances.filter((instance) => comesBack(instance) && !placement.targetOf.has(instance.id));
  const lack = whyNotWithout(request, without, placement.targetOf);
  if (lack === undefined) return placement;
  capacity.rollBack(mark);
  return { kind: 'lacking', lack };
};

/** The same whatever their limits are. */
const placeOrLeave = (request: PlacementRequest): Placement => {
  const { instances } = request;
  const placement = placeAll(request);
  if (placement.kind === 'placed' || !instances.some(mayLeaveWithoutPlace)) return placement;
  const others = placeAll({ ...request, instances: instances.filter((instance) => !mayLeaveWithoutPlace(instance)) });
  if (others.kind === 'lacking') return others;
  return {
    kind: 'placed',
    targetOf: new Map([...others.targetOf, ...placeEach(request, instances.filter(comesBack))]),
  };
};

const comesBack = (instance: Instance): boolean => comesBackWithHost(instance) && mayLeaveWithoutPlace(instance);

/** An instance that only lacks room waits for it. Undefined: they may all leave, and come back with their host. */
const whyNotWithout = (request: PlacementRequest, leaving: readonly Instance[], placed: Targets): Lack | undefined => {
  for (const instance of leaving) {
    if (needsNoPlace(instance)) continue;
    const lack = lackOf(request, instance, placed);
    if (lack.kind === 'room' && lack.closest !== undefined) return lack;
  }
  const tooMany = leavesTooMany(request.model, leaving);
  if (tooMany === undefined) return undefined;
  const { instance, limit } = tooMany;
  const lack = lackOf(request, instance, placed);
  const isOnlyRoom = lack.kind === 'room' && !needsNoPlace(instance);
  return isOnlyRoom || lack.kind === 'refused' ? lack : { ...lack, tooMany: { limit } };
};

/** Those that need a place and find one, one after the other. */
const placeEach = (
  { model, capacity = model.capacity }: PlacementRequest,
  instances: readonly Instance[],
): readonly (readonly [string, Host])[] =>
  instances
    .filter((instance) => !needsNoPlace(instance))
    .sort(largestFirst(model))
    .flatMap((instance) => {
      const target = capacity.bestFor(instance, searchFor(model, instance, capacity));
      if (!target) return [];
      capacity.hold(target.host.name, instance);
      return [[instance.id, target.host] as const];
    });

const placeAll = (request: PlacementRequest): Placement => {
  const lacks: Lack[] = [];
  const targetOf = findTargets(request, (instance, placed) => {
    if (lacks.length === 0) lacks.push(lackOf(request, instance, placed));
  });
  const [lack] = lacks;
  return targetOf === undefined && lack
    ? { kind: 'lacking', lack }
    : { kind: 'placed', targetOf: targetOf ?? new Map() };
};

/** Takes back the places found so far, and returns the lack. */
export const lackIn = (request: PlacementRequest): Lack | undefined => {
  const { capacity = request.model.capacity } = request;
  const mark = capacity.mark();
  const placement = place(request);
  capacity.rollBack(mark);
  return placement.kind === 'lacking' ? placement.lack : undefined;
};

type OnLack = (instance: Instance, placed: Targets) => void;

/**
 * A target for each that needs one; undefined where one finds none.
 *
 * @param onLack is told which instance finds no target, while the others have theirs
 */
export const findTargets = (request: PlacementRequest, onLack?: OnLack): Targets | undefined => {
  const { furtherAttempts = usualFurtherAttempts } = request;
  let order = request.instances.filter((instance) => !needsNoPlace(instance)).sort(largestFirst(request.model));
  for (let further = 0; ; further += 1) {
    const { targetOf, lacking: instance } = placeInOrder(request, order, onLack);
    if (!instance) return targetOf;
    // It does not fit even alone, or this was tried often enough.
    if (order[0] === instance || further >= furtherAttempts) return undefined;
    order = [instance, ...order.filter((other) => other !== instance)];
  }
};

/** Searches by class, limits and refusals, and leaves scarce hosts to others. */
export const searchFor = (model: FleetModel, instance: Instance, capacity = model.capacity): TargetSearch => ({
  mayTake: mayTakeIt(model, capacity, instance),
  scarcity: model.pools.scarcityFor(instance, capacity),
});

interface Attempt {
  readonly targetOf: Targets;
  readonly lacking?: Instance;
}

const placeInOrder = (
  { model, capacity = model.capacity }: PlacementRequest,
  order: readonly Instance[],
  onLack?: OnLack,
): Attempt => {
  const targetOf = new Map<string, Host>();
  const mark = capacity.mark();
  for (const instance of order) {
    const target = capacity.bestFor(instance, searchFor(model, instance, capacity));
    if (!target) {
      onLack?.(instance, targetOf);
      capacity.rollBack(mark);
      return { targetOf, lacking: instance };
    }
    capacity.hold(target.host.name, instance);
    targetOf.set(instance.id, target.host);
  }
  return { targetOf };
};

/** Refused, affinity or a spread, where no target may take it; else the capacity missing on the closest that may. */
const lackOf = ({ model, capacity = model.capacity }: PlacementRequest, instance: Instance, placed: Targets): Lack => {
  const targets = capacity.targets();
  const closest = closestTarget(model, instance, capacity);
  const names = new Set(targets.map(({ host }) => host.name));
  const refusals = model.refusalsOf(instance).filter(({ target }) => names.has(target));
  const unfit = model.classes.unfitAmong(
    instance,
    targets.map(({ host }) => host),
  );
  const room = { kind: 'room', instance, wanted: model.classes.wantedBy(instance), unfit } as const;
  if (closest) {
    const missing = model.resources.amountsOf(missingCapacity(closest.load.free, capacity.sizeOf(instance)));
    return { ...room, missing, closest: closest.host.name, ...(refusals.length > 0 && { refusals }) };
  }
  if (refusals.length > 0) return { kind: 'refused', instance, refusals };
  const full = fullOfMembers({ model, targets, placed }, instance);
  if (full) return { kind: 'affinity', instance, ...full, unfit };
  const spread = spreadOnAll(model, capacity, instance);
  if (spread) return { kind: 'spread', instance, spread, limit: groupOfKey(model, instance.groupKey), unfit };
  return { ...room, missing: instance.amounts };
};

/** The first spread that keeps it from a target which nothing else keeps it from. */
const spreadOnAll = (model: FleetModel, capacity: FleetCapacity, instance: Instance): Spread | undefined => {
  if (!instance.spreads) return undefined;
  const against = spreadAgainst(model, capacity, instance);
  const others = capacity.targets().filter(({ host }) => host.name !== instance.host);
  return others.flatMap(({ host }) => (model.classes.mayGo(instance, host) ? (against(host.name) ?? []) : []))[0];
};

/**
 * The target that may take it where the least is missing for it, of equals the fuller one, so that large holes stay for
 * those who need them.
 */
export const closestTarget = (model: FleetModel, instance: Instance, capacity = model.capacity): Target | undefined => {
  const mayTake = mayTakeIt(model, capacity, instance);
  const size = capacity.sizeOf(instance);
  let best: Target | undefined;
  let [leastMissing, leastFree] = [Infinity, Infinity];
  for (const target of capacity.targets()) {
    const missing = missingShare(target.load.free, size);
    const free = shareOf(target.load.free, capacity.sizeOf(target.host));
    if (missing > leastMissing || (missing === leastMissing && free >= leastFree) || !mayTake(target)) continue;
    [best, leastMissing, leastFree] = [target, missing, free];
  }
  return best;
};
