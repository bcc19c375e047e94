/**
 * What placement says of hosts: amounts and traits of each host's provider and of those below it, which are devices of
 * the host.
 */
import type { Amounts } from '../../../rules/cloud/amounts';
import type { Inventory } from '../nova/answers';
import type { PlacementApi } from '../nova/placement-api';

export interface ProviderTree {
  readonly amounts: Amounts;
  /** Left out: they may not be read. */
  readonly traits?: readonly string[];
}

/** Calls to placement that wait at the same time. */
const atOnce = 8;

/** Trees by the ID of the hypervisor. One that is missing is hidden, or placement does not know it. */
export const readProviderTrees = async (
  placement: PlacementApi,
  hypervisorIds: readonly string[],
): Promise<ReadonlyMap<string, ProviderTree>> => {
  const trees = new Map<string, ProviderTree>();
  const children = (await placement.listChildren()) ?? new Map<string, readonly string[]>();
  const readNext = async (ids: Iterable<string>): Promise<void> => {
    for (const id of ids) {
      const tree = await readTree(placement, id, children.get(id) ?? []);
      if (tree !== undefined) trees.set(id, tree);
    }
  };
  const queue = hypervisorIds.values();
  await Promise.all(Array.from({ length: atOnce }, () => readNext(queue)));
  return trees;
};

const readTree = async (
  placement: PlacementApi,
  rootId: string,
  children: readonly string[],
): Promise<ProviderTree | undefined> => {
  const ids = [rootId, ...children];
  const inventories = await Promise.all(ids.map((id) => placement.inventoriesOf(id)));
  if (inventories[0] === undefined) return undefined;
  const traits = await Promise.all(ids.map((id) => placement.traitsOf(id)));
  const isWhole = traits.every((each) => each !== undefined);
  return { amounts: sumOf(inventories), ...(isWhole && { traits: traits.flat() }) };
};

const sumOf = (inventories: readonly (Readonly<Record<string, Inventory>> | undefined)[]): Amounts => {
  const sum: Record<string, number> = {};
  for (const [name, inventory] of inventories.flatMap((each = {}) => Object.entries(each))) {
    sum[name] = (sum[name] ?? 0) + allocatable(inventory);
  }
  return sum;
};

const allocatable = ({ total, reserved, allocation_ratio: ratio }: Inventory): number =>
  Math.max(0, Math.floor((total - reserved) * ratio));
