/**
 * Drivers offer more on a node than the resources of the node itself: volumes of CSI drivers, and devices of DRA
 * drivers. Both come some time after the node is Ready.
 */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { Cluster } from '../cache/cluster';
import type { CsiNode, ResourceSlice } from '../objects/others';

type Drivers = Pick<Cluster, 'csiNodes' | 'resourceSlices'>;

/** Answers for the nodes of one look. */
export const offersOfDrivers = ({ csiNodes, resourceSlices }: Drivers): ((node: string) => Amounts) => {
  const slicesOf = Map.groupBy(resourceSlices.all(), ({ spec }) => spec.nodeName);
  return (node) => ({ ...volumesOf(csiNodes.byName(node)), ...devicesOf(slicesOf.get(node) ?? []) });
};

/** Where a driver tells no number of volumes, it counts as itself. */
const volumesOf = (node: CsiNode | undefined): Amounts =>
  Object.fromEntries(
    (node?.spec.drivers ?? []).map(({ name, allocatable: { count } = {} }) =>
      count === undefined ? [`CSI driver ${name}`, 1] : [`volumes of CSI driver ${name}`, count],
    ),
  );

/** Slices of older generations of a pool are about to be deleted. */
const devicesOf = (slices: readonly ResourceSlice[]): Amounts => {
  const count: Record<string, number> = {};
  for (const ofPool of Map.groupBy(slices, ({ spec: { driver, pool } }) => `${driver} ${pool.name}`).values()) {
    const newest = Math.max(...ofPool.map(({ spec }) => spec.pool.generation));
    for (const { spec } of ofPool.filter(({ spec: { pool } }) => pool.generation === newest)) {
      const name = `devices of driver ${spec.driver}`;
      count[name] = (count[name] ?? 0) + (spec.devices?.length ?? 0);
    }
  }
  return count;
};
