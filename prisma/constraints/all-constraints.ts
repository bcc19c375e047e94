/**
 * All constraints, for decisions. A process keeps those that it has read, and reads again only what has changed since
 * (constraint-changes.ts), so that a decision does not cost more with every constraint that was ever stored.
 */
import type { GroupConstraint, InstanceConstraint } from '@prisma/client';
import { type Database, databaseOf, type Transaction } from '../database';
import { beginToSeeConstraints, findChangesSince, type SeenConstraints } from './constraint-changes';
import { type StoredConstraints, toStored, toStoredGroup } from './constraints-for-decisions';

interface KnownConstraints {
  readonly instances: ReadonlyMap<string, InstanceConstraint>;
  readonly groups: ReadonlyMap<string, GroupConstraint>;
  /** The same as decisions read them. */
  readonly stored: StoredConstraints;
  /** The maps hold all that was committed before this snapshot, and may hold more. */
  readonly seen: SeenConstraints;
  readonly readAtMs: number;
}

/** Far less than changes are kept for. All are read again, also because a restored database counts changes anew. */
const keptMs = 5 * 60_000;

const knownOf = new WeakMap<Database, KnownConstraints>();

/** They are as new as the call, or newer. While nothing changes, it is the same object. */
export const findAllConstraints = async (tx: Transaction): Promise<StoredConstraints> => {
  const db = databaseOf(tx);
  const before = db && knownOf.get(db);
  const isRecent = before !== undefined && performance.now() - before.readAtMs < keptMs;
  const known = isRecent ? await readChanges(tx, before) : await readAll(tx);
  if (db) knownOf.set(db, known);
  return known.stored;
};

const withStored = (known: Omit<KnownConstraints, 'stored'>): KnownConstraints => ({
  ...known,
  stored: {
    instances: [...known.instances.values()].map(toStored),
    groups: [...known.groups.values()].map(toStoredGroup),
  },
});

const readAll = async (tx: Transaction): Promise<KnownConstraints> => {
  const readAtMs = performance.now();
  const seen = await beginToSeeConstraints(tx);
  const instances = await tx.instanceConstraint.findMany();
  const groups = await tx.groupConstraint.findMany();
  return withStored({
    instances: byKey(instances, ({ instanceKey }) => instanceKey),
    groups: byKey(groups, ({ groupKey }) => groupKey),
    seen,
    readAtMs,
  });
};

/** The maps of `known` stay as they are: other decisions may read at the same time, and whoever ends last is kept. */
const readChanges = async (tx: Transaction, known: KnownConstraints): Promise<KnownConstraints> => {
  const seen = await beginToSeeConstraints(tx);
  const changes = await findChangesSince(tx, known.seen);
  if (changes.length === 0) return { ...known, seen };
  const instanceKeys = new Set(changes.flatMap(({ instanceKey }) => instanceKey ?? []));
  const groupKeys = new Set(changes.filter(({ instanceKey }) => instanceKey === null).map(({ groupKey }) => groupKey));
  return withStored({
    ...known,
    seen,
    ...(instanceKeys.size > 0 && {
      instances: withFound(
        known.instances,
        instanceKeys,
        byKey(await findInstances(tx, instanceKeys), ({ instanceKey }) => instanceKey),
      ),
    }),
    ...(groupKeys.size > 0 && {
      groups: withFound(
        known.groups,
        groupKeys,
        byKey(await findGroups(tx, groupKeys), ({ groupKey }) => groupKey),
      ),
    }),
  });
};

const findInstances = (tx: Transaction, keys: ReadonlySet<string>): Promise<InstanceConstraint[]> =>
  tx.instanceConstraint.findMany({ where: { instanceKey: { in: [...keys] } } });

const findGroups = (tx: Transaction, keys: ReadonlySet<string>): Promise<GroupConstraint[]> =>
  tx.groupConstraint.findMany({ where: { groupKey: { in: [...keys] } } });

const byKey = <Row>(rows: readonly Row[], keyOf: (row: Row) => string): ReadonlyMap<string, Row> =>
  new Map(rows.map((row) => [keyOf(row), row]));

/** A row that is not found any more was deleted. */
const withFound = <Row>(
  known: ReadonlyMap<string, Row>,
  changed: ReadonlySet<string>,
  found: ReadonlyMap<string, Row>,
): ReadonlyMap<string, Row> => {
  const rows = new Map(known);
  for (const key of changed) rows.delete(key);
  for (const [key, row] of found) rows.set(key, row);
  return rows;
};
