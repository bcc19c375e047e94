/** Decides whether a host can be drained now, and which host is the cheapest to drain. */
import type { Host } from '../fleet/fleet';
import { type FleetIndex, compareText } from '../fleet/fleet-index';
import { instancesToMoveAway } from '../fleet/host-content';
import { isInPhase } from '../fleet/host-work';
import { type Occupancy, occupancyNow, occupancyWhenSettled } from '../fleet/occupancy';
import { orderToEnd } from './order';
import { type Lack, type Target, place, targetsOf } from '../limits/placement';
import { holdReserved, settleReserved } from '../limits/reservations';

/** Facts for judging many hosts by the same snapshot; computed once for a decision. */
export interface Outlook {
  readonly index: FleetIndex;
  readonly now: Occupancy;
  /** The hosts' loads in `now`. */
  readonly targets: readonly Target[];
  readonly settled: Occupancy;
  /** Targets of the instances that have a place already, held in `now` and `settled`, by instance ID. */
  readonly reserved: ReadonlyMap<string, string>;
}

export function outlookOn(index: FleetIndex): Outlook {
  const [now, settled] = [occupancyNow(index), occupancyWhenSettled(index)];
  const reserved = holdReserved(index, now);
  settleReserved(index, settled, reserved);
  return { index, now, targets: targetsOf(index, now), settled, reserved };
}

/** The reason why a host cannot be drained now: an instance lacks something, or not all hosts under work could end. */
export type Obstacle = Lack | { readonly kind: 'order' };

/** The reason why the host cannot be put under work and drained; undefined when there is none. */
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

/** The capacity that is missing now for those instances of the host that have no place yet. */
export function lackOfRest({ index, targets, now, reserved }: Outlook, host: Host): Lack | undefined {
  const mark = now.mark();
  const instances = instancesToMoveAway(index, host.name).filter(({ id }) => !reserved.has(id));
  const placement = place({ index, targets, instances, occupancy: now });
  now.rollBack(mark);
  return placement.kind === 'lacking' ? placement.lack : undefined;
}

/** The cheapest of these hosts that can be drained now: fewest instances, then the smallest load, then by name. */
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
