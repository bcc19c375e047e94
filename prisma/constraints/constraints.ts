/**
 * Constraints of instances and groups that projects store. Groups and instances may be written and deleted in any
 * order. A group's ID belongs to one project: the cloud decides which when it has such a group. Otherwise it belongs to
 * the project that first stored the group or an instance that names it.
 */
import type { GroupConstraint, InstanceConstraint } from '@prisma/client';
import { type Id, idOf, isSameId, keyOf } from '../../rules/cloud/id';
import { type Database, databaseNow, inTransaction, type Queryable, type Transaction } from '../database';
import { holdOffAdmission, lockRecord } from './constraint-locks';

/** PostgreSQL computes the rest of the row. */
type Keys = 'instanceKey' | 'projectKey' | 'groupKey';
type TimeFields = 'createdAt' | 'updatedAt' | 'missingSince';

/** IDs in the form of the request. */
export type InstanceConstraints = Omit<InstanceConstraint, Keys | TimeFields>;
export type GroupConstraints = Omit<GroupConstraint, Keys | TimeFields>;

/** The writer: admins may write and take over any project's records. */
export type Writer = { readonly kind: 'admin' } | { readonly kind: 'project'; readonly projectId: Id };

/**
 * - ofAnotherProject: the stored record belongs to a project for which the writer may not act.
 * - foreignGroup: the instance names a group for which another project has stored the group or instances.
 * - foreignMembers: the number of stored instances of other projects that name the group.
 */
export type ConstraintWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'ofAnotherProject' }
  | { readonly kind: 'foreignGroup' }
  | { readonly kind: 'foreignMembers'; readonly count: number };

export type ConstraintDelete = 'deleted' | 'ofAnotherProject';

/** Managers may store the same record again: that delays no action. */
const holdsAll = (stored: object | null, constraints: object): boolean => {
  const held = new Map(Object.entries(stored ?? {}));
  return Object.entries(constraints).every(([field, value]) => held.get(field) === value);
};

const maySpeakFor = (writer: Writer, projectId: string | undefined): boolean =>
  writer.kind === 'admin' || projectId === undefined || isSameId(writer.projectId, idOf(projectId));

export const findInstanceConstraints = async (db: Queryable, { key }: Id): Promise<InstanceConstraints | undefined> =>
  (await db.instanceConstraint.findUnique({ where: { instanceKey: key } })) ?? undefined;

/** The group with the stored instances that name it, in the order of their IDs. */
export const findGroupConstraints = async (
  db: Queryable,
  { key }: Id,
): Promise<{ readonly group: GroupConstraints; readonly instanceIds: readonly string[] } | undefined> => {
  const group = await db.groupConstraint.findUnique({ where: { groupKey: key } });
  if (group === null) return undefined;
  const members = await db.instanceConstraint.findMany({
    where: { groupKey: key, projectKey: keyOf(group.projectId) },
    select: { instanceId: true },
    orderBy: { instanceKey: 'asc' },
  });
  return { group, instanceIds: members.map(({ instanceId }) => instanceId) };
};

interface GroupOfProject {
  readonly groupKey: string;
  readonly projectKey: string;
}

const isStoredByOther = async (tx: Transaction, { groupKey, projectKey }: GroupOfProject): Promise<boolean> => {
  const group = await tx.groupConstraint.findUnique({ where: { groupKey } });
  return group !== null && keyOf(group.projectId) !== projectKey;
};

/** Instances of other projects that name the group. */
const countForeignMembers = (tx: Transaction, { groupKey, projectKey }: GroupOfProject): Promise<number> =>
  tx.instanceConstraint.count({ where: { groupKey, projectKey: { not: projectKey } } });

interface ConstraintWriting<Constraints> {
  readonly constraints: Constraints;
  readonly writer: Writer;
  /** The cloud has the group, and it belongs to this project: records of others under its ID do not count. */
  readonly isOwnGroup?: boolean;
}

