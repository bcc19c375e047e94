/**
 * A publisher's changes to a session's rows around a send: it chooses and prepares a batch before the send, and records
 * it afterwards.
 */
import type { Logger } from 'pino';
import { type Database, inTransaction, type Transaction } from '../prisma/database';
import type { RecordedEvent } from './envelope';
import type { Lease } from './lease';
import { settlePositions } from './positions';
import { stampQuestions } from './reply-times';
import { openReplyWindowsOnBus } from './reply-windows';

export interface BatchLimits {
  readonly maxEvents: number;
  /** The limit for all payloads together. A batch has at least one event, however long. */
  readonly maxBytes: number;
}

export interface BatchEvent extends RecordedEvent {
  readonly sessionId: string;
  readonly seq: number;
  /** Null: for admins. */
  readonly projectId: string | null;
}

/** The events that may be questions. */
const plannedIds = (events: readonly { readonly eventType: string; readonly messageId: string }[]): string[] =>
  events.filter(({ eventType }) => eventType === 'maintenance.planned').map(({ messageId }) => messageId);

/**
 * The session's next unpublished events in the order of seq, stamped and placed on the stream. Empty when there are
 * none, and when the lease is lost.
 */
export const prepareBatch = (db: Database, lease: Lease, limits: BatchLimits): Promise<BatchEvent[]> =>
  inTransaction(db, async (tx) => {
    const chosen = await chooseUnpublished(tx, lease, limits);
    if (chosen.length === 0) return [];
    const messageIds = chosen.map(({ messageId }) => messageId);
    await stampQuestions(tx, plannedIds(chosen));
    if (chosen.some(({ settled }) => !settled)) await settlePositions(tx, messageIds);
    return tx.event.findMany({ where: { messageId: { in: messageIds } }, orderBy: { seq: 'asc' } });
  });

interface ChosenEvent {
  readonly messageId: string;
  readonly eventType: string;
  /** The event has its position already: an earlier send did not succeed, or was not recorded. */
  readonly settled: boolean;
}

const chooseUnpublished = (tx: Transaction, { sessionId, holder }: Lease, limits: BatchLimits) =>
  tx.$queryRaw<ChosenEvent[]>`
    WITH next AS (
      SELECT seq, message_id, event_type, position, octet_length(payload::text) AS bytes FROM event
      WHERE session_id = ${sessionId}::uuid AND published_at IS NULL
      ORDER BY seq LIMIT ${limits.maxEvents}
    ), measured AS (
      SELECT seq, message_id, event_type, position,
             row_number() OVER (ORDER BY seq) AS place, sum(bytes) OVER (ORDER BY seq) AS bytes_so_far
      FROM next
    )
    SELECT message_id AS "messageId", event_type AS "eventType", position IS NOT NULL AS settled FROM measured
    WHERE (place = 1 OR bytes_so_far <= ${limits.maxBytes})
      AND EXISTS (
        SELECT 1 FROM event_lease
        WHERE session_id = ${sessionId}::uuid AND holder = ${holder}::uuid AND held_until > clock_timestamp()
      )
    ORDER BY seq`;

export interface Recording {
  readonly db: Database;
  readonly logger: Logger;
  /** See the setting PARLEY_WEBHOOK_WINDOW_SECONDS. */
  readonly webhookSeconds: number;
}

/**
 * Records that the events have reached the bus, whoever holds the lease by now, and opens the windows of questions.
 * Rows are locked in the same order as in `prepareBatch`.
 */
export const recordPublished = async (recording: Recording, batch: readonly BatchEvent[]): Promise<void> => {
  await recordEnd(recording, batch, null);
};

/**
 * Records that the bus will never take the event, so that the ones behind it go on. Its question is asked all the same:
 * webhooks and the stream tell it.
 */
export const recordTooLarge = async (recording: Recording, event: BatchEvent, refusal: string): Promise<void> => {
  const { sessionId, messageId, eventType, projectId } = event;
  const isNews = await recordEnd(recording, [event], refusal);
  if (!isNews) return;
  recording.logger.error(
    { sessionId, messageId, eventType, projectId, refusal },
    'the bus does not take an event, since it is too large; webhooks and GET /v1/events still tell it; raise max.message.bytes of the topic, or lower PARLEY_METADATA_LIMIT',
  );
};

/** @returns true when this call has recorded it, and not another publisher before */
const recordEnd = (
  { db, logger, webhookSeconds }: Recording,
  batch: readonly BatchEvent[],
  busRefusal: string | null,
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const now = await openReplyWindowsOnBus({ tx, logger }, { messageIds: plannedIds(batch), webhookSeconds });
    const ended = { in: batch.map(({ messageId }) => messageId) };
    const { count } = await tx.event.updateMany({
      where: { messageId: ended, publishedAt: null },
      data: { publishedAt: now, busRefusal },
    });
    return count > 0;
  });
