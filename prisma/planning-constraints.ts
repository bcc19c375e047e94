/**
 * Constraints as planning reads them: all at once, at admission, so that an update counts for every action not begun.
 */
import type { Action } from '../planning/fleet/fleet';
import type { StoredGroup } from '../planning/limits/limits-of-instance';
import type { InstanceConstraint } from '@prisma/client';
import type { Queryable } from './database';

export interface StoredInstanceConstraint {
  readonly instanceId: string;
  readonly groupId: string;
  readonly migrationType: Action;
  /** Seconds. */
  readonly leadTime: number;
  /** Seconds. */
  readonly maxInterruptionTime: number;
  /** The first time, or anew. */
  readonly storedAt: Date;
}

const toStored = (row: InstanceConstraint): StoredInstanceConstraint => ({
  ...row,
  // It was checked by the API's parser.
  migrationType: row.migrationType as Action,
  storedAt: row.updatedAt ?? row.createdAt,
});

export interface StoredConstraints {
  readonly instances: readonly StoredInstanceConstraint[];
  readonly groups: readonly StoredGroup[];
}

export const findAllConstraints = async (db: Queryable): Promise<StoredConstraints> => {
  const instances = await db.instanceConstraint.findMany();
  const groups = await db.groupConstraint.findMany();
  return { instances: instances.map(toStored), groups };
};

/** Undefined where nothing is stored of the group; the key may stand for a group that nobody can store. */
export const findStoredGroup = async (db: Queryable, key: string): Promise<StoredGroup | undefined> => {
  const rows = await db.$queryRaw<StoredGroup[]>`
    SELECT group_id::text AS "groupId", group_name AS "groupName", anti_affinity_group AS "antiAffinityGroup",
           max_instances_per_host AS "maxInstancesPerHost", max_impacted_members AS "maxImpactedMembers",
           recovery_time AS "recoveryTime"
    FROM group_constraint WHERE group_id::text = ${key}`;
  return rows[0];
};

export const findInstanceConstraint = async (
  db: Queryable,
  instanceId: string,
): Promise<StoredInstanceConstraint | null> => {
  const row = await db.instanceConstraint.findUnique({ where: { instanceId } });
  return row && toStored(row);
};

export const findInstanceConstraints = async (
  db: Queryable,
  instanceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredInstanceConstraint>> => {
  const rows = await db.instanceConstraint.findMany({ where: { instanceId: { in: [...instanceIds] } } });
  return new Map(rows.map((row) => [row.instanceId, toStored(row)]));
};
