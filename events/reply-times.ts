/**
 * The times of a question. The window opens when the event was taken (reply-windows.ts), so a slow or absent bus or
 * webhook delays the question but does not shorten the window; rules/questions/reply-window.ts decides how long it is.
 * `reply_at` and `actions_at` are written just before the first send, into the question's row and into the payload of
 * its event, for all that are sent the event.
 */
import type { Transaction } from '../prisma/database';

/**
 * Stamps questions whose window is not open yet:
 * - one without times, even if it is answered or closed: its event must have all keys;
 * - an open one whose `reply_at` is now more than a second too early, because earlier sends failed.
 *
 * reply_at = now + window, actions_at = the later of reply_at and maintenance_at, both rounded up to whole seconds. A
 * question that is answered or closed keeps its times, so that the decision can be explained by them.
 */
export const stampQuestions = async (tx: Transaction, messageIds: readonly string[]): Promise<void> => {
  if (messageIds.length === 0) return;
  // Locks the questions in the order in which all code does.
  await tx.$queryRaw`SELECT 1 FROM question WHERE message_id = ANY(${messageIds}::uuid[]) ORDER BY id FOR UPDATE`;
  await tx.$executeRaw`
    WITH fresh AS (
      SELECT question.id,
             to_timestamp(ceil(extract(epoch FROM clock_timestamp()) + question.window_seconds)) AS reply_at,
             to_timestamp(ceil(extract(epoch FROM session.maintenance_at))) AS begins_at
      FROM question
      JOIN session ON session.id = question.session_id
      WHERE question.message_id = ANY(${messageIds}::uuid[]) AND question.asked_at IS NULL
    ), stamped AS (
      UPDATE question SET reply_at = fresh.reply_at, actions_at = greatest(fresh.reply_at, fresh.begins_at)
      FROM fresh
      WHERE question.id = fresh.id
        AND (question.reply_at IS NULL
             OR question.status = 'open' AND question.reply_at < fresh.reply_at - interval '1 second')
      RETURNING question.message_id, question.reply_at, question.actions_at
    )
    UPDATE event SET payload = event.payload || jsonb_build_object(
      'reply_at', to_char(stamped.reply_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'),
      'actions_at', to_char(stamped.actions_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS'))
    FROM stamped
    WHERE event.message_id = stamped.message_id`;
};
