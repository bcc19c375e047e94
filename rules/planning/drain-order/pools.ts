/**
 * Hosts by which classes of instances may go there. Capacity runs out in a pool, such as a zone, before it does in the
 * whole fleet, so a forecast counts each resource for all hosts and once more for the hosts of each pool.
 */
import type { Capacity } from '../fleet/capacity';
import type { Host } from '../fleet/fleet';
import type { FleetModel } from '../model/fleet-model';

/** The classes of its hosts: some instances may go to these alone. */
export type Pool = ReadonlySet<string>;

/** Each pool makes a forecast longer. The pools that hold the most instances decide. */
const mostPools = 8;

export const poolsOf = (model: FleetModel): readonly Pool[] => {
  if (model.classes.misfits.length === 0) return [];
  const offered = [
    ...new Set(model.hosts.filter(({ isCompute }) => isCompute).map(({ offers = '' }) => offers)),
  ].sort();
  const pools = new Map<string, { readonly pool: Pool; members: number }>();
  for (const [, members] of Map.groupBy(model.instanceById.values(), ({ needs }) => needs)) {
    const [first] = members;
    const classes = offered.filter((offers) => first && model.classes.mayGo(first, { offers }));
    if (classes.length === offered.length) continue;
    const known = pools.get(JSON.stringify(classes));
    if (known) known.members += members.length;
    else pools.set(JSON.stringify(classes), { pool: new Set(classes), members: members.length });
  }
  return [...pools.values()]
    .sort((one, other) => other.members - one.members)
    .slice(0, mostPools)
    .map(({ pool }) => pool);
};

/** What the host has of the capacity of all hosts, and then of that of each pool. */
export const sizeInPools = (pools: readonly Pool[], { offers = '' }: Host, size: Capacity): Capacity =>
  pools.length === 0 ? size : [size, ...pools.map((pool) => (pool.has(offers) ? size : size.map(() => 0)))].flat();
