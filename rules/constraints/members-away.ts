/**
 * Members of a group that are out although no claim counts them: in a cloud that makes an instance again elsewhere, the
 * claim of the old one may be over before the new one serves. A limit counts members that are well, so they count until
 * they serve, however long that takes, and for the recovery_time of the group after that. It makes no difference who
 * took them out. Where the cloud does not tell how members stand, those count that a session has moved and that are not
 * well since then: for the others nobody knows whether they ever serve.
 */
import type { CloudGroup, MemberStanding } from '../cloud/cloud-facts';
import type { Group, Limited, MembersOverdue } from '../decisions/fleet/fleet';
import type { WorkedOutLimits } from './work-out-limits';

interface AwayFacts extends Pick<WorkedOutLimits, 'groups' | 'limitedOf'> {
  readonly cloudGroups: readonly Pick<CloudGroup, 'instanceIds' | 'members'>[];
  /** Open claims. */
  readonly claims: readonly (Pick<Limited, 'groupKey'> & { readonly instanceId: string })[];
  /** Instances that are not well, and whose move by a session that is not over has ended. Left out: there are none. */
  readonly movedAndUnwell?: ReadonlySet<string>;
  /** The instances that there are. */
  readonly instances: readonly { readonly instanceId: string; readonly isUnhealthy?: true }[];
}

interface AwayTimes {
  readonly nowMs: number;
  /** The time when the first of the sessions that are under way has begun; left out: none is under way. */
  readonly begunAtMs?: number | undefined;
}

/** The groups, each with its members that are away. */
export const withMembersAway = (facts: AwayFacts, times: AwayTimes): readonly Group[] => {
  const { groups, cloudGroups } = facts;
  if (cloudGroups.every(({ members }) => members === undefined)) return withUnwell(facts);
  const membersOf = membersByKey(facts);
  const counted = countedTwice(facts);
  return groups.map((group) => {
    const members = membersOf.get(group.key) ?? [];
    const isOut = (member: MemberStanding): boolean =>
      member.kind === 'away' || member.sinceMs + group.recoveryTimeSeconds * 1000 > times.nowMs;
    const membersAway = members.filter(isOut).length - (counted.get(group.key) ?? 0);
    const overdue = overdueAmong(members, times);
    const unplaced = unplacedAmong(members, times);
    return {
      ...group,
      ...(membersAway > 0 && { membersAway }),
      ...(overdue && { overdue }),
      ...(unplaced !== undefined && { unplaced }),
    };
  });
};

const withUnwell = ({ groups, limitedOf, claims, movedAndUnwell = new Set() }: AwayFacts): readonly Group[] => {
  if (movedAndUnwell.size === 0) return groups;
  const claimed = new Set(claims.map(({ instanceId }) => instanceId));
  const counted = [...movedAndUnwell].filter((id) => !claimed.has(id));
  return groups.map((group) => {
    const membersAway = counted.filter((id) => limitedOf.get(id)?.groupKey === group.key).length;
    return membersAway === 0 ? group : { ...group, membersAway };
  });
};

/** A group of the cloud may be spread over several groups of constraints: each counts all of it. */
const membersByKey = ({ cloudGroups, limitedOf }: AwayFacts): ReadonlyMap<string, readonly MemberStanding[]> => {
  const membersOf = new Map<string, MemberStanding[]>();
  for (const { instanceIds, members = [] } of cloudGroups) {
    const keys = new Set(instanceIds.flatMap((id) => limitedOf.get(id)?.groupKey ?? []));
    for (const key of keys) {
      const known = membersOf.get(key) ?? [];
      known.push(...members);
      membersOf.set(key, known);
    }
  }
  return membersOf;
};

/**
 * The number of claims of each group that count a member which is among those that are away: an instance that does not
 * serve, or one that is gone, for which another is made.
 */
const countedTwice = ({ claims, instances }: AwayFacts): ReadonlyMap<string, number> => {
  const serving = new Set(instances.flatMap(({ instanceId, isUnhealthy }) => (isUnhealthy ? [] : [instanceId])));
  const counts = new Map<string, number>();
  for (const { instanceId, groupKey } of claims) {
    if (!serving.has(instanceId)) counts.set(groupKey, (counts.get(groupKey) ?? 0) + 1);
  }
  return counts;
};

/** When so many members that were moved have not begun to serve, none of them is likely to. */
const mostMovedInVain = 3;

const overdueAmong = (members: readonly MemberStanding[], { begunAtMs }: AwayTimes): MembersOverdue | undefined => {
  const overdue = members.flatMap((one) => (one.kind === 'away' && one.overdue !== undefined ? [one] : []));
  const [first] = overdue;
  if (first?.overdue === undefined) return undefined;
  const sinceSession = overdue.filter(({ sinceMs }) => begunAtMs !== undefined && sinceMs >= begunAtMs);
  return {
    count: overdue.length,
    because: first.overdue,
    ...(sinceSession.length >= mostMovedInVain && { isOfLastMoved: true }),
  };
};

/** A member that lacked a place before any session began says nothing of what a session does. */
const unplacedAmong = (members: readonly MemberStanding[], { begunAtMs = Infinity }: AwayTimes): string | undefined =>
  members.flatMap((one) => (one.kind === 'away' && one.sinceMs >= begunAtMs ? (one.unplaced ?? []) : []))[0];

/** The groups as if all were there that may soon be: how long these take to come back, nobody foresees. */
export const withoutMembersAway = (groups: readonly Group[]): readonly Group[] =>
  groups.map(({ membersAway = 0, unplaced: _, ...group }) =>
    group.overdue === undefined ? group : { ...group, membersAway: Math.min(membersAway, group.overdue.count) },
  );
