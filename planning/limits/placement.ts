/**
 * Where the instances of a host go: packing with anti-affinity. Largest first onto the best kind of target, and there
 * where it leaves the least room unused. Where an instance finds no place, it goes first in another attempt; the number
 * of attempts is bounded, so a placement that exists may be missed, never one found that does not fit.
 */
import type { Group, Host, Instance, Refusal } from '../fleet/fleet';
import { type FleetIndex, compareText, refusalsOf } from '../fleet/fleet-index';
import { isTarget } from '../fleet/host-work';
import { mayLeaveWithoutPlace, needsNoPlace } from '../fleet/double-allocation';
import type { HostLoad, Occupancy } from '../fleet/occupancy';
import { limitAgainst, limitsOf } from './limits-of-instance';
import { type Room, hasRoomFor, missingRoom, missingShare, roomToTake, shareOf } from '../fleet/room';

/** Attempts with another order after the first, where the request names no number. */
const usualFurtherAttempts = 10;

/** A host that may take instances; of a lower rank is better. */
export interface Target {
  readonly host: Host;
  readonly rank: number;
  /** What it holds, which changes as instances are placed. */
  readonly load: HostLoad;
}

interface LackOfRoom {
  readonly kind: 'room';
  readonly instance: Instance;
  readonly missing: Room;
  readonly hasNoTarget?: true;
}

/** What an instance lacks to be placed; `refusals`: of targets that are left out for it. */
export type Lack =
  /** Room on the target that comes closest; all that it needs where no other host takes instances. */
  | (LackOfRoom & { readonly refusals?: readonly Refusal[] })
  /** Every target holds as many members as it may; of several limits that is one. */
  | { readonly kind: 'affinity'; readonly instance: Instance; readonly limit: Group }
  /** The cloud refused it on the targets that are left. */
  | { readonly kind: 'refused'; readonly instance: Instance; readonly refusals: readonly Refusal[] };

export type Placement = PlacementOr<Lack>;

/** What is lacking is that of the first attempt. Who leaves without a place has no target. */
export type PlacementOr<Lacking> =
  | { readonly kind: 'placed'; readonly targetOf: ReadonlyMap<string, Host> }
  | { readonly kind: 'lacking'; readonly lack: Lacking };

interface Attempts {
  readonly instances: readonly Instance[];
  /** Holds what was placed afterwards; unchanged where a place is lacking. */
  readonly occupancy: Occupancy;
  /** Attempts with another order, after the first. */
  readonly furtherAttempts?: number;
}

export interface PlacementRequest extends Attempts {
  readonly index: FleetIndex;
  /** Best rank first, their loads in `occupancy`. */
  readonly targets: readonly Target[];
}

/** How a target is chosen, and what is said of an instance that finds none, both as things are at that moment. */
export interface PlacementSearch<Lacking extends { readonly instance: Instance }> extends Attempts {
  readonly bestFor: (instance: Instance) => Target | undefined;
  readonly lackOf: (instance: Instance) => Lacking;
}

/** Maintained hosts, then hosts of no session or skipped by one, then hosts that still wait for their maintenance. */
export function targetsOf({ hosts }: Pick<FleetIndex, 'hosts'>, occupancy: Occupancy): readonly Target[] {
  const byRank: readonly Target[][] = [[], [], []];
  for (const host of hosts) {
    if (!isTarget(host)) continue;
    const rank = rankOf(host);
    byRank[rank]?.push({ host, rank, load: occupancy.loadOf(host.name) });
  }
  return byRank.flat();
}

/** Of maintained hosts. */
export const bestRank = 0;
/** Of hosts that nobody maintains: the worst of those that will not be emptied again. */
export const worstLastingRank = 1;
/** Of hosts that will be emptied themselves. */
export const worstRank = 2;

export function rankOf({ work }: Host): number {
  if (!work || work.phase === 'skipped') return worstLastingRank;
  return work.phase === 'maintained' ? bestRank : worstRank;
}

/**
 * Finds a target for every instance, none of them the host that it is on; the same input gives the same result. Where
 * not all find one, those that may leave without a place do so, and the others have the room.
 */
export function place({ index, targets, ...attempts }: PlacementRequest): Placement {
  const search = {
    ...attempts,
    bestFor: (instance: Instance) => bestTarget(index, instance, targets),
    lackOf: (instance: Instance) => lackOf(index, instance, targets),
  };
  const placement = placeBy(search);
  if (placement.kind === 'placed' || !attempts.instances.some(mayLeaveWithoutPlace)) return placement;
  return placeBy({ ...search, instances: attempts.instances.filter((instance) => !mayLeaveWithoutPlace(instance)) });
}

