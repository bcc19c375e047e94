/**
 * What the last look before an action begins (planning/limits/before-start.ts) needs to see: its instance, its target and who
 * comes before it, not the whole fleet, since it is looked up for every single action.
 */
import {
  type CloudDriver,
  type CloudGroup,
  type CloudHost,
  type CloudInstance,
  latelyMs,
} from '../clouds/cloud-driver';
import { type Start, startOf, type StartTarget } from '../planning/limits/before-start';
import { groupInstances, type Grouping } from '../planning/fleet/group-of';
import type { ClaimRecord } from '../prisma/claims';
import { findClaimsBefore } from '../prisma/claims-before';
import { type Database, databaseNow } from '../prisma/database';
import { findConstraintsOf, type StoredConstraints } from '../prisma/planning-constraints';
import { findHostOwner } from '../prisma/session-hosts';
import { withConstraints, withWork } from './load-fleet';

/** What the cloud says about one claim; taken before any lock, since a cloud may be slow. */
interface StartSnapshot {
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
}

/** What was listed lately may have left since: nothing is put off for it before the cloud has listed it anew. */
export const decideStart = async (look: Look, claim: ClaimRecord): Promise<Start> => {
  const start = await judgeStart(look.db, claim, await lookBeforeStart(look, claim, 'listInstancesLately'));
  if (!isPutOffForInstances(start)) return start;
  return judgeStart(look.db, claim, await lookBeforeStart(look, claim, 'listInstances'));
};

const isPutOffForInstances = (start: Start): boolean =>
  start.kind === 'putOff' && (start.because.waitingFor === 'room' || start.because.waitingFor === 'affinity');

type Listing = 'listInstances' | 'listInstancesLately';

/** Asks the cloud for nothing that cannot change the judgement: it is asked so for every single action. */
const lookBeforeStart = async (
  { cloud, db }: Look,
  { instanceId, action, target }: ClaimRecord,
  listing: Listing,
): Promise<StartSnapshot> => {
  const takenAt = await databaseNow(db);
  // A project at work on its own is watched, whatever the limits are by now.
  if (action === 'OWN_ACTION') {
    return { takenAt, instance: await cloud.findInstance(instanceId), target: undefined, groups: [] };
  }
  const [instance, groups, onTarget] = await Promise.all([
    cloud.findInstance(instanceId),
    cloud.listGroups(),
    lookAtTarget(cloud, target, listing),
  ]);
  return { takenAt, instance, target: onTarget, groups };
};

/** Undefined where the cloud itself chooses: the target of the claim is no more than a hint then. */
const lookAtTarget = async (
  cloud: CloudDriver,
  name: string,
  listing: Listing,
): Promise<TargetSnapshot | undefined> => {
  if (!(await cloud.choosesTarget())) return undefined;
  const [hosts, instances] = await Promise.all([cloud.listHosts(), cloud[listing](name)]);
  return { host: hosts.find((host) => host.name === name), instances };
};

/** Without a lock: admission reserved what it needs, and who comes before it does not depend on who looks first. */
const judgeStart = async (db: Database, claim: ClaimRecord, snapshot: StartSnapshot): Promise<Start> => {
  const { instance } = snapshot;
  if (instance === undefined) return { kind: 'gone' };
  const seenOnTarget = snapshot.target?.instances ?? [];
  const listed = [instance, ...seenOnTarget.filter(({ instanceId }) => instanceId !== claim.instanceId)];
  const constraints = await findConstraintsOf(
    db,
    listed.map(({ instanceId }) => instanceId),
  );
  const grouping = groupingOf(listed, constraints, snapshot);
  const [own, ...onTarget] = withConstraints(listed, constraints, grouping);
  const group = grouping.groups.find(({ key }) => key === own?.groupKey);
  if (own === undefined || group === undefined) throw new Error(`instance ${claim.instanceId} is in no group`);
  const landedSince = new Date(snapshot.takenAt.getTime() - latelyMs);
  const before = await findClaimsBefore(db, { claim, groupKey: group.key, landedSince });
  const target = await targetOf(db, claim, snapshot);
  return startOf({
    claim,
    instance: own,
    group,
    isOutdated: claim.askedAt === null && !isGrantedOn(claim, constraints),
    impactedBefore: before.filter(({ isInGroup }) => isInGroup).length,
    target: target && { ...target, instances: onTarget, incoming: before.filter(({ isOntoTarget }) => isOntoTarget) },
  });
};

/** Whether the constraints of its instance are still those that it was granted on. */
const isGrantedOn = ({ instanceId, constraintsAt }: ClaimRecord, { instances }: StoredConstraints): boolean => {
  const stored = instances.find((one) => one.instanceId === instanceId);
  return stored?.storedAt.getTime() === constraintsAt?.getTime();
};

const groupingOf = (
  instances: readonly CloudInstance[],
  { instances: memberships, groups: storedGroups }: StoredConstraints,
  { groups: serverGroups }: StartSnapshot,
): Grouping => groupInstances({ instances, memberships, storedGroups, serverGroups });

const targetOf = async (
  db: Database,
  { target: name }: ClaimRecord,
  { target, takenAt }: StartSnapshot,
): Promise<Pick<StartTarget, 'name' | 'host'> | undefined> => {
  if (target === undefined) return undefined;
  if (target.host === undefined) return { name, host: undefined };
  const owner = await findHostOwner(db, name);
  return { name, host: withWork({ hosts: [target.host], takenAt }, owner === null ? [] : [owner])[0] };
};
