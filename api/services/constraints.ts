/**
 * Constraints of instances and groups: checks who may write them and which facts they must agree with, and wakes the
 * sessions to which they may matter. A caller must have rights for the body's project, the stored record's, and the
 * owner in the cloud.
 */
import type { CloudDriver } from '../../clouds/cloud-driver';
import { checkTerms } from '../../forms/check-terms';
import {
  deleteGroupConstraints,
  deleteInstanceConstraints,
  findGroupConstraints,
  findInstanceConstraints,
  type GroupConstraints,
  type InstanceConstraints,
} from '../../prisma/constraints/constraints';
import type { ConstraintsOfOne, ConstraintsToWrite } from '../../prisma/constraints/write-constraints';
import type { Database } from '../../prisma/database';
import { listSessionsToWake } from '../../prisma/session/sessions';
import { type Id, type IdKey, idOf, isSameId, keyOf } from '../../rules/cloud/id';
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
  writeMany(principal: Principal, items: readonly ConstraintsOfOne[]): Promise<readonly ItemAnswer[]>;
}

const ownedByAnother = 'the resource in the path belongs to';

/** The body must name the owner, where the cloud knows one. */
const ownerErrors = (
  what: 'instance' | 'group',
  { projectId }: Pick<GroupConstraints, 'projectId'>,
  owner: Id | undefined,
): FieldError[] =>
  owner === undefined || isSameId(owner, idOf(projectId))
    ? []
    : [{ pointer: '/project_id', message: `must be ${owner.text}, which owns the ${what} in the cloud` }];

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
    ...ownerErrors('instance', constraints, owner),
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

/** The owners in the cloud of what a request writes, as far as the cloud knows them. */
interface OwnersInCloud {
  readonly instances: ReadonlyMap<IdKey, Id>;
  readonly groups: ReadonlyMap<IdKey, Id>;
}

/** @throws ApiError when the principal may not write it, or the cloud's facts differ */
const writeOf = (
  cloud: CloudDriver,
  { principal, item }: { readonly principal: Principal; readonly item: ConstraintsOfOne },
  owners: OwnersInCloud,
): ConstraintsToWrite => {
  const groupOwner = owners.groups.get(keyOf(item.constraints.groupId));
  const owner = item.kind === 'group' ? groupOwner : owners.instances.get(keyOf(item.constraints.instanceId));
  assertMaySpeakFor(principal, owner);
  const errors =
    item.kind === 'group'
      ? ownerErrors('group', item.constraints, owner)
      : findDisagreements(cloud, { constraints: item.constraints, owner, groupOwner });
  const { terms } = item.constraints;
  if (terms) errors.push(...checkTerms(terms, { cloud, now: new Date(), pointer: '/terms' }));
  if (errors.length > 0) throw bodyDoesNotFit(errors);
  return { ...item, writer: principal, isOwnGroup: groupOwner !== undefined };
};

/** @returns the refusal of the item alone @throws any other error */
const refusalOf = async (attempt: () => Promise<void> | void): Promise<ApiError | undefined> => {
  try {
    await attempt();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.problem.status < 500) return error;
    throw error;
  }
};

/** Writes each item as if it was alone, with few requests to the cloud and few transactions. */
const writeMany = async (
  deps: Writing,
  principal: Principal,
  items: readonly ConstraintsOfOne[],
): Promise<readonly ItemAnswer[]> => {
  const refusals = await Promise.all(
    items.map(({ constraints }) =>
      refusalOf(() => assertProjectOrAdmin(principal, idOf(constraints.projectId), 'the body names')),
    ),
  );
  const owners = await ownersInCloud(
    deps,
    items.filter((_item, position) => refusals[position] === undefined),
  );
  const answers = items.map(async (item, position): Promise<ItemAnswer> => {
    const write = async () => assertWritten(await deps.store(writeOf(deps.cloud, { principal, item }, owners)));
    return refusals[position] ?? (await refusalOf(write)) ?? 'stored';
  });
  return await Promise.all(answers);
};

const ownersInCloud = async (deps: Writing, items: readonly ConstraintsOfOne[]): Promise<OwnersInCloud> => {
  const instanceIds = items.flatMap((item) => (item.kind === 'instance' ? [idOf(item.constraints.instanceId)] : []));
  const groupIds = items.map(({ constraints }) => idOf(constraints.groupId));
  return { instances: await ownersOfInstances(deps, instanceIds), groups: await ownersOfGroups(deps, groupIds) };
};

/** @throws ApiError */
const writeOne = async (deps: Writing, principal: Principal, item: ConstraintsOfOne): Promise<void> => {
  const [answer] = await writeMany(deps, principal, [item]);
  if (answer instanceof ApiError) throw answer;
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
  const owner = (await deps.owners.ofGroups([groupId])).get(groupId.key);
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
  writeInstance: (principal, constraints) => writeOne(deps, principal, { kind: 'instance', constraints }),
  removeInstance: (principal, instanceId) => removeInstance(deps, { principal, instanceId }),
  async group(principal, groupId) {
    const stored = await findGroupConstraints(deps.db, groupId);
    if (stored === undefined) throw groupConstraintsNotThere(groupId.text);
    assertProjectOrAdmin(principal, idOf(stored.group.projectId), ownedByAnother);
    return stored;
  },
  writeGroup: (principal, constraints) => writeOne(deps, principal, { kind: 'group', constraints }),
  writeMany: (principal, items) => writeMany(deps, principal, items),
  removeGroup: (principal, groupId) => removeGroup(deps, { principal, groupId }),
});
