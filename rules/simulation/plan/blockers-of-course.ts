/** Notes about the course of a plan: which instances are away until their host is back. */
import { comesBackWithHost } from '../../cloud/departure';
import { compareText } from '../../decisions/fleet/ordered';
import { type Blocker, blocker } from '../../obstacles/blockers';
import type { BlockerFacts } from './blocker-facts';

/** One for each group with such members. */
export const blockersOfCourse = ({ fleet, course }: BlockerFacts): readonly Blocker[] => {
  const withoutPlace = new Set(course.moves.flatMap((move) => (move.target === undefined ? [move.instanceId] : [])));
  const away = fleet.instances.filter((instance) => comesBackWithHost(instance) && withoutPlace.has(instance.id));
  const groups = new Map(fleet.groups.map((group) => [group.key, group]));
  return [...Map.groupBy(away, ({ groupKey }) => groupKey)]
    .sort(([one], [other]) => compareText(one, other))
    .map(([key, members]) => {
      const { id = key, name = key } = groups.get(key) ?? {};
      return blocker('members_away_with_host', { id, name, projectId: members[0]?.projectId, away: members.length });
    });
};
