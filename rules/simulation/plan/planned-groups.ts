/** The groups with instances on the session's hosts: their limits, and most members that are out of service at once. */
import type { Fleet, Group } from '../../decisions/fleet/fleet';
import { limitKeysOf } from '../../decisions/fleet/limit-keys';
import { listsBy } from '../../decisions/fleet/ordered';
import type { PlannedGroup } from './plan';
import type { Course } from './read-course';

/** The members of every group, by its key. */
export const membersByGroup = ({ instances }: Pick<Fleet, 'instances'>): ReadonlyMap<string, Fleet['instances']> =>
  listsBy(instances, limitKeysOf);

export const groupsIn = (
  fleet: Fleet,
  { moves }: Pick<Course, 'moves'>,
  mostImpacted: ReadonlyMap<string, number>,
): readonly PlannedGroup[] => {
  const moved = new Set(moves.map(({ instanceId }) => instanceId));
  const members = membersByGroup(fleet);
  return fleet.groups.flatMap((group): PlannedGroup[] => {
    const own = members.get(group.key) ?? [];
    if (!own.some(({ id }) => moved.has(id)) || group.maxImpactedMembers === Infinity) return [];
    return [toPlanned(group, own, mostImpacted.get(group.key) ?? 0)];
  });
};

const toPlanned = (group: Group, members: Fleet['instances'], mostOut: number): PlannedGroup => ({
  ...(group.id !== undefined && { id: group.id }),
  name: group.name,
  projectIds: [...new Set(members.map(({ projectId }) => projectId))].sort(),
  members: members.length,
  maxImpactedMembers: group.maxImpactedMembers,
  mostOut,
});
