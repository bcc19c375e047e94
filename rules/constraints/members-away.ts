/**
 * Members of a group that are out although no claim counts them: in a cloud that makes an instance again elsewhere, the
 * claim of the old one may be over before the new one serves. They count against the limit of the group until then, and
 * for its recovery_time after that, wherever that is written.
 */
import type { CloudGroup } from '../cloud/cloud-facts';
import type { Group, Limited } from '../decisions/fleet/fleet';
import type { WorkedOutLimits } from './work-out-limits';

interface AwayFacts extends Pick<WorkedOutLimits, 'groups' | 'limitedOf'> {
  readonly cloudGroups: readonly Pick<CloudGroup, 'instanceIds' | 'membersBackAtMs'>[];
  /** Open claims. */
  readonly claims: readonly (Pick<Limited, 'groupKey'> & { readonly instanceId: string; readonly phase: string })[];
  /** The instances that there are. */
  readonly instances: readonly { readonly instanceId: string }[];
}

/** The groups, each with the number of its members that are away. */
export const withMembersAway = (facts: AwayFacts, nowMs: number): readonly Group[] => {
  const { groups, cloudGroups } = facts;
  if (cloudGroups.every(({ membersBackAtMs }) => membersBackAtMs === undefined)) return groups;
  const away = new Map<string, number>();
  const counts = [...awayOf(facts, nowMs), ...countedAlready(facts)];
  for (const [key, count] of counts) away.set(key, (away.get(key) ?? 0) + count);
  return groups.map((group) => {
    const membersAway = away.get(group.key) ?? 0;
    return membersAway > 0 ? { ...group, membersAway } : group;
  });
};

type CountOfGroup = readonly [groupKey: string, count: number];

const awayOf = ({ groups, cloudGroups, limitedOf }: AwayFacts, nowMs: number): readonly CountOfGroup[] => {
  const recoverySeconds = new Map(groups.map(({ key, recoveryTimeSeconds }) => [key, recoveryTimeSeconds]));
  return cloudGroups.flatMap(({ instanceIds, membersBackAtMs = [] }) => {
    const keys = new Set(instanceIds.flatMap((id) => limitedOf.get(id)?.groupKey ?? []));
    return [...keys].map((key): CountOfGroup => {
      const recoveryMs = (recoverySeconds.get(key) ?? 0) * 1000;
      return [key, membersBackAtMs.filter((backAtMs) => backAtMs + recoveryMs > nowMs).length];
    });
  });
};

/** One of those who are away stands for an instance that is gone and whose claim counts still. */
const countedAlready = ({ claims, instances }: AwayFacts): readonly CountOfGroup[] => {
  const listed = new Set(instances.map(({ instanceId }) => instanceId));
  const ofGone = claims.filter(({ phase, instanceId }) => phase === 'recovering' && !listed.has(instanceId));
  return ofGone.map(({ groupKey }): CountOfGroup => [groupKey, -1]);
};

/** The groups as if all were there: how long the others take to come back, nobody foresees. */
export const withoutMembersAway = (groups: readonly Group[]): readonly Group[] =>
  groups.map(({ membersAway: _, ...group }) => group);
