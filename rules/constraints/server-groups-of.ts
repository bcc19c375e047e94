/** Finds the few server groups that concern the instances of one action, among those of the whole cloud. */
import type { CloudGroup } from '../cloud/cloud-facts';
import { keyOf } from '../cloud/id';
import { listsBy } from '../decisions/fleet/ordered';

interface ConcernedBy {
  readonly instanceIds: readonly string[];
  /** Groups that projects name in constraints. */
  readonly groupIds: readonly string[];
}

interface ServerGroupIndex {
  readonly byGroup: ReadonlyMap<string, readonly CloudGroup[]>;
  readonly byMember: ReadonlyMap<string, readonly CloudGroup[]>;
  readonly positions: ReadonlyMap<CloudGroup, number>;
}

/** Nobody changes a list of the cloud, and many actions share one: each is sorted once. */
const indexes = new WeakMap<readonly CloudGroup[], ServerGroupIndex>();

/**
 * Returns the groups with one of the IDs and those with one of the instances. For these instances, `workOutLimits`
 * finds the same with them as with all groups.
 *
 * @param all the same list for every action, as long as the cloud's answer is the same
 */
export const serverGroupsOf = (
  all: readonly CloudGroup[],
  { instanceIds, groupIds }: ConcernedBy,
): readonly CloudGroup[] => {
  const { byGroup, byMember, positions } = indexOf(all);
  const concerned = [
    ...groupIds.flatMap((id) => byGroup.get(keyOf(id)) ?? []),
    ...instanceIds.flatMap((id) => byMember.get(keyOf(id)) ?? []),
  ];
  // Further groups with the ID of one of these say who owns it.
  const groups = new Set(concerned.flatMap((group) => byGroup.get(keyOf(group.groupId)) ?? []));
  // Keeps the cloud's order, since of two groups of an instance the last counts.
  return [...groups].toSorted((one, other) => (positions.get(one) ?? 0) - (positions.get(other) ?? 0));
};

const indexOf = (all: readonly CloudGroup[]): ServerGroupIndex => {
  const known = indexes.get(all);
  if (known !== undefined) return known;
  const index = {
    byGroup: listsBy(all, ({ groupId }) => [keyOf(groupId)]),
    byMember: listsBy(all, ({ instanceIds }) => instanceIds.map(keyOf)),
    positions: new Map(all.map((group, position) => [group, position])),
  };
  indexes.set(all, index);
  return index;
};
