/**
 * The outbox: an event is a row that is written in the same transaction as its fact, so neither exists without the
 * other. So are its deliveries, one for each webhook that is to be told it. Rows are numbered per session under the
 * lock of the session's row. Events are sent in the order of these numbers.
 */
import { lockSession, type Transaction } from '../prisma/database';
import { deliverRecorded } from '../prisma/webhooks/deliveries';
import type { EventDraft } from './drafts';

/**
 * Records the event as the session's next one. Changes nothing when its message_id is recorded already. It locks the
 * session's row, so call it after taking all other locks of the transaction.
 * @throws Error when the session has no row
 */
export const appendEvent = async (tx: Transaction, draft: EventDraft): Promise<void> => {
  const { sessionId, messageId } = draft;
  if (!(await lockSession(tx, sessionId))) {
    throw new Error(`event ${messageId} cannot be recorded: session ${sessionId} does not exist`);
  }
  await insertUnlessRecorded(tx, draft);
};

/** Does the same for a caller that has locked the session's row already. */
export const appendEventLocked = async (tx: Transaction, draft: EventDraft): Promise<void> => {
  await insertUnlessRecorded(tx, draft);
};

/**
 * Records the events as the session's next ones, in this order and in one statement. All of them must be new and belong
 * to this session.
 * @throws Error when the session has no row
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
    ), recorded AS (
    INSERT INTO event (session_id, seq, event_type, message_id, project_id, payload, created_at)
    SELECT ${sessionId}::uuid, counted.event_seq - ${rows.length} + r.place, r."eventType", r."messageId",
           r."projectId", r.payload, clock_timestamp()
    FROM counted, jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(
      place int, "eventType" text, "messageId" uuid, "projectId" text, payload jsonb)
    RETURNING *)
    ${deliverRecorded}`;
};

/**
 * A separate statement, so that it sees everything that was committed while it waited for the session's lock. Events
 * for admins alone have the name of their session.
 */
const insertUnlessRecorded = (tx: Transaction, draft: EventDraft): Promise<number> => tx.$executeRaw`
  WITH numbered AS (
    UPDATE session SET event_seq = event_seq + 1
    WHERE id = ${draft.sessionId}::uuid
      AND NOT EXISTS (SELECT 1 FROM event WHERE message_id = ${draft.messageId}::uuid)
    RETURNING id, event_seq, name
  ), recorded AS (
  INSERT INTO event (session_id, seq, event_type, message_id, project_id, payload, created_at)
  SELECT id, event_seq, ${draft.eventType}, ${draft.messageId}::uuid, ${draft.projectId}::text,
         ${JSON.stringify(draft.payload)}::jsonb || CASE WHEN ${draft.projectId}::text IS NULL AND name IS NOT NULL
           THEN jsonb_build_object('session_name', name) ELSE '{}'::jsonb END, clock_timestamp()
  FROM numbered
  RETURNING *)
  ${deliverRecorded}`;
