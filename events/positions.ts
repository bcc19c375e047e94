/**
 * The places of events in the stream. A sequence alone would not do: a later number could be committed before an
 * earlier one, and a reader would pass that one by. Numbers are drawn under one lock that is held until the commit, so
 * they become visible in their order.
 */
import { takeLock, type Transaction } from '../prisma/database';

/**
 * Gives the events that have no position yet the next ones, in the order of seq; a position once given stays.
 * The lock is the service's narrowest: take it last and commit at once.
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
