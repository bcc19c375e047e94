/**
 * What the last look before an action begins (planning/before-start.ts) needs to see: its instance, its target and who
 * comes before it, not the whole fleet, since it is looked up for every single action.
 */
import type { CloudDriver, CloudGroup, CloudHost, CloudInstance } from '../clouds/cloud-driver';
import { type Start, startOf, type StartTarget } from '../planning/before-start';
import { groupInstances, type Grouping } from '../planning/group-of';
import type { ClaimRecord } from '../prisma/claims';
import { type ClaimBefore, findClaimsBefore } from '../prisma/claims-before';
import { type Database, databaseNow } from '../prisma/database';
import { findConstraintsOf, type StoredConstraints } from '../prisma/planning-constraints';
import { findHostOwner } from '../prisma/session-hosts';
import { withConstraints, withWork } from './load-fleet';

/** What the cloud says about one claim; taken before any lock, since a cloud may be slow. */
export interface StartSnapshot {
  readonly takenAt: Date;
  readonly instance: CloudInstance | undefined;
  readonly choosesTarget: boolean;
  /** undefined: the cloud does not list the target. */
  readonly host: CloudHost | undefined;
  readonly onTarget: readonly CloudInstance[];
  readonly groups: readonly CloudGroup[];
}

export const lookBeforeStart = async (
  cloud: CloudDriver,
  db: Database,
  { instanceId, target }: ClaimRecord,
): Promise<StartSnapshot> => {
  const takenAt = await databaseNow(db);
  const [instance, hosts, onTarget, groups, choosesTarget] = await Promise.all([
    cloud.findInstance(instanceId),
    cloud.listHosts(),
    cloud.listInstances(target),
    cloud.listGroups(),
    cloud.choosesTarget(),
  ]);
  return { takenAt, instance, choosesTarget, host: hosts.find(({ name }) => name === target), onTarget, groups };
};

/** Without a lock: admission reserved what it needs, and who comes before it does not depend on who looks first. */
export const judgeStart = async (db: Database, claim: ClaimRecord, snapshot: StartSnapshot): Promise<Start> => {
  const { instance } = snapshot;
  if (instance === undefined) return { kind: 'gone' };
  const listed = [instance, ...snapshot.onTarget.filter(({ instanceId }) => instanceId !== claim.instanceId)];
  const constraints = await findConstraintsOf(
    db,
    listed.map(({ instanceId }) => instanceId),
  );
  const grouping = groupingOf(listed, constraints, snapshot);
  const [own, ...onTarget] = withConstraints(listed, constraints, grouping);
  const group = grouping.groups.find(({ key }) => key === own?.groupKey);
  if (own === undefined || group === undefined) throw new Error(`instance ${claim.instanceId} is in no group`);
  const before = await findClaimsBefore(db, claim, group.key);
  const target = await targetOf(db, claim, snapshot);
  return startOf({
    claim,
    instance: own,
    group,
    impactedBefore: before.filter(({ isInGroup }) => isInGroup).length,
    target: target && { ...target, instances: onTarget, incoming: before.filter(isOnto(claim)) },
  });
};

const groupingOf = (
  instances: readonly CloudInstance[],
  { instances: memberships, groups: storedGroups }: StoredConstraints,
  { groups: serverGroups }: StartSnapshot,
): Grouping => groupInstances({ instances, memberships, storedGroups, serverGroups });

/** Undefined where the target of the claim is no more than a hint. */
const targetOf = async (
  db: Database,
  { target: name }: ClaimRecord,
  { host, takenAt, choosesTarget }: StartSnapshot,
): Promise<Pick<StartTarget, 'name' | 'host'> | undefined> => {
  if (!choosesTarget) return undefined;
  if (host === undefined) return { name, host };
  const owner = await findHostOwner(db, name);
  return { name, host: withWork({ hosts: [host], takenAt }, owner === null ? [] : [owner])[0] };
};

const isOnto =
  ({ target }: ClaimRecord) =>
  (before: ClaimBefore): boolean =>
    before.isInFlight && before.target === target;
