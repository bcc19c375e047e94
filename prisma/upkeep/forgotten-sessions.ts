/**
 * Forgets sessions that were deleted long ago: their claims, the moves of these in the driver's own log, and at last
 * the row of the session. A session that still has something to do is left alone: a claim that is not closed, a move
 * that goes on, an event that is not published, a delivery, or a host that it has left disabled.
 */
import { type Database, inTransaction, type Transaction } from '../database';
import { longestAgo } from './longest-ago';

/** The numbers that are removed at a time, so that no transaction becomes long. */
const mostSessions = 50;
const mostClaims = 2_000;

/** @returns the number of sessions that are forgotten now; those with many claims take several calls */
export const forgetDeletedSessions = (db: Database, days: number): Promise<number> =>
  inTransaction(db, async (tx) => {
    const sessionIds = await lockForgettable(tx, days);
    if (sessionIds.length === 0) return 0;
    await removeClaims(tx, sessionIds);
    return tx.$executeRaw`
      DELETE FROM session WHERE id = ANY(${sessionIds}::uuid[])
        AND NOT EXISTS (SELECT 1 FROM claim WHERE session_id = session.id)`;
  });

/** Locked by another sweeper, it is left to that one. */
const lockForgettable = async (tx: Transaction, days: number): Promise<string[]> => {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT id FROM session
    WHERE deleted_at < ${longestAgo(days)} AND archived_at IS NULL AND workflow_module IS NULL
      AND NOT EXISTS (SELECT 1 FROM session_host WHERE session_id = session.id)
      AND NOT EXISTS (SELECT 1 FROM event WHERE session_id = session.id AND published_at IS NULL)
      AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE session_id = session.id)
      AND NOT EXISTS (
        SELECT 1 FROM claim LEFT JOIN openstack_move AS move
          ON move.claim_id = claim.id AND move.status IN ('posting', 'running')
        WHERE claim.session_id = session.id AND (move.id IS NOT NULL OR NOT (
          claim.phase = 'closed' OR (claim.phase = 'recovering' AND claim.recovers_at < ${longestAgo(days)}))))
      AND NOT EXISTS (
        SELECT 1 FROM kubernetes_move AS move JOIN claim ON claim.id = move.claim_id
        WHERE claim.session_id = session.id AND move.status IN ('trying', 'leaving'))
    ORDER BY deleted_at LIMIT ${mostSessions} FOR UPDATE SKIP LOCKED`;
  return rows.map(({ id }) => id);
};

const removeClaims = async (tx: Transaction, sessionIds: readonly string[]): Promise<void> => {
  await tx.$executeRaw`
    WITH old AS (
      SELECT id FROM claim WHERE session_id = ANY(${sessionIds}::uuid[]) LIMIT ${mostClaims}
    ), without_moves AS (
      DELETE FROM openstack_move WHERE claim_id IN (SELECT id FROM old)
    ), without_simulated_moves AS (
      DELETE FROM sim_move WHERE claim_id IN (SELECT id FROM old)
    ), without_evictions AS (
      DELETE FROM kubernetes_move WHERE claim_id IN (SELECT id FROM old)
    )
    DELETE FROM claim WHERE id IN (SELECT id FROM old)`;
};
