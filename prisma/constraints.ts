/**
 * Constraints of instances and groups as their projects store them. Groups and instances may be written and deleted
 * in any order; an instance never names a stored group of another project, nor a group the instances of another.
 */
import type { GroupConstraint, InstanceConstraint } from '@prisma/client';
import { holdOffAdmission, lockRecord } from './constraint-locks';
import { type Database, databaseNow, inTransaction, type Queryable } from './database';

export type InstanceConstraints = Omit<InstanceConstraint, 'createdAt' | 'updatedAt'>;
export type GroupConstraints = Omit<GroupConstraint, 'createdAt' | 'updatedAt'>;

/** Who writes: admins may write and take over any project's records. */
export type Writer = { readonly kind: 'admin' } | { readonly kind: 'project'; readonly projectId: string };

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
  writer.kind === 'admin' || projectId === undefined || writer.projectId === projectId;

export const findInstanceConstraints = async (
  db: Queryable,
  instanceId: string,
): Promise<InstanceConstraints | undefined> =>
  (await db.instanceConstraint.findUnique({ where: { instanceId } })) ?? undefined;

/** The group with the stored instances that name it, in the order of their IDs. */
export const findGroupConstraints = async (
  db: Queryable,
  groupId: string,
): Promise<{ readonly group: GroupConstraints; readonly instanceIds: readonly string[] } | undefined> => {
  const group = await db.groupConstraint.findUnique({ where: { groupId } });
  if (group === null) return undefined;
  const members = await db.instanceConstraint.findMany({
    where: { groupId },
    select: { instanceId: true },
    orderBy: { instanceId: 'asc' },
  });
  return { group, instanceIds: members.map(({ instanceId }) => instanceId) };
};

export const writeInstanceConstraints = (
  db: Database,
  { constraints, writer }: { readonly constraints: InstanceConstraints; readonly writer: Writer },
): Promise<ConstraintWrite> =>
  inTransaction(db, async (tx): Promise<ConstraintWrite> => {
    const { instanceId, groupId, projectId } = constraints;
    await holdOffAdmission(tx);
    await lockRecord(tx, 'instance', instanceId);
    await lockRecord(tx, 'group', groupId);
    const stored = await tx.instanceConstraint.findUnique({ where: { instanceId } });
    if (!maySpeakFor(writer, stored?.projectId)) return { kind: 'ofAnotherProject' };
    const group = await tx.groupConstraint.findUnique({ where: { groupId } });
    if (group !== null && group.projectId !== projectId) return { kind: 'foreignGroup' };
    if (holdsAll(stored, constraints)) return { kind: 'written' };
    const now = await databaseNow(tx);
    await tx.instanceConstraint.upsert({
      where: { instanceId },
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
    const { groupId, projectId } = constraints;
    await holdOffAdmission(tx);
    await lockRecord(tx, 'group', groupId);
    const stored = await tx.groupConstraint.findUnique({ where: { groupId } });
    if (!maySpeakFor(writer, stored?.projectId)) return { kind: 'ofAnotherProject' };
    const count = await tx.instanceConstraint.count({ where: { groupId, projectId: { not: projectId } } });
    if (count > 0) return { kind: 'foreignMembers', count };
    if (holdsAll(stored, constraints)) return { kind: 'written' };
    const now = await databaseNow(tx);
    await tx.groupConstraint.upsert({
      where: { groupId },
      create: { ...constraints, createdAt: now },
      update: { ...constraints, updatedAt: now },
    });
    return { kind: 'written' };
  });

/** Deleting what is not stored is fine. */
export const deleteInstanceConstraints = (
  db: Database,
  { instanceId, writer }: { readonly instanceId: string; readonly writer: Writer },
): Promise<ConstraintDelete> =>
  inTransaction(db, async (tx): Promise<ConstraintDelete> => {
    await holdOffAdmission(tx);
    await lockRecord(tx, 'instance', instanceId);
    const stored = await tx.instanceConstraint.findUnique({ where: { instanceId } });
    if (!maySpeakFor(writer, stored?.projectId)) return 'ofAnotherProject';
    await tx.instanceConstraint.deleteMany({ where: { instanceId } });
    return 'deleted';
  });

/** Deleting what is not stored is fine; instances that name the group stay. */
export const deleteGroupConstraints = (
  db: Database,
  { groupId, writer }: { readonly groupId: string; readonly writer: Writer },
): Promise<ConstraintDelete> =>
  inTransaction(db, async (tx): Promise<ConstraintDelete> => {
    await holdOffAdmission(tx);
    await lockRecord(tx, 'group', groupId);
    const stored = await tx.groupConstraint.findUnique({ where: { groupId } });
    if (!maySpeakFor(writer, stored?.projectId)) return 'ofAnotherProject';
    await tx.groupConstraint.deleteMany({ where: { groupId } });
    return 'deleted';
  });
