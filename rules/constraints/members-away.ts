/**
 * Members of a group that are out although no claim counts them: in a cloud that makes an instance again elsewhere, the
 * claim of the old one is over before the new one serves. They count against the limit of the group until then.
 */
import type { CloudGroup } from '../cloud/cloud-facts';
import type { Group, Limited } from '../decisions/fleet/fleet';
import type { WorkedOutLimits } from './work-out-limits';

interface AwayFacts extends Pick<WorkedOutLimits, 'groups' | 'limitedOf'> {
  readonly cloudGroups: readonly Pick<CloudGroup, 'instanceIds' | 'membersAway'>[];
  /** Open claims. */
  readonly claims: readonly (Pick<Limited, 'groupKey'> & { readonly instanceId: string; readonly phase: string })[];
  /** The instances that there are. */
  readonly instances: readonly { readonly instanceId: string }[];
}

/** The groups, each with the number of its members that are away. */
export const withMembersAway = (facts: AwayFacts): readonly Group[] => {
  const { groups, cloudGroups } = facts;
  if (cloudGroups.every(({ membersAway }) => membersAway === undefined)) return groups;
  const away = new Map<string, number>();
  for (const [key, count] of [...awayOf(facts), ...countedAlready(facts)]) away.set(key, (away.get(key) ?? 0) + count);
  return groups.map((group) => {
    const membersAway = away.get(group.key) ?? 0;
    return membersAway > 0 ? { ...group, membersAway } : group;
  });
};

type CountOfGroup = readonly [groupKey: string, count: number];

const awayOf = ({ cloudGroups, limitedOf }: AwayFacts): readonly CountOfGroup[] =>
  cloudGroups.flatMap(({ instanceIds, membersAway }) => {
    if (membersAway === undefined) return [];
    const keys = new Set(instanceIds.flatMap((id) => limitedOf.get(id)?.groupKey ?? []));
    return [...keys].map((key): CountOfGroup => [key, membersAway]);
  });

/** One of those who are away stands for an instance that is gone and whose claim counts still. */
const countedAlready = ({ claims, instances }: AwayFacts): readonly CountOfGroup[] => {
  const listed = new Set(instances.map(({ instanceId }) => instanceId));
  const ofGone = claims.filter(({ phase, instanceId }) => phase === 'recovering' && !listed.has(instanceId));
  return ofGone.map(({ groupKey }): CountOfGroup => [groupKey, -1]);
};

/** The groups as if all were there: how long the others take to come back, nobody foresees. */
export const withoutMembersAway = (groups: readonly Group[]): readonly Group[] =>
  groups.map(({ membersAway: _, ...group }) => group);
