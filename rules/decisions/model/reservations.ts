/**
 * Which reserved places still hold, in the one way that counts for everybody: sessions of every workflow, choosing how
 * to begin, and SCALE_IN. A reservation that holds no more is passed over; its session drops it at its next decision.
 */
import { hasCapacityFor } from '../fleet/capacity';
import { mayLeaveWithoutPlace, needsNoPlace, noTarget } from '../fleet/double-allocation';
import type { Host, Instance, Reservation } from '../fleet/fleet';
import { isInPhase, isTarget } from '../fleet/host-work';
import type { FleetCapacity } from './fleet-capacity';
import { type KnownLimits, mayTakeIt } from './may-take-it';
import type { KnownPlaces } from './spread-counts';

/** What the model of a fleet knows when reservations are read. */
export interface FleetOfReservations extends KnownLimits {
  readonly instanceById: ReadonlyMap<string, Instance>;
  readonly hostByName: ReadonlyMap<string, Host>;
  readonly capacity: Pick<FleetCapacity, 'loadOf' | 'sizeOf' | keyof KnownPlaces>;
  isStaying(instanceId: string): boolean;
}

/**
 * True when its instance still waits on a host under work, and the target has capacity for it beside its load; or it
 * needs none.
 */
export const stillHolds = (model: FleetOfReservations, { instanceId, target }: Reservation): boolean => {
  const instance = model.instanceById.get(instanceId);
  const source = instance && model.hostByName.get(instance.host);
  if (!source || !isInPhase('emptying')(source) || !model.isStaying(instanceId)) return false;
  if (target === noTarget) return mayLeaveWithoutPlace(instance);
  const host = model.hostByName.get(target);
  if (!host || !isTarget(host) || needsNoPlace(instance)) return false;
  const load = model.capacity.loadOf(target);
  const mayTake = mayTakeIt(model, model.capacity, instance);
  return hasCapacityFor(load.free, model.capacity.sizeOf(instance)) && mayTake({ host, load });
};
