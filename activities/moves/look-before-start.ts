/**
 * Collects the facts for the last look before an action begins (rules/decisions/limits/before-start.ts): its instance,
 * its target and the claims that come before it. Not the whole fleet, because every single action needs this look.
 */
import { type CloudDriver, latelyMs } from '../../clouds/cloud-driver';
import { shareInstance, shareLimits } from '../../prisma/constraints/constraint-locks';
import {
  findConstraintsOf,
  findInstanceConstraint,
  findStoredGroups,
  type StoredInstanceConstraint,
} from '../../prisma/constraints/constraints-for-decisions';
import { type Database, databaseNow, type Transaction } from '../../prisma/database';
import { findHostOwner, findStartingUntil } from '../../prisma/hosts/session-hosts';
import type { ClaimRecord } from '../../prisma/moves/claims';
import { type ClaimBefore, findClaimsBefore } from '../../prisma/moves/claims-before';
import { findEviction } from '../../prisma/session/session-eviction';
import type { CloudActions, CloudGroup, CloudHost, CloudInstance } from '../../rules/cloud/cloud-facts';
import { keyOf as idKey } from '../../rules/cloud/id';
import { seenIn } from '../../rules/cloud/seen-in-session';
import { serverGroupsOf } from '../../rules/constraints/server-groups-of';
import {
  type LimitFacts,
  noFlavor,
  ownGroupAlone,
  type StoredGroup,
  workOutLimits,
} from '../../rules/constraints/work-out-limits';
import { noTarget } from '../../rules/decisions/fleet/double-allocation';
import type { Group, Instance, Limited } from '../../rules/decisions/fleet/fleet';
import { limitKeysOf } from '../../rules/decisions/fleet/limit-keys';
import type { StartTarget, StartView } from '../../rules/decisions/limits/before-start';
import { limitsOf } from '../../rules/decisions/limits/limits-of-instance';
import { type ListedHosts, withWork } from '../../snapshot/read-fleet';
import { withConstraints } from '../../snapshot/with-constraints';

/** The cloud's facts about one claim. Read before any lock, because a cloud may be slow. */
export interface StartSnapshot {
  readonly takenAt: Date;
  readonly instance: CloudInstance | undefined;
  /** undefined: nothing depends on the instance. */
  readonly target: TargetSnapshot | undefined;
  readonly groups: readonly CloudGroup[];
  /** Actions as the driver tells them. */
  readonly actions: CloudActions;
}

interface TargetSnapshot {
  /** undefined: the cloud does not list the target. */
  readonly host: CloudHost | undefined;
  /** The instances as they were lately. The claims add those that have landed since. */
  readonly instances: readonly CloudInstance[];
}

interface LookBeforeStart {
  readonly cloud: CloudDriver;
  readonly db: Database;
  readonly claim: ClaimRecord;
  /** The target and the instances on it: as they were lately, or as they are now. */
  readonly isFresh: boolean;
}

/** Asks the cloud only for facts that can change the judgement, because this runs for every single action. */
export const lookBeforeStart = async ({ cloud, db, claim, isFresh }: LookBeforeStart): Promise<StartSnapshot> => {
  const takenAt = await databaseNow(db);
  const [instance, groups, target] = await Promise.all([
    findClaimedInstance({ cloud, db }, claim),
    isFresh ? cloud.listGroups() : cloud.listGroupsLately(),
    // A project that acts on its own may use any host.
    claim.action === 'OWN_ACTION' || claim.target === noTarget ? undefined : lookAtTarget(cloud, claim.target, isFresh),
  ]);
  return { takenAt, instance, target, groups, actions: cloud.actions };
};

/** The instance as the claim's session sees it. */
export const findClaimedInstance = async (
  { cloud, db }: Pick<LookBeforeStart, 'cloud' | 'db'>,
  { instanceId, sessionId }: Pick<ClaimRecord, 'instanceId' | 'sessionId'>,
): Promise<CloudInstance | undefined> => {
  const instance = await cloud.findInstance(instanceId);
  return instance?.keptUnless === undefined ? instance : seenIn(await findEviction(db, sessionId), instance);
};

/** Undefined when the cloud itself chooses: the target of the claim is only a hint then. */
const lookAtTarget = async (
  cloud: CloudDriver,
  name: string,
  isFresh: boolean,
): Promise<TargetSnapshot | undefined> => {
  if (!(await cloud.choosesTarget())) return undefined;
  const hosts = await (isFresh ? cloud.listHosts() : cloud.listHostsLately());
  const host = hosts.find((one) => one.name === name);
  // No target then, and the cloud would not say what is on it.
  if (host?.contentUnknown !== undefined) return { host, instances: [] };
  return { host, instances: await (isFresh ? cloud.listInstances(name) : cloud.listInstancesLately(name)) };
};

/** The facts about an instance that exists. */
export type FactsBeforeStart = StartSnapshot & { readonly instance: CloudInstance };

/**
 * The snapshot, with the recorded facts. Until the transaction ends nobody can store or delete constraints of the
 * instance or its group. Which claims come before it does not depend on which is looked at first.
 */
