/**
 * Constraints of instances and groups that projects store. Groups and instances may be written and deleted in any
 * order (rules/constraints/constraint-writes.ts).
 */
import type { GroupConstraint, InstanceConstraint } from '@prisma/client';
import { type Id, keyOf } from '../../rules/cloud/id';
import { maySpeakFor, type Writer } from '../../rules/constraints/constraint-writes';
import { type Database, type Queryable } from '../database';
import { inConstraintWriting, lockRecords } from './constraint-locks';

/** PostgreSQL computes the rest of the row. */
type Keys = 'instanceKey' | 'projectKey' | 'groupKey';
type TimeFields = 'createdAt' | 'updatedAt' | 'missingSince';

/** IDs in the form of the request. */
export type InstanceConstraints = Omit<InstanceConstraint, Keys | TimeFields | 'terms'> & WithTerms;
export type GroupConstraints = Omit<GroupConstraint, Keys | TimeFields | 'terms'> & WithTerms;

interface WithTerms {
  /** As rules/cloud/terms.ts has them; left out: none. The API's parser has checked them. */
  readonly terms?: unknown;
}

export type ConstraintDelete = 'deleted' | 'ofAnotherProject';

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

/** Deleting a record that is not stored succeeds. */
export const deleteInstanceConstraints = (
  db: Database,
  { instanceId, writer }: { readonly instanceId: Id; readonly writer: Writer },
): Promise<ConstraintDelete> =>
  inConstraintWriting(db, async (tx): Promise<ConstraintDelete> => {
    const where = { instanceKey: instanceId.key };
    await lockRecords(tx, 'instance', [where.instanceKey]);
    const stored = await tx.instanceConstraint.findUnique({ where });
    if (!maySpeakFor(writer, stored === null ? undefined : keyOf(stored.projectId))) return 'ofAnotherProject';
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
  inConstraintWriting(db, async (tx): Promise<ConstraintDelete> => {
    const where = { groupKey: groupId.key };
    await lockRecords(tx, 'group', [where.groupKey]);
    const stored = await tx.groupConstraint.findUnique({ where });
    if (!isOwnGroup && !maySpeakFor(writer, stored === null ? undefined : keyOf(stored.projectId)))
      return 'ofAnotherProject';
    await tx.groupConstraint.deleteMany({ where });
    return 'deleted';
  });
