/**
 * Constraints of instances and groups: checks who may write them and which facts they must agree with, and wakes the
 * sessions to which they may matter. A caller must have rights for the body's project, the stored record's, and the
 * owner in the cloud.
 */
import type { CloudDriver } from '../../clouds/cloud-driver';
import {
  deleteGroupConstraints,
  deleteInstanceConstraints,
  findGroupConstraints,
  findInstanceConstraints,
  type GroupConstraints,
  type InstanceConstraints,
} from '../../prisma/constraints/constraints';
import type { ConstraintsToWrite } from '../../prisma/constraints/write-constraints';
import type { Database } from '../../prisma/database';
import { listSessionsToWake } from '../../prisma/session/sessions';
import { type Id, idOf, isSameId, keyOf } from '../../rules/cloud/id';
import type { WriteAnswer } from '../../rules/constraints/constraint-writes';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { assertProjectOrAdmin } from '../identity/authorization';
import type { Principal } from '../identity/identity';
import { ApiError, type FieldError } from '../problems/problem';
import {
  bodyDoesNotFit,
  groupConstraintsNotThere,
  instanceConstraintsNotFound,
  notYourProject,
} from '../problems/problem-catalogue';
import { type KnownOwners, rememberOwners } from './known-owners';
import { ownersOfGroups, ownersOfInstances } from './owners-of-many';
import { createConstraintStore, type StoreConstraints, wakeSessionsOf } from './store-constraints';

export interface ConstraintsDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly cloud: CloudDriver;
}

interface Writing extends ConstraintsDeps {
  readonly owners: KnownOwners;
  readonly store: StoreConstraints;
}

/** Constraints of a request for many. */
export type ConstraintsItem =
  | { readonly kind: 'instance'; readonly constraints: InstanceConstraints }
  | { readonly kind: 'group'; readonly constraints: GroupConstraints };

/** The error: nothing of the item was stored. */
export type ItemAnswer = 'stored' | ApiError;

export interface Constraints {
  instance(principal: Principal, instanceId: Id): Promise<InstanceConstraints>;
  writeInstance(principal: Principal, constraints: InstanceConstraints): Promise<void>;
  removeInstance(principal: Principal, instanceId: Id): Promise<void>;
  group(
    principal: Principal,
    groupId: Id,
  ): Promise<{ readonly group: GroupConstraints; readonly instanceIds: readonly string[] }>;
  writeGroup(principal: Principal, constraints: GroupConstraints): Promise<void>;
  removeGroup(principal: Principal, groupId: Id): Promise<void>;
  /** @returns the answers in the order of the items @throws ApiError 503 */
  writeMany(principal: Principal, items: readonly ConstraintsItem[]): Promise<readonly ItemAnswer[]>;
}

const ownedByAnother = 'the resource in the path belongs to';

const refuseOwner = (what: string, owner: Id): FieldError => ({
  pointer: '/project_id',
  message: `must be ${owner.text}, which owns the ${what} in the cloud`,
});

/** When the cloud knows an owner, the caller must have rights for it. */
const assertMaySpeakFor = (principal: Principal, owner: Id | undefined): void => {
  if (owner !== undefined) assertProjectOrAdmin(principal, owner, ownedByAnother);
};

const foreignGroupError: FieldError = { pointer: '/group_id', message: "must not be another project's group" };

const assertWritten = (write: WriteAnswer): void => {
  switch (write.kind) {
    case 'written':
      return;
    case 'ofAnotherProject':
      throw notYourProject(ownedByAnother);
    case 'foreignGroup':
      throw bodyDoesNotFit([foreignGroupError]);
    case 'foreignMembers':
      throw bodyDoesNotFit([
        { pointer: '/group_id', message: `is the group of ${write.count} stored instance(s) of another project` },
      ]);
  }
};

interface InstanceWriting {
  readonly constraints: InstanceConstraints;
  /** The project of the instance in the cloud, and that of its group, when they are known. */
  readonly owner: Id | undefined;
  readonly groupOwner: Id | undefined;
}

/** The facts of the cloud with which an instance's constraints must agree. */
const findDisagreements = (cloud: CloudDriver, { constraints, owner, groupOwner }: InstanceWriting): FieldError[] => {
  const { migrationType } = constraints;
  const projectId = idOf(constraints.projectId);
  return [
    ...(owner === undefined || isSameId(owner, projectId) ? [] : [refuseOwner('instance', owner)]),
    ...(groupOwner === undefined || isSameId(groupOwner, projectId) ? [] : [foreignGroupError]),
    ...(cloud.actions.migrationTypes.some((type) => type === migrationType)
      ? []
      : [unknownActionError(cloud, migrationType)]),
  ];
};

const unknownActionError = ({ name, actions }: CloudDriver, migrationType: string): FieldError => ({
  pointer: '/migration_type',
  message: `must be one of ${actions.migrationTypes.join(', ')}: the ${name} cloud has no ${migrationType}`,
});

/** @param project undefined: nobody knows whose it was, so all sessions are woken */
const wakeAfterRemoval = async (deps: ConstraintsDeps, project: Id | undefined): Promise<void> => {
  if (project !== undefined) return wakeSessionsOf(deps, new Set([project.key]));
  const sessionIds = await listSessionsToWake(deps.db);
  await Promise.all(sessionIds.map((sessionId) => deps.workflowCalls.wakeSession(sessionId)));
};

/** An admin may delete constraints of any project, also where the cloud does not know their owner. */
const projectOfRemoved = (principal: Principal, owner: Id | undefined): Id | undefined =>
  owner ?? (principal.kind === 'project' ? principal.projectId : undefined);

