/**
 * Constraints of instances and groups: checks who may write them and which facts they must agree with, and wakes the
 * sessions to which they may matter. A caller must have rights for the body's project, the stored record's, and the
 * owner in the cloud.
 */
import type { CloudDriver } from '../../clouds/cloud-driver';
import {
  type ConstraintWrite,
  deleteGroupConstraints,
  deleteInstanceConstraints,
  findGroupConstraints,
  findInstanceConstraints,
  type GroupConstraints,
  type InstanceConstraints,
  writeGroupConstraints,
  writeInstanceConstraints,
} from '../../prisma/constraints/constraints';
import type { Database } from '../../prisma/database';
import { listSessionsOfProjects, listSessionsToWake } from '../../prisma/session/sessions';
import { type Id, idOf, isSameId } from '../../rules/cloud/id';
import type { WorkflowCalls } from '../../temporal/workflow-calls';
import { assertProjectOrAdmin } from '../identity/authorization';
import type { Principal } from '../identity/identity';
import type { FieldError } from '../problems/problem';
import {
  bodyDoesNotFit,
  groupConstraintsNotThere,
  instanceConstraintsNotFound,
  notYourProject,
} from '../problems/problem-catalogue';
import { type KnownOwners, rememberOwners } from './known-owners';

export interface ConstraintsDeps {
  readonly db: Database;
  readonly workflowCalls: WorkflowCalls;
  readonly cloud: CloudDriver;
}

interface Writing extends ConstraintsDeps {
  readonly owners: KnownOwners;
}

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

const assertWritten = (write: ConstraintWrite): void => {
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

/**
 * Wakes the sessions that have instances of the project: a group counts members of its own project alone.
 * @param project undefined: nobody knows whose it was, so all are woken
 */
const wakeSessionsOf = async ({ db, workflowCalls }: ConstraintsDeps, project: Id | undefined): Promise<void> => {
  const sessionIds = await (project === undefined ? listSessionsToWake(db) : listSessionsOfProjects(db, [project.key]));
  await Promise.all(sessionIds.map((sessionId) => workflowCalls.wakeSession(sessionId)));
};

/** An admin may delete constraints of any project, also where the cloud does not know their owner. */
const projectOfRemoved = (principal: Principal, owner: Id | undefined): Id | undefined =>
  owner ?? (principal.kind === 'project' ? principal.projectId : undefined);

const writeInstance = async (
  deps: Writing,
  { principal, constraints }: { readonly principal: Principal; readonly constraints: InstanceConstraints },
): Promise<void> => {
  const projectId = idOf(constraints.projectId);
  assertProjectOrAdmin(principal, projectId, 'the body names');
  const owner = await deps.owners.ofInstance(idOf(constraints.instanceId));
  assertMaySpeakFor(principal, owner);
  const groupOwner = await deps.owners.ofGroup(idOf(constraints.groupId));
  const errors = findDisagreements(deps.cloud, { constraints, owner, groupOwner });
  if (errors.length > 0) throw bodyDoesNotFit(errors);
  const isOwnGroup = groupOwner !== undefined;
  assertWritten(await writeInstanceConstraints(deps.db, { constraints, writer: principal, isOwnGroup }));
  await wakeSessionsOf(deps, projectId);
};

const writeGroup = async (
  deps: Writing,
  { principal, constraints }: { readonly principal: Principal; readonly constraints: GroupConstraints },
): Promise<void> => {
  const projectId = idOf(constraints.projectId);
  assertProjectOrAdmin(principal, projectId, 'the body names');
  const owner = await deps.owners.ofGroup(idOf(constraints.groupId));
  assertMaySpeakFor(principal, owner);
  if (owner !== undefined && !isSameId(owner, projectId)) throw bodyDoesNotFit([refuseOwner('group', owner)]);
  const isOwnGroup = owner !== undefined;
  assertWritten(await writeGroupConstraints(deps.db, { constraints, writer: principal, isOwnGroup }));
  await wakeSessionsOf(deps, projectId);
};

const removeInstance = async (
  deps: Writing,
  { principal, instanceId }: { readonly principal: Principal; readonly instanceId: Id },
): Promise<void> => {
  const owner = await deps.owners.ofInstance(instanceId);
  assertMaySpeakFor(principal, owner);
  const outcome = await deleteInstanceConstraints(deps.db, { instanceId, writer: principal });
  if (outcome === 'ofAnotherProject') throw notYourProject(ownedByAnother);
  await wakeSessionsOf(deps, projectOfRemoved(principal, owner));
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
  await wakeSessionsOf(deps, projectOfRemoved(principal, owner));
};

export const createConstraints = (given: ConstraintsDeps): Constraints => {
  const deps = { ...given, owners: rememberOwners(given.cloud) };
  return constraintsWith(deps);
};

const constraintsWith = (deps: Writing): Constraints => ({
  async instance(principal, instanceId) {
    const stored = await findInstanceConstraints(deps.db, instanceId);
    if (stored === undefined) throw instanceConstraintsNotFound(instanceId.text);
    assertProjectOrAdmin(principal, idOf(stored.projectId), ownedByAnother);
    return stored;
  },
  writeInstance: (principal, constraints) => writeInstance(deps, { principal, constraints }),
  removeInstance: (principal, instanceId) => removeInstance(deps, { principal, instanceId }),
  async group(principal, groupId) {
    const stored = await findGroupConstraints(deps.db, groupId);
    if (stored === undefined) throw groupConstraintsNotThere(groupId.text);
    assertProjectOrAdmin(principal, idOf(stored.group.projectId), ownedByAnother);
    return stored;
  },
  writeGroup: (principal, constraints) => writeGroup(deps, { principal, constraints }),
  removeGroup: (principal, groupId) => removeGroup(deps, { principal, groupId }),
});
