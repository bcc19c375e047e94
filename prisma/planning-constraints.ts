/** Constraints as planning reads them: all at once, at admission, so that an update counts for every action not begun. */
import type { Action } from '../planning/fleet/fleet';
import type { StoredGroup } from '../planning/fleet/group-of';
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

/** What is stored of these instances and of the groups that they name. */
export const findConstraintsOf = async (db: Queryable, instanceIds: readonly string[]): Promise<StoredConstraints> => {
  const instances = [...(await findInstanceConstraints(db, instanceIds)).values()];
  const groupIds = [...new Set(instances.map(({ groupId }) => groupId))];
  return { instances, groups: await db.groupConstraint.findMany({ where: { groupId: { in: groupIds } } }) };
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
