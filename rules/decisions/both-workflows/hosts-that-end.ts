/**
 * No deadlock: a host goes under work only if an order exists in which all hosts under work, over all sessions, can be
 * drained, maintained and enabled again, each one that is done becoming a target for those after it. The search takes
 * whichever can be drained next, so it may miss an order; one that it finds holds.
 */
import type { Host } from '../fleet/fleet';
import { becomesTarget, isInPhase, targetRanks } from '../fleet/host-work';
import { compareText } from '../fleet/ordered';
import type { FleetModel } from '../model/fleet-model';
import { instancesToMoveAway } from '../model/host-content';
import { place } from '../model/placement';

/** True when all of these hosts can end, one after the other, after everything in flight has ended well. */
export const canAllEnd = (model: FleetModel, hosts: readonly Host[]): boolean =>
  hostsThatEnd(model, hosts).length === new Set(hosts).size;

/**
 * Selects the hosts that can end, one after the other, in that order.
 *
 * @param givenBack hosts under work that are given back as they are, and take instances then
 */
export const hostsThatEnd = (
  model: FleetModel,
  hosts: readonly Host[],
  givenBack: readonly Host[] = [],
): readonly Host[] => {
  const { settled } = model;
  const mark = settled.mark();
  const pending = new Set(hosts.toSorted((one, other) => compareText(one.name, other.name)));
  for (const { name } of pending) settled.removeTarget(name);
  for (const host of givenBack) settled.setTarget(host, targetRanks.maintained);
  const ended: Host[] = [];
  const nextToEnd = (): Host | undefined => [...pending].find((host) => drains(model, host));
  for (let next = nextToEnd(); next; next = nextToEnd()) {
    pending.delete(next);
    ended.push(next);
    if (becomesTarget(next)) settled.setTarget(next, targetRanks.maintained);
  }
  settled.rollBack(mark);
  return ended;
};

/** True when all instances of the host find a place. They hold it then, and no longer the host. */
const drains = (model: FleetModel, { name }: Host): boolean => {
  const { settled: capacity } = model;
  const instances = instancesToMoveAway(model, name).filter(({ id }) => !model.reservedTarget.has(id));
  if (place({ model, instances, capacity }).kind === 'lacking') return false;
  for (const instance of instances) capacity.drop(name, instance);
  return true;
};

/** Hosts under work that will be back: drained first, each that can be, or as they are. */
export interface Returning {
  readonly drained: readonly Host[];
  readonly asTheyAre: readonly Host[];
}

export const drainedFirst = (working: readonly Host[]): Returning => {
  const isGivenBack = isInPhase('releasing');
  return { drained: working.filter((host) => !isGivenBack(host)), asTheyAre: working.filter(isGivenBack) };
};

/** True when one of the hosts could be drained after all moves have ended and those hosts are back, one by one. */
export const isAnyFreedBy = (model: FleetModel, { drained, asTheyAre }: Returning, hosts: readonly Host[]): boolean =>
  hosts.some((host) => hostsThatEnd(model, [...drained, host], asTheyAre.filter(becomesTarget)).includes(host));
