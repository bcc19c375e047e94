/** Which reservations are written down after a decision of `vnf`, and which of those from before are given up. */
import type { Decision } from '../decisions/decision';
import type { Reservation } from '../decisions/fleet/fleet';
import type { VnfDecisions } from './decide-all-vnf';

type KeptPlaces = Required<Pick<Decision, 'reserve' | 'unreserve'>>;

/** @param decision the plan's decision without repeats; an instance that is not in it keeps its place */
export const keptPlaces = (
  { decision: planned, reserved }: VnfDecisions,
  decision: Pick<Decision, 'admit'>,
  before: { readonly own: readonly Reservation[]; readonly all: readonly Reservation[] },
): KeptPlaces => {
  const admitted = new Set(decision.admit.map(({ instanceId }) => instanceId));
  const held = planned.admit.filter(({ instanceId }) => !admitted.has(instanceId));
  const targetBefore = new Map(before.all.map(({ instanceId, target }) => [instanceId, target]));
  const kept = new Set([...reserved.keys(), ...held.map(({ instanceId }) => instanceId)]);
  const places = [
    ...(planned.reserve ?? []).filter(({ instanceId }) => reserved.has(instanceId)),
    ...held.map(({ instanceId, target }) => ({ instanceId, target })),
  ];
  return {
    reserve: places.filter(({ instanceId, target }) => targetBefore.get(instanceId) !== target),
    unreserve: before.own.flatMap(({ instanceId }) => (kept.has(instanceId) ? [] : [instanceId])),
  };
};
