/** Removes events that were published long ago. A reader of the stream that comes back later has missed them. */
import type { Database } from '../database';
import { longestAgo } from './longest-ago';

/** The number that is removed at a time, so that no transaction becomes long. */
const mostRemoved = 2_000;

/**
 * Removes published events older than this number of days, the oldest first. Events that a webhook has yet to take, and
 * open questions, stay. @returns their number
 */
export const removeOldEvents = (db: Database, days: number): Promise<number> => db.$executeRaw`
  DELETE FROM event WHERE id IN (
    SELECT id FROM event
    WHERE published_at < ${longestAgo(days)}
      AND NOT EXISTS (SELECT 1 FROM webhook_delivery WHERE event_id = event.id)
      AND NOT EXISTS (SELECT 1 FROM question WHERE message_id = event.message_id AND status = 'open')
    ORDER BY published_at LIMIT ${mostRemoved} FOR UPDATE SKIP LOCKED)`;
