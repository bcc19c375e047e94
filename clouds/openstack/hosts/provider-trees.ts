/**
 * What placement says of hosts: amounts and traits of each host's provider and of those below it, which are devices of
 * the host.
 */
import { fewAtOnce } from '../../../calls/few-at-once';
import type { Amounts } from '../../../rules/cloud/amounts';
import type { Inventory } from '../nova/answers';
import type { PlacementApi } from '../nova/placement-api';

export interface ProviderTree {
  /** The host's own provider, or several of a service with several nodes, and those below. */
  readonly providerIds: readonly string[];
  readonly amounts: Amounts;
  /** Left out: they may not be read. */
  readonly traits?: readonly string[];
}

/** Trees by the ID of the hypervisor. One that is missing is hidden, or placement does not know it. */
export const readProviderTrees = async (
  placement: PlacementApi,
  hypervisorIds: readonly string[],
): Promise<ReadonlyMap<string, ProviderTree>> => {
  const children = (await placement.listChildren()) ?? new Map<string, readonly string[]>();
  const trees = await fewAtOnce(hypervisorIds, (id) => readTree(placement, id, children.get(id) ?? []));
  return new Map(
    hypervisorIds.flatMap((id, at) => {
      const tree = trees[at];
      return tree === undefined ? [] : [[id, tree]];
    }),
  );
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
  return {
    providerIds: ids,
    amounts: sumOfAmounts(inventories.map(amountsIn)),
    ...(isWhole && { traits: traits.flat() }),
  };
};

/** Joins the trees of all nodes of one service. */
export const joinTrees = (trees: readonly ProviderTree[]): ProviderTree => {
  const traits = trees.map((tree) => tree.traits);
  const isWhole = traits.every((each) => each !== undefined);
  return {
    providerIds: trees.flatMap(({ providerIds }) => providerIds),
    amounts: sumOfAmounts(trees.map(({ amounts }) => amounts)),
    ...(isWhole && { traits: [...new Set(traits.flat())] }),
  };
};

export const sumOfAmounts = (all: readonly Amounts[]): Amounts => {
  const sum: Record<string, number> = {};
  for (const [name, amount] of all.flatMap((each) => Object.entries(each))) sum[name] = (sum[name] ?? 0) + amount;
  return sum;
};

const amountsIn = (inventories: Readonly<Record<string, Inventory>> = {}): Amounts =>
  Object.fromEntries(Object.entries(inventories).map(([name, inventory]) => [name, allocatable(inventory)]));

const allocatable = ({ total, reserved, allocation_ratio: ratio }: Inventory): number =>
  Math.max(0, Math.floor((total - reserved) * ratio));
