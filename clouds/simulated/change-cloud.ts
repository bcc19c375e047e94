/**
 * The only door through which the simulated cloud changes: one change at a time over all processes, each in one
 * transaction, and each on a fleet in which every move that is over has ended. A look takes the lock only when a move
 * is due.
 */
import { type Database, databaseNow, inTransaction, type Transaction } from '../../prisma/database';
import { bringReplacements } from './bring-replacements';

/** A lock with two keys, which never collides with the service's own locks (prisma/database.ts): those have one key. */
const lockCloud = async (tx: Transaction): Promise<void> => {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(7, 1)`;
};

/**
 * Ends the moves whose time is over and those whose instance was deleted. The same statement changes the instance's
 * host, and counts a failure. An own action waits for `bringReplacements`. Afterwards a move is `done`, `failed` or
 * `gone`, and never changes again.
 */
const endMoves = async (tx: Transaction): Promise<void> => {
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE sim_move AS move
      SET status = CASE
            WHEN NOT EXISTS (SELECT 1 FROM sim_instance AS i WHERE i.instance_key = move.instance_key) THEN 'gone'
            WHEN move.will_fail THEN 'failed'
            ELSE 'done'
          END,
          failure = CASE WHEN move.will_fail THEN 'the simulated cloud was told to let it fail' END,
          ended_at = LEAST(move.ends_at, clock_timestamp())
      WHERE move.status = 'running'
        AND (move.ends_at <= clock_timestamp() AND (move.action <> 'OWN_ACTION' OR move.will_fail)
          OR NOT EXISTS (SELECT 1 FROM sim_instance AS i WHERE i.instance_key = move.instance_key))
      RETURNING move.instance_key, move.target, move.status
    )
    UPDATE sim_instance AS instance
    SET host = CASE WHEN ended.status = 'done' THEN ended.target ELSE instance.host END,
        fail_moves = CASE WHEN ended.status = 'failed' THEN GREATEST(instance.fail_moves - 1, 0) ELSE instance.fail_moves END
    FROM ended
    WHERE ended.instance_key = instance.instance_key`;
};

/**
 * Makes the rest of the transaction the only one that changes the cloud, and ends the moves that are due.
 * @returns the database's clock, read after the lock
 */
export const takeCloud = async (tx: Transaction): Promise<Date> => {
  await lockCloud(tx);
  await endMoves(tx);
  if (await bringReplacements(tx)) await endMoves(tx);
  return databaseNow(tx);
};

/** Runs `change` alone; `now` is the database's clock. An error of `change` undoes all of it. */
export const changeCloud = <T>(db: Database, change: (tx: Transaction, now: Date) => Promise<T>): Promise<T> =>
  inTransaction(db, async (tx) => change(tx, await takeCloud(tx)));

/** Ends the moves that are due before a look, so that the look shows the present state. */
export const settleMoves = async (db: Database): Promise<void> => {
  const due = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM sim_move AS move
    WHERE move.status = 'running'
      AND (move.ends_at <= clock_timestamp()
        OR NOT EXISTS (SELECT 1 FROM sim_instance AS i WHERE i.instance_key = move.instance_key))
    LIMIT 1`;
  if (due.length > 0) await changeCloud(db, () => Promise.resolve());
};
