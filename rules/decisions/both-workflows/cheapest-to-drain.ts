/** Tells which hosts can be drained now, and which of them is the cheapest to drain. */
import type { Host } from '../fleet/fleet';
import { byRequest, isInPhase } from '../fleet/host-work';
import type { Lack } from '../limits/lack';
import type { FleetModel } from '../model/fleet-model';
import { byDrainCost, instancesToMoveAway } from '../model/host-content';
import { lackIn } from '../model/placement';
import { lastOnes } from './goes-last';
import { canAllEnd } from './hosts-that-end';

/** Why a host cannot be drained now: an instance lacks something, or not all hosts under work could end. */
export type Obstacle = Lack | { readonly kind: 'order' };

/** The obstacle to putting the host under work and draining it; undefined where there is none. */
export const obstacleToDraining = (model: FleetModel, host: Host): Obstacle | undefined => {
  const lack = lackOfRest(model, host);
  if (lack) return lack;
  const drainedOrMaintained = model.hosts.filter(isInPhase('emptying', 'maintaining'));
  return canAllEnd(model, [...drainedOrMaintained, host]) ? undefined : { kind: 'order' };
};

/** The lack of those instances of the host that have no place yet; undefined when all find one now. */
export const lackOfRest = (model: FleetModel, { name }: Host): Lack | undefined =>
  lackIn({ model, instances: instancesToMoveAway(model, name).filter(({ id }) => !model.reservedTarget.has(id)) });

/**
 * The host to drain now, of these: one that an admin asked for, else the cheapest, with the fewest instances, then the
 * smallest load, then by name; those that go last behind all others.
 */
export const cheapestToDrain = (model: FleetModel, candidates: readonly Host[]): Host | undefined =>
  byDrainCost(model, candidates)
    .toSorted(lastOnes(model))
    .toSorted(byRequest)
    .find((host) => obstacleToDraining(model, host) === undefined);
