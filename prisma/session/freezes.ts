/** The freezes that admins store: named times in which no session begins anything. */
import { type Freeze as FreezeRow, Prisma } from '@prisma/client';
import type { Freeze, FreezeTimes } from '../../rules/maintenance-windows/freeze';
import type { MaintenanceWindow } from '../../rules/maintenance-windows/maintenance-window';
import { type Database, databaseNow, inTransaction, type Queryable, takeLock } from '../database';
import { recordOpenings } from './session-opening';

export interface StoredFreeze {
  readonly freeze: Freeze;
  readonly createdAt: Date;
  /** Null: it is as it was stored first. */
  readonly updatedAt: Date | null;
}

/** All of them, by name. A table of a few rows. */
export const findFreezes = async (db: Queryable): Promise<Freeze[]> =>
  (await findStoredFreezes(db)).map(({ freeze }) => freeze);

export const findStoredFreezes = async (db: Queryable): Promise<StoredFreeze[]> =>
  (await db.freeze.findMany({ orderBy: { name: 'asc' } })).map(toStored);

export const findStoredFreeze = async (db: Queryable, name: string): Promise<StoredFreeze | undefined> => {
  const row = await db.freeze.findUnique({ where: { name } });
  return row === null ? undefined : toStored(row);
};

const toStored = (row: FreezeRow): StoredFreeze => {
  const { name, reason, createdAt, updatedAt } = row;
  return { freeze: { name, reason, ...timesOf(row) }, createdAt, updatedAt };
};

const timesOf = ({ fromAt, untilAt, times }: FreezeRow): FreezeTimes => {
  if (fromAt !== null && untilAt !== null) return { range: { fromMs: fromAt.getTime(), untilMs: untilAt.getTime() } };
  // The column holds what the API's parsers let in.
  return { times: (times ?? []) as unknown as readonly MaintenanceWindow[] };
};

const columnsOf = ({ reason, range, times }: Freeze) => ({
  reason,
  fromAt: range === undefined ? null : new Date(range.fromMs),
  untilAt: range === undefined ? null : new Date(range.untilMs),
  times: times === undefined ? Prisma.DbNull : times.map((window) => ({ ...window })),
});

export type FreezeOutcome<E> =
  | { readonly kind: 'stored'; readonly stored: StoredFreeze; readonly now: Date }
  | { readonly kind: 'invalid'; readonly errors: readonly E[] };

/**
 * Stores it in place of one with the same name, and writes it into the rows of all unfinished sessions: it holds from
 * the commit on.
 *
 * @param check what is wrong with it beside the others, which are there at that moment
 */
export const writeFreeze = <E>(
  db: Database,
  freeze: Freeze,
  check: (others: readonly Freeze[], now: Date) => readonly E[],
): Promise<FreezeOutcome<E>> =>
  inTransaction(db, async (tx): Promise<FreezeOutcome<E>> => {
    await takeLock(tx, 'freezes');
    const { name } = freeze;
    const others = (await findFreezes(tx)).filter((other) => other.name !== name);
    const now = await databaseNow(tx);
    const errors = check(others, now);
    if (errors.length > 0) return { kind: 'invalid', errors };
    const columns = columnsOf(freeze);
    const row = await tx.freeze.upsert({
      where: { name },
      create: { name, ...columns, createdAt: now },
      update: { ...columns, updatedAt: now },
    });
    await recordOpenings(tx, [...others, freeze]);
    return { kind: 'stored', stored: toStored(row), now };
  });

/** False: there was none. Sessions may begin again from the commit on. */
export const removeFreeze = (db: Database, name: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await takeLock(tx, 'freezes');
    const { count } = await tx.freeze.deleteMany({ where: { name } });
    if (count > 0) await recordOpenings(tx, await findFreezes(tx));
    return count > 0;
  });
