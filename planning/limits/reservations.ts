/**
 * Decides which reserved places still hold, in the one way that counts for all: sessions of every workflow, the choice
 * of the first state, and SCALE_IN. A reservation that no longer holds is ignored, and its session drops it at its next
 * decision.
 */
import { mayLeaveWithoutPlace, needsNoPlace, noTarget } from '../fleet/double-allocation';
import type { Reservation } from '../fleet/fleet';
import { type FleetIndex, isInFlight, refusalsOf } from '../fleet/fleet-index';
import { isInPhase, isTarget } from '../fleet/host-work';
import type { Occupancy } from '../fleet/occupancy';
import { hasRoomFor } from '../fleet/room';
import { limitAgainst, limitsOf } from './limits-of-instance';

/**
 * True when its instance still waits on a host under work, and its target has capacity for it beside its present load,
 * or it needs none.
 */
export function stillHolds(
  index: FleetIndex,
  occupancy: Occupancy,
  { instanceId, target: hostname }: Reservation,
): boolean {
  const instance = index.instanceById.get(instanceId);
  if (!instance || !isLeavingSoon(index, instanceId, instance.host)) return false;
  if (hostname === noTarget) return mayLeaveWithoutPlace(instance);
  const target = index.hostByName.get(hostname);
  if (!target || !isTarget(target) || needsNoPlace(instance)) return false;
  const { free, membersByGroup } = occupancy.loadOf(hostname);
  if (refusalsOf(index, instanceId).some((refusal) => refusal.target === hostname)) return false;
  return hasRoomFor(free, instance) && limitAgainst(limitsOf(index, instance), membersByGroup) === undefined;
}

function isLeavingSoon({ claimByInstance, hostByName }: FleetIndex, instanceId: string, hostname: string): boolean {
  const claim = claimByInstance.get(instanceId);
  const host = hostByName.get(hostname);
  return (claim === undefined || !isInFlight(claim)) && host !== undefined && isInPhase('emptying')(host);
}

/** Holds every reserved place that still holds, oldest first. @returns the target by instance ID */
export function holdReserved(index: FleetIndex, occupancy: Occupancy): ReadonlyMap<string, string> {
  const held = new Map<string, string>();
  for (const reservation of index.fleet.reservations ?? []) {
    const instance = index.instanceById.get(reservation.instanceId);
    if (!instance || !stillHolds(index, occupancy, reservation)) continue;
    occupancy.hold(reservation.target, instance);
    held.set(reservation.instanceId, reservation.target);
  }
  return held;
}

/** Puts the instances on their reserved places, as after the success of everything that is under work. */
export function settleReserved(index: FleetIndex, settled: Occupancy, reserved: ReadonlyMap<string, string>): void {
  for (const [instanceId, target] of reserved) {
    const instance = index.instanceById.get(instanceId);
    if (!instance) continue;
    settled.drop(instance.host, instance);
    settled.hold(target, instance);
  }
}
