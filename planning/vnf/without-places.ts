/**
 * The last way to go on before a host is given back or room is asked for: instances whose projects delete them first
 * leave without a place (planning/fleet/double-allocation.ts).
 */
import type { Decision } from '../decision';
import { mayLeaveWithoutPlace, noTarget } from '../fleet/double-allocation';
import type { Host } from '../fleet/fleet';
import { controllerOut } from '../fleet/host-work';
import { place } from '../limits/placement';
import { type VnfFacts, ownInPhase, slotsLeft } from '../live/vnf-facts';
import { cheapestToEmpty } from '../rolling/emptying';
import type { Situation } from '../rolling/situation';
import { stayingOn } from './admissions';
import { placesOf } from './target-pool';

type Leaving = Pick<Decision, 'open' | 'reserve'>;

/** On the session's hosts under work, those that have no place and need none. */
export function leaveWithoutPlaces(facts: VnfFacts): Leaving | undefined {
  const { live } = facts;
  const leaving = ownInPhase(facts, 'emptying')
    .flatMap(({ name }) => stayingOn(live, name))
    .filter((instance) => mayLeaveWithoutPlace(instance) && !live.reservedTarget.has(instance.id));
  if (leaving.length === 0) return undefined;
  return { open: [], reserve: leaving.map(({ id: instanceId }) => ({ instanceId, target: noTarget })) };
}

/** A host that can be emptied if these leave first; with places for the others. */
export function openWithoutPlaces(facts: VnfFacts, situation: Situation): Leaving | undefined {
  if (slotsLeft(facts) <= 0) return undefined;
  const candidates = ownInPhase(facts, 'waiting').filter((host) => mayOpen(facts, host));
  const host = cheapestToEmpty(situation, candidates);
  if (!host) return undefined;
  const { index, targets, now: occupancy } = situation;
  const instances = stayingOn(facts.live, host.name);
  const mark = occupancy.mark();
  const placement = place({ index, targets, instances, occupancy });
  occupancy.rollBack(mark);
  if (placement.kind === 'lacking') return undefined;
  return { open: [host.name], reserve: placesOf(instances, placement.targetOf) };
}

function mayOpen({ live }: VnfFacts, host: Host): boolean {
  if (live.incomingByHost.has(host.name) || live.isReservedOnto(host.name)) return false;
  if (!stayingOn(live, host.name).some(mayLeaveWithoutPlace)) return false;
  return host.type !== 'controller' || controllerOut(live, host) === undefined;
}
