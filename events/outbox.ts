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

/** The same for who holds the session's row already. */
export const appendEventLocked = async (tx: Transaction, draft: EventDraft): Promise<void> => {
  await insertUnlessRecorded(tx, draft);
};

/**
 * Records the events, of one session and all new, as its next ones in this order: one statement however many they are.
 * @throws Error where the session has no row
 */
export const appendEvents = async (tx: Transaction, drafts: readonly EventDraft[]): Promise<void> => {
  const [first] = drafts;
  if (first === undefined) return;
  const { sessionId } = first;
  if (!(await lockSession(tx, sessionId))) {
    throw new Error(`${drafts.length} events cannot be recorded: session ${sessionId} does not exist`);
  }
  await insertInOrder(tx, sessionId, drafts);
};

const insertInOrder = (tx: Transaction, sessionId: string, drafts: readonly EventDraft[]): Promise<number> => {
  const rows = drafts.map((draft, index) => ({ ...draft, place: index + 1 }));
  return tx.$executeRaw`
    WITH counted AS (
      UPDATE session SET event_seq = event_seq + ${rows.length} WHERE id = ${sessionId}::uuid RETURNING event_seq
    )
    INSERT INTO event (session_id, seq, event_type, message_id, project_id, payload, created_at)
    SELECT ${sessionId}::uuid, counted.event_seq - ${rows.length} + r.place, r."eventType", r."messageId",
           r."projectId", r.payload, clock_timestamp()
    FROM counted, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
      place int, "eventType" text, "messageId" uuid, "projectId" text, payload jsonb)`;
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
  SELECT id, event_seq, ${draft.eventType}, ${draft.messageId}::uuid, ${draft.projectId}::text,
         ${JSON.stringify(draft.payload)}::jsonb, clock_timestamp()
  FROM numbered`;