export const viewOf = async (
  tx: Transaction,
  claim: ClaimRecord,
  { hostStartSeconds, ...snapshot }: FactsBeforeStart & { readonly hostStartSeconds: number },
): Promise<StartView> => {
  const { instanceId } = claim;
  await shareInstance(tx, idKey(instanceId));
  const stored = await findInstanceConstraint(tx, instanceId);
  const groupKeys = groupKeysOf(snapshot, ownLimits(snapshot, stored, []));
  await shareLimits(tx, groupKeys);
  const storedGroups = await findStoredGroups(tx, groupKeys);
  const landedSince = new Date(snapshot.takenAt.getTime() - latelyMs);
  const limitKeys = limitKeysOf(ownLimits(snapshot, stored, storedGroups));
  const before = await findClaimsBefore(tx, { claim, limitKeys, landedSince });
  const { own: instance, onTarget, limits, limitedOf } = await findConstraints(tx, snapshot, { storedGroups, before });
  const startingUntil = await findStartingUntil(tx, { now: snapshot.takenAt, hostStartSeconds });
  const target = await targetOf(tx, claim, { ...snapshot, startingUntil });
  const incoming = before.filter(({ isOntoTarget }) => isOntoTarget);
  return {
    claim,
    instance,
    limits: limits.map((group) => ({ group, impactedBefore: before.filter(isImpacted(group, limitedOf)).length })),
    isAsked: claim.askedAt !== null,
    isOutdated: stored?.storedAt.getTime() !== claim.constraintsAt?.getTime(),
    target: target && {
      ...target,
      instances: onTarget,
      incoming: incoming.map((one) => ({ ...one, ...limitedOf(one) })),
    },
  };
};

/** The keys of its limits, and of the groups of the cloud that become its own where constraints are stored for them. */
const groupKeysOf = ({ instance, groups }: FactsBeforeStart, own: Limited): readonly string[] => {
  const ofCloud = serverGroupsOf(groups, { instanceIds: [instance.instanceId], groupIds: [] });
  return [...new Set([...limitKeysOf(own), ...ofCloud.map(({ groupId }) => idKey(groupId))])];
};

/** An instance that was put into another group meanwhile counts in both. */
const isImpacted =
  ({ key }: Group, limitedOf: Constrained['limitedOf']) =>
  (one: ClaimBefore): boolean =>
    one.isOpen && (one.limitKeys.includes(key) || limitKeysOf(limitedOf(one)).includes(key));

/** The limits by its own constraints and the cloud, and those limits of its group that are in `storedGroups`. */
const ownLimits = (
  { instance, groups }: FactsBeforeStart,
  stored: StoredInstanceConstraint | null,
  storedGroups: readonly StoredGroup[],
): Limited => {
  const memberships = stored === null ? [] : [stored];
  const instances = [instance];
  const serverGroups = serverGroupsOf(groups, idsOf({ instances, memberships, storedGroups }));
  const { limitedOf } = workOutLimits({ instances, memberships, storedGroups, serverGroups });
  return limitedOf.get(instance.instanceId) ?? ownGroupAlone(instance.instanceId);
};

const idsOf = ({ instances, memberships, storedGroups }: Omit<LimitFacts, 'serverGroups'>) => ({
  instanceIds: instances.map(({ instanceId }) => instanceId),
  groupIds: [...memberships, ...storedGroups].map(({ groupId }) => groupId),
});

interface Constrained {
  readonly own: Instance;
  readonly onTarget: readonly Instance[];
  /** All groups of its own instance, the constraints' group first. */
  readonly limits: readonly Group[];
  /** Names the limits that hold for another instance now, whichever held when its claim was granted. */
  readonly limitedOf: (other: Pick<ClaimBefore, 'instanceId'>) => Limited;
}

/** Reads the constraints of the instance and its group. Of other groups only the members matter. */
const findConstraints = async (
  tx: Transaction,
  { instance, target, groups, actions }: FactsBeforeStart,
  { storedGroups, before }: { readonly storedGroups: readonly StoredGroup[]; readonly before: readonly ClaimBefore[] },
): Promise<Constrained> => {
  const others = target?.instances.filter(({ instanceId }) => instanceId !== instance.instanceId) ?? [];
  const listed = [instance, ...others];
  // The cloud's list has priority over a claim's note of the same instance.
  const instances = [...before.map((one) => ({ ...one, flavor: noFlavor })), ...listed];
  const ids = instances.map(({ instanceId }) => instanceId);
  const memberships = [...(await findConstraintsOf(tx, ids)).values()];
  const serverGroups = serverGroupsOf(groups, idsOf({ instances, memberships, storedGroups }));
  const workedOut = workOutLimits({ instances, memberships, storedGroups, serverGroups });
  const [own, ...onTarget] = withConstraints(listed, memberships, { ...workedOut, actions });
  if (own === undefined) throw new Error(`instance ${instance.instanceId} is in no group`);
  const groupByKey = new Map(workedOut.groups.map((group) => [group.key, group]));
  const limitedOf = ({ instanceId }: Pick<ClaimBefore, 'instanceId'>): Limited =>
    workedOut.limitedOf.get(instanceId) ?? ownGroupAlone(instanceId);
  return { own, onTarget, limits: limitsOf({ groupByKey }, own), limitedOf };
};

const targetOf = async (
  tx: Transaction,
  { target: name }: ClaimRecord,
  { target, takenAt, startingUntil }: StartSnapshot & Pick<ListedHosts, 'startingUntil'>,
): Promise<Pick<StartTarget, 'name' | 'host'> | undefined> => {
  if (target === undefined) return undefined;
  if (target.host === undefined) return { name, host: undefined };
  const owner = await findHostOwner(tx, name);
  const listed = { hosts: [target.host], takenAt, startingUntil };
  return { name, host: withWork(listed, owner === null ? [] : [owner])[0] };
};
