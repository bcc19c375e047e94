/**
 * Constraints as planning reads them: all at once, at admission, so that an update counts for every action not begun.
 */
import type { InstanceConstraint } from '@prisma/client';
import type { Action } from '../../planning/fleet/fleet';
import { keyOf, writtenAs } from '../../planning/fleet/id';
import type { StoredGroup } from '../../planning/limits/limits-of-instance';
import type { Queryable } from '../database';

export interface StoredInstanceConstraint {
  readonly instanceId: string;
  readonly groupId: string;
  readonly migrationType: Action;
  /** Seconds. */
  readonly leadTime: number;
  /** Seconds. */
  readonly maxInterruptionTime: number;
  readonly resourceMitigation: boolean;
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
  readonly groups: readonly (StoredGroup & { readonly resourceMitigation: boolean })[];
}

export const findAllConstraints = async (db: Queryable): Promise<StoredConstraints> => {
  const instances = await db.instanceConstraint.findMany();
  const groups = await db.groupConstraint.findMany();
  return { instances: instances.map(toStored), groups };
};

/** Undefined where nothing is stored of the group; the key may stand for a group that nobody can store. */
export const findStoredGroup = async (db: Queryable, groupKey: string): Promise<StoredGroup | undefined> =>
  (await db.groupConstraint.findUnique({ where: { groupKey } })) ?? undefined;

export const findInstanceConstraint = async (
  db: Queryable,
  instanceId: string,
): Promise<StoredInstanceConstraint | null> => {
  const row = await db.instanceConstraint.findUnique({ where: { instanceKey: keyOf(instanceId) } });
  return row && toStored(row);
};

/** By the instances' IDs as they are asked for. */
export const findInstanceConstraints = async (
  db: Queryable,
  instanceIds: readonly string[],
): Promise<ReadonlyMap<string, StoredInstanceConstraint>> => {
  const asAskedFor = writtenAs(instanceIds);
  const rows = await db.instanceConstraint.findMany({ where: { instanceKey: { in: instanceIds.map(keyOf) } } });
  return new Map(
    rows.map((row) => {
      const instanceId = asAskedFor(row.instanceId);
      return [instanceId, { ...toStored(row), instanceId }];
    }),
  );
};
