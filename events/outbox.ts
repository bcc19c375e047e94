/**
 * The outbox: an event is a row written in the transaction of the fact it tells, so neither exists without the other.
 * Rows are numbered per session under the lock of the session's row; that number is the order in which they are sent.
 */
import { lockSession, type Transaction } from '../prisma/database';
import type { EventDraft } from './drafts';

/**
 * Records the event, as the session's next one; where its message_id is recorded already, changes nothing.
 * Takes the session's row lock and so belongs after whatever else the transaction waits for.
 * @throws Error where the session has no row
 */
export const appendEvent = async (tx: Transaction, draft: EventDraft): Promise<void> => {
  const { sessionId, messageId } = draft;
  if (!(await lockSession(tx, sessionId))) {
    throw new Error(`event ${messageId} cannot be recorded: session ${sessionId} does not exist`);
  }
  await insertUnlessRecorded(tx, draft);
};

/** A statement of its own, so that it sees what was committed while the session's lock was waited for. */
const insertUnlessRecorded = (tx: Transaction, draft: EventDraft): Promise<number> => tx.$executeRaw`
  WITH numbered AS (
    UPDATE session SET event_seq = event_seq + 1
    WHERE id = ${draft.sessionId}::uuid
      AND NOT EXISTS (SELECT 1 FROM event WHERE message_id = ${draft.messageId}::uuid)
    RETURNING id, event_seq
  )
  INSERT INTO event (session_id, seq, event_type, message_id, project_id, payload, created_at)
  SELECT id, event_seq, ${draft.eventType}, ${draft.messageId}::uuid, ${draft.projectId}::uuid,
         ${JSON.stringify(draft.payload)}::jsonb, clock_timestamp()
  FROM numbered`;
