/**
 * The changes of constraints that were committed since a decision began to read them. A decision takes the database's
 * snapshot before it reads; before it commits, under the lock that writers of constraints share to commit, it asks for
 * the changes that the snapshot does not show. The answer has every change that is committed before the decision.
 */
import type { LimitChange } from '../../rules/constraints/changed-limits';
import type { Database, Transaction } from '../database';

/** A snapshot of PostgreSQL as text: which transactions were committed when it was taken. */
export type SeenConstraints = string;

/** Comes before the first constraint is read. What is read afterwards is as new as this, or newer. */
export const beginToSeeConstraints = async (tx: Transaction): Promise<SeenConstraints> => {
  const [row] = await tx.$queryRaw<{ seen: SeenConstraints }[]>`SELECT pg_current_snapshot()::text AS seen`;
  if (row === undefined) throw new Error('the database did not tell its snapshot');
  return row.seen;
};

/** Must be called in a transaction that holds the lock of admission. */
export const findChangesSince = (tx: Transaction, seen: SeenConstraints): Promise<LimitChange[]> =>
  tx.$queryRaw<LimitChange[]>`
    SELECT instance_key AS "instanceKey", project_key AS "projectKey", group_key AS "groupKey"
    FROM constraint_change
    WHERE xid >= pg_snapshot_xmin(${seen}::pg_snapshot)::text::bigint
      AND NOT pg_visible_in_snapshot(xid::text::xid8, ${seen}::pg_snapshot)`;

/** No decision takes as long as this; also after a restore, which counts transactions anew, none is kept for longer. */
const keptMinutes = 60;
/** The number that is removed at a time, so that no transaction becomes long. */
const mostRemoved = 10_000;

/** @returns the number of changes that no decision asks for any more, and that are removed now */
export const removeOldChanges = (db: Database): Promise<number> => db.$executeRaw`
  DELETE FROM constraint_change WHERE id IN (
    SELECT id FROM constraint_change WHERE changed_at < statement_timestamp() - make_interval(mins => ${keptMinutes}::int)
    ORDER BY changed_at LIMIT ${mostRemoved} FOR UPDATE SKIP LOCKED)`;
