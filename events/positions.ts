/**
 * The positions of events in the stream. A database sequence alone would not be enough: a higher number could be
 * committed before a lower one, and a reader would miss the lower one. Numbers are drawn under one lock that is held
 * until the commit, so they become visible in order.
 */
import { takeLock, type Transaction } from '../prisma/database';

/**
 * Gives the next positions to the events that have none yet, in the order of seq. A position never changes. Every
 * publisher needs this lock: take it last and commit at once.
 */
export const settlePositions = async (tx: Transaction, messageIds: readonly string[]): Promise<void> => {
  await takeLock(tx, 'eventPosition');
  await tx.$executeRaw`
    WITH unsettled AS (
      SELECT id FROM event WHERE message_id = ANY(${messageIds}::uuid[]) AND position IS NULL ORDER BY seq
    ), settled AS MATERIALIZED (
      SELECT id, nextval('event_position') AS position FROM unsettled
    )
    UPDATE event SET position = settled.position FROM settled WHERE event.id = settled.id`;
};
