/**
 * Constraints whose instance or group the cloud does not know. Managers may store them before the instance exists, so
 * they are kept for long; after that they would only be read.
 */
import { Prisma } from '@prisma/client';
import { type IdKey, keyOf } from '../../rules/cloud/id';
import type { Database, Transaction } from '../database';
import { longestAgo } from '../upkeep/longest-ago';
import { inConstraintWriting, lockRecords } from './constraint-locks';

/** The number that is removed at a time, so that no transaction has very many locks. */
const mostGroupsRemoved = 200;

export interface KnownToCloud {
  readonly instanceIds: readonly string[];
  readonly groupIds: readonly string[];
}

/**
 * Notes since when each is missing, and forgets that of those that are there again. Rows that another transaction has
 * locked are left to the next call.
 */
export const noteMissing = async (db: Database, { instanceIds, groupIds }: KnownToCloud): Promise<void> => {
  const [instances, groups] = [instanceIds, groupIds].map((ids) => ids.map(keyOf));
  await db.$executeRaw`
    WITH known AS (SELECT DISTINCT unnest(${instances}::text[]) AS key), changed AS (
      SELECT instance_key FROM instance_constraint
      WHERE (missing_since IS NULL) = (instance_key NOT IN (SELECT key FROM known))
      ORDER BY instance_key FOR UPDATE SKIP LOCKED
    )
    UPDATE instance_constraint SET missing_since = CASE WHEN missing_since IS NULL THEN clock_timestamp() END
    WHERE instance_key IN (SELECT instance_key FROM changed)`;
  await db.$executeRaw`
    WITH known AS (
      SELECT unnest(${groups}::text[]) AS key UNION SELECT group_key FROM instance_constraint
    ), changed AS (
      SELECT group_key FROM group_constraint
      WHERE (missing_since IS NULL) = (group_key NOT IN (SELECT key FROM known))
      ORDER BY group_key FOR UPDATE SKIP LOCKED
    )
    UPDATE group_constraint SET missing_since = CASE WHEN missing_since IS NULL THEN clock_timestamp() END
    WHERE group_key IN (SELECT group_key FROM changed)`;
};

/** Instances that were missing for this number of days, a few at a time. */
export const findLongGone = async (
  db: Database,
  { days, limit }: { readonly days: number; readonly limit: number },
): Promise<string[]> => {
  const rows = await db.$queryRaw<{ instanceId: string }[]>`
    SELECT instance_id AS "instanceId" FROM instance_constraint
    WHERE missing_since < ${longestAgo(days)} ORDER BY missing_since LIMIT ${limit}`;
  return rows.map(({ instanceId }) => instanceId);
};

/**
 * Removes the constraints of these instances, unless somebody has stored them again, and of some long unused groups.
 * Locks all of them first: somebody may just be storing an instance that names such a group.
 */
export const removeGoneConstraints = (
  db: Database,
  { instanceIds, days }: { readonly instanceIds: readonly string[]; readonly days: number },
): Promise<number> =>
  inConstraintWriting(db, async (tx) => {
    const keys: IdKey[] = instanceIds.map(keyOf);
    const groupKeys = await findUnusedGroups(tx, days);
    await lockRecords(tx, 'instance', keys);
    await lockRecords(tx, 'group', groupKeys);
    const instances = await tx.$executeRaw`
      DELETE FROM instance_constraint
      WHERE instance_key = ANY(${keys}::text[]) AND missing_since < ${longestAgo(days)}`;
    const groups = await tx.$executeRaw`
      DELETE FROM group_constraint WHERE group_key = ANY(${groupKeys}::text[]) AND ${isUnused(days)}`;
    return instances + groups;
  });

const isUnused = (days: number): Prisma.Sql => Prisma.sql`
  missing_since < ${longestAgo(days)}
    AND NOT EXISTS (SELECT 1 FROM instance_constraint WHERE group_key = group_constraint.group_key)`;

const findUnusedGroups = async (tx: Transaction, days: number): Promise<string[]> => {
  const rows = await tx.$queryRaw<{ key: string }[]>`
    SELECT group_key AS key FROM group_constraint WHERE ${isUnused(days)}
    ORDER BY missing_since LIMIT ${mostGroupsRemoved}`;
  return rows.map(({ key }) => key);
};

/** The cloud knows these instances after all: they are missing from its lists alone. */
export const noteFound = async (db: Database, instanceIds: readonly string[]): Promise<void> => {
  await db.instanceConstraint.updateMany({
    where: { instanceKey: { in: instanceIds.map(keyOf) } },
    data: { missingSince: null },
  });
};
