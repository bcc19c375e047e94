/**
 * Where the instances of a host go: packing with anti-affinity. Largest first onto the best kind of target, and there
 * where it leaves the least room unused. Where an instance finds no place, it goes first in another attempt; the number
 * of attempts is bounded, so a placement that exists may be missed, never one found that does not fit.
 */
import { mayHoldAnother } from './affinity';
import type { Host, Instance } from './fleet';
import { type FleetIndex, compareText, groupOfKey } from './fleet-index';
import { isTarget } from './host-work';
import type { HostLoad, Occupancy } from './occupancy';
import { type Room, hasRoomFor, missingRoom, shareOf } from './room';

/** Attempts with another order, after the first. */
const furtherAttempts = 10;

/** A host that may take instances; of a lower rank is better. */
export interface Target {
  readonly host: Host;
  readonly rank: number;
}

/** What an instance lacks to be placed. */
export type Lack =
  /** Room on the target that comes closest. */
  | { readonly kind: 'room'; readonly instance: Instance; readonly missing: Room }
  /** Every target holds as many members of its group as it may. */
  | { readonly kind: 'affinity'; readonly instance: Instance };

export type Placement =
  | { readonly kind: 'placed'; readonly targetOf: ReadonlyMap<string, Host> }
  | { readonly kind: 'lacking'; readonly lack: Lack };

export interface PlacementRequest {
  readonly index: FleetIndex;
  readonly instances: readonly Instance[];
  /** Best rank first. */
  readonly targets: readonly Target[];
  /** Holds what was placed afterwards; unchanged where a place is lacking. */
  readonly occupancy: Occupancy;
}

/** Maintained hosts, then hosts of no session, then hosts that still wait for their maintenance. */
export function targetsOf({ hosts }: FleetIndex): readonly Target[] {
  const targets = hosts.filter(isTarget).map((host) => ({ host, rank: rankOf(host) }));
  return targets.sort((one, other) => one.rank - other.rank);
}

export const bestRank = 0;

function rankOf({ work }: Host): number {
  if (!work) return 1;
  return work.phase === 'maintained' ? bestRank : 2;
}

/** Finds a target for every instance, none of them the host that it is on; the same input gives the same result. */
export function place(request: PlacementRequest): Placement {
  let order = request.instances.toSorted(largestFirst);
  const first = placeInOrder(request, order);
  let attempt = first;
  for (let count = 0; count < furtherAttempts && attempt.kind === 'lacking'; count += 1) {
    const { instance } = attempt.lack;
    if (order[0] === instance) return attempt; // not even alone
    order = [instance, ...order.filter((other) => other !== instance)];
    attempt = placeInOrder(request, order);
  }
  return attempt.kind === 'placed' ? attempt : first;
}

export function largestFirst(one: Instance, other: Instance): number {
  return other.vcpus - one.vcpus || other.memoryMb - one.memoryMb || compareText(one.id, other.id);
}

interface Slot extends Target {
  readonly load: HostLoad;
}

function placeInOrder({ index, targets, occupancy }: PlacementRequest, order: readonly Instance[]): Placement {
  const slots = targets.map((target) => ({ ...target, load: occupancy.loadOf(target.host.name) }));
  const targetOf = new Map<string, Host>();
  const mark = occupancy.mark();
  for (const instance of order) {
    const slot = bestSlot(index, instance, slots);
    if (!slot) {
      const lack = lackOf(index, instance, slots);
      occupancy.rollBack(mark);
      return { kind: 'lacking', lack };
    }
    occupancy.hold(slot.host.name, instance);
    targetOf.set(instance.id, slot.host);
  }
  return { kind: 'placed', targetOf };
}

function bestSlot(index: FleetIndex, instance: Instance, slots: readonly Slot[]): Slot | undefined {
  const allows = affinityCheck(index, instance);
  let best: Slot | undefined;
  let leastUnused = Infinity;
  for (const slot of slots) {
    if (best && slot.rank > best.rank) break;
    if (!hasRoomFor(slot.load.free, instance) || !allows(slot)) continue;
    const unused = shareOf(slot.load.free, slot.host) - shareOf(instance, slot.host);
    if (unused < leastUnused) [best, leastUnused] = [slot, unused];
  }
  return best;
}

function affinityCheck(index: FleetIndex, instance: Instance): (slot: Slot) => boolean {
  const group = groupOfKey(index, instance.groupKey);
  return ({ host, load }) =>
    host.name !== instance.host && mayHoldAnother(group, load.membersByGroup.get(group.key) ?? 0);
}

/** Affinity where no target may take a member; else the room missing on the closest of those that may. */
function lackOf(index: FleetIndex, instance: Instance, slots: readonly Slot[]): Lack {
  const others = slots.filter(({ host }) => host.name !== instance.host);
  if (others.length === 0) return { kind: 'room', instance, missing: roomOf(instance) };
  const allowed = others.filter(affinityCheck(index, instance));
  const missing = allowed.map(({ load }) => missingRoom(load.free, instance));
  if (missing.length === 0) return { kind: 'affinity', instance };
  return { kind: 'room', instance, missing: missing.reduce((one, other) => smaller(one, other, instance)) };
}

function roomOf({ vcpus, memoryMb }: Room): Room {
  return { vcpus, memoryMb };
}

function smaller(one: Room, other: Room, whole: Room): Room {
  return shareOf(other, whole) < shareOf(one, whole) ? other : one;
}