export const writeInstanceConstraints = (
  db: Database,
  { constraints, writer, isOwnGroup = false }: ConstraintWriting<InstanceConstraints>,
): Promise<ConstraintWrite> =>
  inTransaction(db, async (tx): Promise<ConstraintWrite> => {
    const where = { instanceKey: keyOf(constraints.instanceId) };
    const group = { groupKey: keyOf(constraints.groupId), projectKey: keyOf(constraints.projectId) };
    await holdOffAdmission(tx);
    await lockRecord(tx, 'instance', where.instanceKey);
    await lockRecord(tx, 'group', group.groupKey);
    const stored = await tx.instanceConstraint.findUnique({ where });
    if (!maySpeakFor(writer, stored?.projectId)) return { kind: 'ofAnotherProject' };
    const isForeign = await isStoredByOther(tx, group);
    if (!isOwnGroup && (isForeign || (await countForeignMembers(tx, group)) > 0)) return { kind: 'foreignGroup' };
    if (isForeign) await tx.groupConstraint.delete({ where: { groupKey: group.groupKey } });
    if (holdsAll(stored, constraints)) {
      if (stored?.missingSince) await tx.instanceConstraint.update({ where, data: { missingSince: null } });
      return { kind: 'written' };
    }
    const now = await databaseNow(tx);
    await tx.instanceConstraint.upsert({
      where,
      create: { ...constraints, createdAt: now },
      update: { ...constraints, updatedAt: now, missingSince: null },
    });
    return { kind: 'written' };
  });

export const writeGroupConstraints = (
  db: Database,
  { constraints, writer, isOwnGroup = false }: ConstraintWriting<GroupConstraints>,
): Promise<ConstraintWrite> =>
  inTransaction(db, async (tx): Promise<ConstraintWrite> => {
    const where = { groupKey: keyOf(constraints.groupId) };
    const projectKey = keyOf(constraints.projectId);
    await holdOffAdmission(tx);
    await lockRecord(tx, 'group', where.groupKey);
    const stored = await tx.groupConstraint.findUnique({ where });
    if (!isOwnGroup && !maySpeakFor(writer, stored?.projectId)) return { kind: 'ofAnotherProject' };
    const count = isOwnGroup ? 0 : await countForeignMembers(tx, { ...where, projectKey });
    if (count > 0) return { kind: 'foreignMembers', count };
    if (holdsAll(stored, constraints)) {
      if (stored?.missingSince) await tx.groupConstraint.update({ where, data: { missingSince: null } });
      return { kind: 'written' };
    }
    const now = await databaseNow(tx);
    await tx.groupConstraint.upsert({
      where,
      create: { ...constraints, createdAt: now },
      update: { ...constraints, updatedAt: now, missingSince: null },
    });
    return { kind: 'written' };
  });

/** Deleting a record that is not stored succeeds. */
export const deleteInstanceConstraints = (
  db: Database,
  { instanceId, writer }: { readonly instanceId: Id; readonly writer: Writer },
): Promise<ConstraintDelete> =>
  inTransaction(db, async (tx): Promise<ConstraintDelete> => {
    await holdOffAdmission(tx);
    const where = { instanceKey: instanceId.key };
    await lockRecord(tx, 'instance', where.instanceKey);
    const stored = await tx.instanceConstraint.findUnique({ where });
    if (!maySpeakFor(writer, stored?.projectId)) return 'ofAnotherProject';
    await tx.instanceConstraint.deleteMany({ where });
    return 'deleted';
  });

/**
 * Deleting a record that is not stored succeeds, also when another project stored one under the ID of one's own group.
 */
export const deleteGroupConstraints = (
  db: Database,
  {
    groupId,
    writer,
    isOwnGroup = false,
  }: { readonly groupId: Id; readonly writer: Writer; readonly isOwnGroup?: boolean },
): Promise<ConstraintDelete> =>
  inTransaction(db, async (tx): Promise<ConstraintDelete> => {
    await holdOffAdmission(tx);
    const where = { groupKey: groupId.key };
    await lockRecord(tx, 'group', where.groupKey);
    const stored = await tx.groupConstraint.findUnique({ where });
    if (!isOwnGroup && !maySpeakFor(writer, stored?.projectId)) return 'ofAnotherProject';
    await tx.groupConstraint.deleteMany({ where });
    return 'deleted';
  });
