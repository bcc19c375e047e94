/**
 * The last way to go on before a host is given back or capacity is asked for: instances whose projects delete them
 * first leave without a place (rules/decisions/fleet/double-allocation.ts).
 */
import { comesBackWithHost } from '../../cloud/departure';
import { cheapestToDrain } from '../both-workflows/cheapest-to-drain';
import { ownHosts, type VnfFacts } from '../both-workflows/session-facts';
import type { Decision } from '../decision';
import { mayLeaveWithoutPlace } from '../fleet/double-allocation';
import type { Reservation } from '../fleet/fleet';
import type { FleetModel } from '../model/fleet-model';
import { stayingOn } from '../model/host-content';
import { place } from '../model/placement';
import { placesOf } from './places';
import { hostsFreeToStart } from './start-draining';

type Leaving = Pick<Decision, 'drain' | 'reserve'>;

/** Finds the instances on the session's hosts under work that have no place and need none. */
export const leaveWithoutPlaces = (facts: VnfFacts): Leaving | undefined => {
  const { model } = facts;
  const mark = model.capacity.mark();
  const reserve = ownHosts(facts, 'emptying').flatMap(({ name }) => leaveFrom(model, name));
  model.capacity.rollBack(mark);
  return reserve.length === 0 ? undefined : { drain: [], reserve };
};

const leaveFrom = (model: FleetModel, hostname: string): readonly Reservation[] => {
  const leaving = stayingOn(model, hostname).filter(
    (instance) => mayLeaveWithoutPlace(instance) && !model.reservedTarget.has(instance.id),
  );
  const comingBack = leaving.filter(comesBackWithHost);
  const placement = place({ model, instances: comingBack });
  return [
    ...placesOf(
      leaving.filter((instance) => !comesBackWithHost(instance)),
      new Map(),
    ),
    ...(placement.kind === 'placed' ? placesOf(comingBack, placement.targetOf) : []),
  ];
};

/** A host that can be drained if these leave first; with places for the others. */
export const startWithoutPlaces = (facts: VnfFacts): Leaving | undefined => {
  const { model } = facts;
  const candidates = hostsFreeToStart(facts).filter(({ name }) => stayingOn(model, name).some(mayLeaveWithoutPlace));
  const host = cheapestToDrain(model, candidates);
  if (!host) return undefined;
  const instances = stayingOn(model, host.name);
  const mark = model.capacity.mark();
  const placement = place({ model, instances });
  model.capacity.rollBack(mark);
  if (placement.kind === 'lacking') return undefined;
  return { drain: [host.name], reserve: placesOf(instances, placement.targetOf) };
};