/** @throws ApiError when the principal may not write it, or the cloud's facts differ */
const instanceWrite = (
  { cloud }: Writing,
  { principal, constraints }: { readonly principal: Principal; readonly constraints: InstanceConstraints },
  { owner, groupOwner }: Pick<InstanceWriting, 'owner' | 'groupOwner'>,
): ConstraintsToWrite => {
  assertMaySpeakFor(principal, owner);
  const errors = findDisagreements(cloud, { constraints, owner, groupOwner });
  if (errors.length > 0) throw bodyDoesNotFit(errors);
  return { kind: 'instance', constraints, writer: principal, isOwnGroup: groupOwner !== undefined };
};

/** @throws ApiError */
const groupWrite = (
  { principal, constraints }: { readonly principal: Principal; readonly constraints: GroupConstraints },
  owner: Id | undefined,
): ConstraintsToWrite => {
  assertMaySpeakFor(principal, owner);
  const projectId = idOf(constraints.projectId);
  if (owner !== undefined && !isSameId(owner, projectId)) throw bodyDoesNotFit([refuseOwner('group', owner)]);
  return { kind: 'group', constraints, writer: principal, isOwnGroup: owner !== undefined };
};

const assertMayWrite = (principal: Principal, { projectId }: InstanceConstraints | GroupConstraints): void =>
  assertProjectOrAdmin(principal, idOf(projectId), 'the body names');

const writeInstance = async (deps: Writing, principal: Principal, constraints: InstanceConstraints): Promise<void> => {
  assertMayWrite(principal, constraints);
  const owner = await deps.owners.ofInstance(idOf(constraints.instanceId));
  assertMaySpeakFor(principal, owner);
  const groupOwner = await deps.owners.ofGroup(idOf(constraints.groupId));
  assertWritten(await deps.store(instanceWrite(deps, { principal, constraints }, { owner, groupOwner })));
};

const writeGroup = async (deps: Writing, principal: Principal, constraints: GroupConstraints): Promise<void> => {
  assertMayWrite(principal, constraints);
  const owner = await deps.owners.ofGroup(idOf(constraints.groupId));
  assertWritten(await deps.store(groupWrite({ principal, constraints }, owner)));
};

/** Each item as if it was written alone, in few requests to the cloud and few transactions. */
const writeMany = async (
  deps: Writing,
  principal: Principal,
  items: readonly ConstraintsItem[],
): Promise<readonly ItemAnswer[]> => {
  const instanceIds = items.flatMap((item) => (item.kind === 'instance' ? [idOf(item.constraints.instanceId)] : []));
  const owners = await ownersOfInstances(deps, instanceIds);
  const groupOwners = await ownersOfGroups(
    deps,
    items.map(({ constraints }) => idOf(constraints.groupId)),
  );
  const answers = items.map(async (item): Promise<ItemAnswer> => {
    try {
      assertMayWrite(principal, item.constraints);
      const groupOwner = groupOwners.get(keyOf(item.constraints.groupId));
      const write =
        item.kind === 'group'
          ? groupWrite({ principal, constraints: item.constraints }, groupOwner)
          : instanceWrite(
              deps,
              { principal, constraints: item.constraints },
              { owner: owners.get(keyOf(item.constraints.instanceId)), groupOwner },
            );
      assertWritten(await deps.store(write));
      return 'stored';
    } catch (error) {
      if (error instanceof ApiError && error.problem.status < 500) return error;
      throw error;
    }
  });
  return await Promise.all(answers);
};

const removeInstance = async (
  deps: Writing,
  { principal, instanceId }: { readonly principal: Principal; readonly instanceId: Id },
): Promise<void> => {
  const owner = await deps.owners.ofInstance(instanceId);
  assertMaySpeakFor(principal, owner);
  const outcome = await deleteInstanceConstraints(deps.db, { instanceId, writer: principal });
  if (outcome === 'ofAnotherProject') throw notYourProject(ownedByAnother);
  await wakeAfterRemoval(deps, projectOfRemoved(principal, owner));
};

const removeGroup = async (
  deps: Writing,
  { principal, groupId }: { readonly principal: Principal; readonly groupId: Id },
): Promise<void> => {
  const owner = await deps.owners.ofGroup(groupId);
  assertMaySpeakFor(principal, owner);
  const isOwnGroup = owner !== undefined;
  const outcome = await deleteGroupConstraints(deps.db, { groupId, writer: principal, isOwnGroup });
  if (outcome === 'ofAnotherProject') throw notYourProject(ownedByAnother);
  await wakeAfterRemoval(deps, projectOfRemoved(principal, owner));
};

export const createConstraints = (given: ConstraintsDeps): Constraints => {
  const deps = { ...given, owners: rememberOwners(given.cloud), store: createConstraintStore(given) };
  return constraintsWith(deps);
};

const constraintsWith = (deps: Writing): Constraints => ({
  async instance(principal, instanceId) {
    const stored = await findInstanceConstraints(deps.db, instanceId);
    if (stored === undefined) throw instanceConstraintsNotFound(instanceId.text);
    assertProjectOrAdmin(principal, idOf(stored.projectId), ownedByAnother);
    return stored;
  },
  writeInstance: (principal, constraints) => writeInstance(deps, principal, constraints),
  removeInstance: (principal, instanceId) => removeInstance(deps, { principal, instanceId }),
  async group(principal, groupId) {
    const stored = await findGroupConstraints(deps.db, groupId);
    if (stored === undefined) throw groupConstraintsNotThere(groupId.text);
    assertProjectOrAdmin(principal, idOf(stored.group.projectId), ownedByAnother);
    return stored;
  },
  writeGroup: (principal, constraints) => writeGroup(deps, principal, constraints),
  writeMany: (principal, items) => writeMany(deps, principal, items),
  removeGroup: (principal, groupId) => removeGroup(deps, { principal, groupId }),
});
