/**
 * Constraints for decisions: all of them are read at once, at admission, so that an update counts for every action that
 * has not begun.
 */
import type { GroupConstraint, InstanceConstraint } from '@prisma/client';
import { keyOf, writtenAs } from '../../rules/cloud/id';
import type { Terms } from '../../rules/cloud/terms';
import type { StoredGroup } from '../../rules/constraints/work-out-limits';
import type { Action } from '../../rules/decisions/fleet/fleet';
import type { Queryable } from '../database';

export interface StoredInstanceConstraint {
  readonly instanceId: string;
  /** As its project has written it. */
  readonly instanceName: string;
  readonly projectId: string;
  readonly groupId: string;
  readonly migrationType: Action;
  /** Seconds. */
  readonly leadTime: number;
  /** Seconds. */
  readonly maxInterruptionTime: number;
  readonly resourceMitigation: boolean;
  readonly terms: Terms | null;
  /** The time of the first store or of the latest change. */
  readonly storedAt: Date;
}

export const toStored = (row: InstanceConstraint): StoredInstanceConstraint => ({
  ...row,
  // The API's parser has checked it.
  migrationType: row.migrationType as Action,
  terms: row.terms as Terms | null,
  storedAt: row.updatedAt ?? row.createdAt,
});

export interface StoredGroupConstraint extends StoredGroup {
  readonly resourceMitigation: boolean;
  readonly terms: Terms | null;
}

export const toStoredGroup = (row: GroupConstraint): StoredGroupConstraint => ({
  ...row,
  terms: row.terms as Terms | null,
});

export interface StoredConstraints {
  readonly instances: readonly StoredInstanceConstraint[];
  readonly groups: readonly StoredGroupConstraint[];
}

/** The keys may be of groups that nobody can store. */
export const findStoredGroups = (db: Queryable, groupKeys: readonly string[]): Promise<readonly StoredGroup[]> =>
  db.groupConstraint.findMany({ where: { groupKey: { in: [...groupKeys] } } });

export const findInstanceConstraint = async (
  db: Queryable,
  instanceId: string,
): Promise<StoredInstanceConstraint | null> => {
  const row = await db.instanceConstraint.findUnique({ where: { instanceKey: keyOf(instanceId) } });
  return row && toStored(row);
};

/** Finds constraints by the instances' IDs in the form of the caller. */
export const findConstraintsOf = async (
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
