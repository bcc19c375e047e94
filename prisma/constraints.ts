/**
 * Constraints of instances and groups as their projects store them. Groups and instances may be written and deleted
 * in any order; an instance never names a stored group of another project, nor a group the instances of another.
 */
import type { GroupConstraint, InstanceConstraint } from '@prisma/client';
import { type Id, idOf, isSameId, keyOf } from '../planning/fleet/id';
import { holdOffAdmission, lockRecord } from './constraint-locks';
import { type Database, databaseNow, inTransaction, type Queryable } from './database';

/** What PostgreSQL makes of the rest of the row. */
type Keys = 'instanceKey' | 'projectKey' | 'groupKey';
type Times = 'createdAt' | 'updatedAt';

/** IDs as the request wrote them. */
export type InstanceConstraints = Omit<InstanceConstraint, Keys | Times>;
export type GroupConstraints = Omit<GroupConstraint, Keys | Times>;

/** Who writes: admins may write and take over any project's records. */
export type Writer = { readonly kind: 'admin' } | { readonly kind: 'project'; readonly projectId: Id };

/**
 * - ofAnotherProject: the stored record belongs to a project that the writer may not speak for.
 * - foreignGroup: the instance names a stored group of another project.
 * - foreignMembers: so many stored instances of other projects name the group.
 */
export type ConstraintWrite =
  | { readonly kind: 'written' }
  | { readonly kind: 'ofAnotherProject' }
  | { readonly kind: 'foreignGroup' }
  | { readonly kind: 'foreignMembers'; readonly count: number };

export type ConstraintDelete = 'deleted' | 'ofAnotherProject';

/** Managers may store again what is stored: no action is put off for that. */
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
    where: { groupKey: key },
    select: { instanceId: true },
    orderBy: { instanceKey: 'asc' },
  });
  return { group, instanceIds: members.map(({ instanceId }) => instanceId) };
};

export const writeInstanceConstraints = (
  db: Database,
  { constraints, writer }: { readonly constraints: InstanceConstraints; readonly writer: Writer },
): Promise<ConstraintWrite> =>
  inTransaction(db, async (tx): Promise<ConstraintWrite> => {
    const where = { instanceKey: keyOf(constraints.instanceId) };
    const groupKey = keyOf(constraints.groupId);
    await holdOffAdmission(tx);
    await lockRecord(tx, 'instance', where.instanceKey);
    await lockRecord(tx, 'group', groupKey);
    const stored = await tx.instanceConstraint.findUnique({ where });
    if (!maySpeakFor(writer, stored?.projectId)) return { kind: 'ofAnotherProject' };
    const group = await tx.groupConstraint.findUnique({ where: { groupKey } });
    if (group !== null && keyOf(group.projectId) !== keyOf(constraints.projectId)) return { kind: 'foreignGroup' };
    if (holdsAll(stored, constraints)) return { kind: 'written' };
    const now = await databaseNow(tx);
    await tx.instanceConstraint.upsert({
      where,
      create: { ...constraints, createdAt: now },
      update: { ...constraints, updatedAt: now },
    });
    return { kind: 'written' };
  });

export const writeGroupConstraints = (
  db: Database,
  { constraints, writer }: { readonly constraints: GroupConstraints; readonly writer: Writer },
): Promise<ConstraintWrite> =>
  inTransaction(db, async (tx): Promise<ConstraintWrite> => {
    const where = { groupKey: keyOf(constraints.groupId) };
    const projectKey = keyOf(constraints.projectId);
    await holdOffAdmission(tx);
    await lockRecord(tx, 'group', where.groupKey);
    const stored = await tx.groupConstraint.findUnique({ where });
    if (!maySpeakFor(writer, stored?.projectId)) return { kind: 'ofAnotherProject' };
    const count = await tx.instanceConstraint.count({ where: { ...where, projectKey: { not: projectKey } } });
    if (count > 0) return { kind: 'foreignMembers', count };
    if (holdsAll(stored, constraints)) return { kind: 'written' };
    const now = await databaseNow(tx);
    await tx.groupConstraint.upsert({
      where,
      create: { ...constraints, createdAt: now },
      update: { ...constraints, updatedAt: now },
    });
    return { kind: 'written' };
  });

/** Deleting what is not stored is fine. */
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

/** Deleting what is not stored is fine; instances that name the group stay. */
export const deleteGroupConstraints = (
  db: Database,
  { groupId, writer }: { readonly groupId: Id; readonly writer: Writer },
): Promise<ConstraintDelete> =>
  inTransaction(db, async (tx): Promise<ConstraintDelete> => {
    await holdOffAdmission(tx);
    const where = { groupKey: groupId.key };
    await lockRecord(tx, 'group', where.groupKey);
    const stored = await tx.groupConstraint.findUnique({ where });
    if (!maySpeakFor(writer, stored?.projectId)) return 'ofAnotherProject';
    await tx.groupConstraint.deleteMany({ where });
    return 'deleted';
  });