/** The same by another way of searching. */
export function placeBy<Lacking extends { readonly instance: Instance }>(
  search: PlacementSearch<Lacking>,
): PlacementOr<Lacking> {
  let order = search.instances.filter((instance) => !needsNoPlace(instance)).sort(largestFirst);
  const first = placeInOrder(search, order);
  let attempt = first;
  const { furtherAttempts = usualFurtherAttempts } = search;
  for (let count = 0; count < furtherAttempts && attempt.kind === 'lacking'; count += 1) {
    const { instance } = attempt.lack;
    if (order[0] === instance) return attempt; // not even alone
    order = [instance, ...order.filter((other) => other !== instance)];
    attempt = placeInOrder(search, order);
  }
  return attempt.kind === 'placed' ? attempt : first;
}

export function largestFirst(one: Instance, other: Instance): number {
  return other.vcpus - one.vcpus || other.memoryMb - one.memoryMb || compareText(one.id, other.id);
}

function placeInOrder<Lacking extends { readonly instance: Instance }>(
  { bestFor, lackOf, occupancy }: PlacementSearch<Lacking>,
  order: readonly Instance[],
): PlacementOr<Lacking> {
  const targetOf = new Map<string, Host>();
  const mark = occupancy.mark();
  for (const instance of order) {
    const target = bestFor(instance);
    if (!target) {
      const lack = lackOf(instance);
      occupancy.rollBack(mark);
      return { kind: 'lacking', lack };
    }
    occupancy.hold(target.host.name, instance);
    targetOf.set(instance.id, target.host);
  }
  return { kind: 'placed', targetOf };
}

/** Of the best rank that has room, the one where the least stays unused. */
export function bestTarget(index: FleetIndex, instance: Instance, targets: readonly Target[]): Target | undefined {
  const allows = mayTakeIt(index, instance);
  let best: Target | undefined;
  let leastUnused = Infinity;
  for (const target of targets) {
    if (best && target.rank > best.rank) break;
    if (!hasRoomFor(target.load.free, instance) || !allows(target)) continue;
    const unused = shareOf(roomToTake(target.load.free), target.host) - shareOf(instance, target.host);
    if (unused < leastUnused) [best, leastUnused] = [target, unused];
  }
  return best;
}

/** Whether the instance may go to a target, room apart: by all of its limits, and as far as the cloud let it before. */
export function mayTakeIt(index: FleetIndex, instance: Instance): (target: Target) => boolean {
  const limits = limitsOf(index, instance);
  const refused = new Set(refusalsOf(index, instance.id).map(({ target }) => target));
  return ({ host, load }) =>
    host.name !== instance.host && !refused.has(host.name) && limitAgainst(limits, load.membersByGroup) === undefined;
}

/** Refused, or affinity, where no target may take it; else the room missing on the closest of those that may. */
function lackOf(index: FleetIndex, instance: Instance, targets: readonly Target[]): Lack {
  const missing = leastMissing(instance, targets, mayTakeIt(index, instance));
  const refusals = refusalsOf(index, instance.id).filter(({ target }) =>
    targets.some(({ host }) => host.name === target),
  );
  if (missing) return { kind: 'room', instance, missing, ...(refusals.length > 0 && { refusals }) };
  if (refusals.length > 0) return { kind: 'refused', instance, refusals };
  const limit = limitOnAll(index, instance, targets);
  return limit
    ? { kind: 'affinity', instance, limit }
    : { kind: 'room', instance, missing: roomOf(instance), hasNoTarget: true };
}

/** The limit that keeps it from most of the targets, where one keeps it from each; undefined: there is no target. */
export function limitOnAll(index: FleetIndex, instance: Instance, targets: readonly Target[]): Group | undefined {
  const limits = limitsOf(index, instance);
  const against = targets
    .filter(({ host }) => host.name !== instance.host)
    .flatMap(({ load }) => limitAgainst(limits, load.membersByGroup) ?? []);
  const timesOf = (limit: Group): number => against.filter((other) => other === limit).length;
  return limits.filter((limit) => timesOf(limit) > 0).toSorted((one, other) => timesOf(other) - timesOf(one))[0];
}

function leastMissing(
  instance: Instance,
  targets: readonly Target[],
  allows: (target: Target) => boolean,
): Room | undefined {
  let closest: Target | undefined;
  let leastShare = Infinity;
  for (const target of targets) {
    const share = missingShare(target.load.free, instance);
    if (share < leastShare && allows(target)) [closest, leastShare] = [target, share];
  }
  return closest && missingRoom(closest.load.free, instance);
}

function roomOf({ vcpus, memoryMb }: Room): Room {
  return { vcpus, memoryMb };
}
