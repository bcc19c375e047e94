/** Whether a host can be emptied now, and which one is the cheapest to empty. */
import type { Host } from '../fleet/fleet';
import { type FleetIndex, compareText } from '../fleet/fleet-index';
import { instancesToMoveAway } from '../fleet/host-content';
import { isInPhase } from '../fleet/host-work';
import { type Occupancy, occupancyNow, occupancyWhenSettled } from '../fleet/occupancy';
import { orderToEnd } from './order';
import { type Lack, type Target, place, targetsOf } from '../limits/placement';
import { holdReserved, settleReserved } from '../limits/reservations';

/** What is needed to judge many hosts by the same snapshot; made once for a decision. */
export interface Outlook {
  readonly index: FleetIndex;
  readonly now: Occupancy;
  /** Their loads in `now`. */
  readonly targets: readonly Target[];
  readonly settled: Occupancy;
  /** Where instances will go that have a place already, held in `now` and `settled`: the target by instance ID. */
  readonly reserved: ReadonlyMap<string, string>;
}

export function outlookOn(index: FleetIndex): Outlook {
  const [now, settled] = [occupancyNow(index), occupancyWhenSettled(index)];
  const reserved = holdReserved(index, now);
  settleReserved(index, settled, reserved);
  return { index, now, targets: targetsOf(index, now), settled, reserved };
}

/** Why a host cannot be emptied now: an instance lacks something, or not all hosts under work could end. */
export type Obstacle = Lack | { readonly kind: 'order' };

/** What keeps the host from being put under work and emptied; undefined where nothing does. */
export function obstacleToEmptying(outlook: Outlook, host: Host): Obstacle | undefined {
  const lack = lackOfRest(outlook, host);
  if (lack) return lack;
  const underWork = outlook.index.hosts.filter(
    (other) => isInPhase('emptying')(other) || isInPhase('maintaining')(other),
  );
  const hostnames = [...new Set([...underWork, host].map(({ name }) => name))];
  return orderToEnd({ index: outlook.index, hostnames, settled: outlook.settled, reserved: outlook.reserved })
    ? undefined
    : { kind: 'order' };
}

/** What the rest of the host, beside what has a place already, lacks to be placed elsewhere as things are now. */
export function lackOfRest({ index, targets, now, reserved }: Outlook, host: Host): Lack | undefined {
  const mark = now.mark();
  const instances = instancesToMoveAway(index, host.name).filter(({ id }) => !reserved.has(id));
  const placement = place({ index, targets, instances, occupancy: now });
  now.rollBack(mark);
  return placement.kind === 'lacking' ? placement.lack : undefined;
}

/** The cheapest of these hosts that can be emptied now: fewest instances, then the smallest load, then by name. */
export function cheapestToEmpty(outlook: Outlook, candidates: readonly Host[]): Host | undefined {
  const byCost = candidates.map((host) => ({ host, cost: costOf(outlook.index, host) })).sort(byCostThenName);
  return byCost.find(({ host }) => obstacleToEmptying(outlook, host) === undefined)?.host;
}

interface Cost {
  readonly instances: number;
  readonly vcpus: number;
  readonly memoryMb: number;
}

function costOf(index: FleetIndex, { name }: Host): Cost {
  const instances = instancesToMoveAway(index, name);
  return {
    instances: instances.length,
    vcpus: instances.reduce((sum, { vcpus }) => sum + vcpus, 0),
    memoryMb: instances.reduce((sum, { memoryMb }) => sum + memoryMb, 0),
  };
}

interface Costed {
  readonly host: Host;
  readonly cost: Cost;
}

function byCostThenName(one: Costed, other: Costed): number {
  return (
    one.cost.instances - other.cost.instances ||
    one.cost.vcpus - other.cost.vcpus ||
    one.cost.memoryMb - other.cost.memoryMb ||
    compareText(one.host.name, other.host.name)
  );
}
