/**
 * What the last look before an action begins (planning/limits/before-start.ts) needs to see: its instance, its target
 * and who comes before it, not the whole fleet, since it is looked up for every single action.
 */
import {
  type CloudDriver,
  type CloudGroup,
  type CloudHost,
  type CloudInstance,
  latelyMs,
} from '../clouds/cloud-driver';
import type { StartTarget, StartView } from '../planning/limits/before-start';
import type { Group, Instance } from '../planning/fleet/fleet';
import { groupInstances } from '../planning/fleet/group-of';
import type { ClaimRecord } from '../prisma/claims';
import { type ClaimBefore, findClaimsBefore } from '../prisma/claims-before';
import { shareRecord } from '../prisma/constraint-locks';
import { type Database, databaseNow, type Transaction } from '../prisma/database';
import {
  findInstanceConstraint,
  findInstanceConstraints,
  findStoredGroup,
  type StoredInstanceConstraint,
} from '../prisma/planning-constraints';
import { findHostOwner, findStartingUntil } from '../prisma/session-hosts';
import { type ListedHosts, withConstraints, withWork } from './load-fleet';

/** What the cloud says about one claim; taken before any lock, since a cloud may be slow. */
export interface StartSnapshot {
  readonly takenAt: Date;
  readonly instance: CloudInstance | undefined;
  /** undefined: nothing depends on it. */
  readonly target: TargetSnapshot | undefined;
  readonly groups: readonly CloudGroup[];
}

interface TargetSnapshot {
  /** undefined: the cloud does not list it. */
  readonly host: CloudHost | undefined;
  /** As they were lately; what has landed since is added from the claims. */
  readonly instances: readonly CloudInstance[];
}

interface Look {
  readonly cloud: CloudDriver;
  readonly db: Database;
  readonly claim: ClaimRecord;
  /** Its target and the instances there: as they were lately, or as they are now. */
  readonly isFresh: boolean;
}

/** Asks the cloud for nothing that cannot change the judgement: it is asked so for every single action. */
export const lookBeforeStart = async ({ cloud, db, claim, isFresh }: Look): Promise<StartSnapshot> => {
  const takenAt = await databaseNow(db);
  const [instance, groups, target] = await Promise.all([
    cloud.findInstance(claim.instanceId),
    cloud.listGroups(),
    // A project that acts on its own may bring it anywhere.
    claim.action === 'OWN_ACTION' ? undefined : lookAtTarget(cloud, claim.target, isFresh),
  ]);
  return { takenAt, instance, target, groups };
};

/** Undefined where the cloud itself chooses: the target of the claim is no more than a hint then. */
const lookAtTarget = async (
  cloud: CloudDriver,
  name: string,
  isFresh: boolean,
): Promise<TargetSnapshot | undefined> => {
  if (!(await cloud.choosesTarget())) return undefined;
  const [hosts, instances] = await Promise.all(
    isFresh
      ? [cloud.listHosts(), cloud.listInstances(name)]
      : [cloud.listHostsLately(), cloud.listInstancesLately(name)],
  );
  return { host: hosts.find((host) => host.name === name), instances };
};

/** Of an instance that is there. */
export type Found = StartSnapshot & { readonly instance: CloudInstance };

/**
 * The snapshot with what is on record. Until the transaction ends nobody stores or deletes constraints of the instance
 * or its group; who comes before it does not depend on who looks first.
 */
export const viewOf = async (
  tx: Transaction,
  claim: ClaimRecord,
  { hostStartSeconds, ...snapshot }: Found & { readonly hostStartSeconds: number },
): Promise<StartView> => {
  const { instanceId } = claim;
  await shareRecord(tx, 'instance', instanceId);
  const stored = await findInstanceConstraint(tx, instanceId);
  const groupKey = groupKeyOf(snapshot, stored);
  await shareRecord(tx, 'group', groupKey);
  const landedSince = new Date(snapshot.takenAt.getTime() - latelyMs);
  const before = await findClaimsBefore(tx, { claim, groupKey, landedSince });
  const { own, onTarget, group, keyOf } = await findConstraints(tx, snapshot, { groupKey, before });
  const startingUntil = await findStartingUntil(tx, { now: snapshot.takenAt, hostStartSeconds });
  const target = await targetOf(tx, claim, { ...snapshot, startingUntil });
  const incoming = before.filter(({ isOntoTarget }) => isOntoTarget);
  return {
    claim,
    instance: own,
    group,
    isAsked: claim.askedAt !== null,
    isOutdated: stored?.storedAt.getTime() !== claim.constraintsAt?.getTime(),
    impactedBefore: before.filter(({ isInGroup }) => isInGroup).length,
    target: target && {
      ...target,
      instances: onTarget,
      incoming: incoming.map((one) => ({ ...one, groupKey: keyOf(one) })),
    },
  };
};

const groupKeyOf = ({ instance, groups }: Found, stored: StoredInstanceConstraint | null): string => {
  const memberships = stored === null ? [] : [stored];
  const { keyOf } = groupInstances({ instances: [instance], memberships, storedGroups: [], serverGroups: groups });
  return keyOf.get(instance.instanceId) ?? instance.instanceId;
};

interface Constrained {
  readonly own: Instance;
  readonly onTarget: readonly Instance[];
  /** Its own group. */
  readonly group: Group;
  /** The group that another instance is in now, whichever it was in when its claim was granted. */
  readonly keyOf: (other: Pick<ClaimBefore, 'instanceId'>) => string;
}

/** Nobody is kept apart by flavor, so it need not be known of an instance that the cloud was not asked for. */
const noFlavor = '';

/** Of other groups nothing but who is in them matters. */
const findConstraints = async (
  tx: Transaction,
  { instance, target, groups: serverGroups }: Found,
  { groupKey, before }: { readonly groupKey: string; readonly before: readonly ClaimBefore[] },
): Promise<Constrained> => {
  const others = target?.instances.filter(({ instanceId }) => instanceId !== instance.instanceId) ?? [];
  const listed = [instance, ...others];
  // What the cloud lists goes for what a claim noted of the same instance.
  const instances = [...before.map((one) => ({ ...one, flavor: noFlavor })), ...listed];
  const ids = instances.map(({ instanceId }) => instanceId);
  const memberships = [...(await findInstanceConstraints(tx, ids)).values()];
  const storedGroup = await findStoredGroup(tx, groupKey);
  const storedGroups = storedGroup ? [storedGroup] : [];
  const grouping = groupInstances({ instances, memberships, storedGroups, serverGroups });
  const [own, ...onTarget] = withConstraints(listed, memberships, grouping);
  const group = grouping.groups.find(({ key }) => key === groupKey);
  if (own === undefined || group === undefined) throw new Error(`instance ${instance.instanceId} is in no group`);
  const keyOf = ({ instanceId }: Pick<ClaimBefore, 'instanceId'>): string =>
    grouping.keyOf.get(instanceId) ?? instanceId;
  return { own, onTarget, group, keyOf };
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
