/**
 * Prevents deadlocks: a host goes under work only if an order exists in which all hosts under work, over all sessions,
 * can be drained, maintained and enabled again, each becoming a target for those after it. The search takes any host
 * that can be drained next, so it may miss an order; an order that it finds is right.
 */
import type { Host } from '../fleet/fleet';
import { type FleetIndex, compareText } from '../fleet/fleet-index';
import { instancesToMoveAway } from '../fleet/host-content';
import { becomesTarget } from '../fleet/host-work';
import type { Occupancy } from '../fleet/occupancy';
import { type Target, bestRank, place, targetsOf } from '../limits/placement';

export interface OrderRequest {
  readonly index: FleetIndex;
  readonly hostnames: readonly string[];
  /** The loads when everything in flight has ended; unchanged afterwards. */
  readonly settled: Occupancy;
  /** Instances that have a place already, held in `settled`. */
  readonly reserved: ReadonlyMap<string, string>;
  /** Hosts under work that are given back as they are, and then take instances. */
  readonly givenBack?: readonly Host[];
}

/** The names of the hosts in an order in which they can end; undefined when none is found. */
export function orderToEnd(request: OrderRequest): readonly string[] | undefined {
  const ended = thoseThatEnd(request);
  return ended.length === new Set(request.hostnames).size ? ended : undefined;
}

/** The names of those that can end, one after the other, in that order. */
export function thoseThatEnd({ index, hostnames, settled, reserved, givenBack = [] }: OrderRequest): readonly string[] {
  const mark = settled.mark();
  const pending = new Map(hostnames.toSorted(compareText).flatMap((name) => entryOf(index, name)));
  const back = givenBack.map((host) => targetWhenDone(host, settled));
  const others = [...back, ...targetsOf(index, settled).filter(({ host }) => !pending.has(host.name))];
  const ended: Host[] = [];
  for (let next = nextToEnd(); next; next = nextToEnd()) {
    pending.delete(next.name);
    ended.push(next);
  }
  settled.rollBack(mark);
  return ended.map(({ name }) => name);

  function nextToEnd(): Host | undefined {
    const targets = [...ended.filter(becomesTarget).map((host) => targetWhenDone(host, settled)), ...others];
    return [...pending.values()].find((host) => empties({ index, host, targets, settled, reserved }));
  }
}

interface EmptyRequest {
  readonly index: FleetIndex;
  readonly host: Host;
  readonly targets: readonly Target[];
  readonly settled: Occupancy;
  readonly reserved: ReadonlyMap<string, string>;
}

/** True when all instances of the host find a place; their targets hold them then, and the host no longer does. */
function empties({ index, host, targets, settled, reserved }: EmptyRequest): boolean {
  const instances = instancesToMoveAway(index, host.name).filter(({ id }) => !reserved.has(id));
  const placement = place({ index, instances, targets, occupancy: settled });
  if (placement.kind === 'lacking') return false;
  for (const instance of instances) settled.drop(host.name, instance);
  return true;
}

function targetWhenDone(host: Host, settled: Occupancy): Target {
  return { host, rank: bestRank, load: settled.loadOf(host.name) };
}

function entryOf({ hostByName }: FleetIndex, name: string): [string, Host][] {
  const host = hostByName.get(name);
  return host ? [[name, host]] : [];
}
