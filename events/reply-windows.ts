/**
 * Opens the windows of questions: when the project's own webhook has taken the event, or else the bus. Where the bus
 * was first, the window waits for the webhook, but only for a time. Its times are written until then, and never after.
 */
import type { Logger } from 'pino';
import { afterCommit, databaseNow, type Queryable, type Transaction } from '../prisma/database';
import { describeQuestions } from '../prisma/questions/logged-questions';
import { stampQuestions } from './reply-times';

export interface WindowParts {
  readonly tx: Transaction;
  readonly logger: Logger;
}

/** The session and the host of a window that was opened: their workflows wait for its end. */
export interface OpenedReplyWindow {
  readonly sessionId: string;
  readonly hostname: string | null;
}

/** Opens windows that are not open yet. Each question's `reply_at` is moved first, so that its window is whole. */
export const openReplyWindows = async (
  parts: WindowParts,
  messageIds: readonly string[],
): Promise<OpenedReplyWindow[]> => {
  if (messageIds.length === 0) return [];
  await stampQuestions(parts.tx, messageIds);
  return openStamped(parts, { messageIds, now: await databaseNow(parts.tx) });
};

interface StampedQuestions {
  readonly messageIds: readonly string[];
  readonly now: Date;
}

/** Opens the windows of questions that the caller has just stamped, and so has locked. */
const openStamped = async (
  { tx, logger }: WindowParts,
  { messageIds, now }: StampedQuestions,
): Promise<OpenedReplyWindow[]> => {
  const unopened = { messageId: { in: [...messageIds] }, askedAt: null };
  const opened = await tx.question.updateManyAndReturn({ where: unopened, data: { askedAt: now } });
  const told = await describeQuestions(tx, opened);
  afterCommit(tx, () => told.forEach((question) => logger.info(question, 'question asked')));
  return opened.map(({ sessionId, hostname }) => ({ sessionId, hostname }));
};

/**
 * The bus has taken the events: opens the windows, except those that wait for their project's own webhook.
 * @returns the time that counts for all of them
 */
export const openReplyWindowsOnBus = async (
  parts: WindowParts,
  { messageIds, webhookSeconds }: { readonly messageIds: readonly string[]; readonly webhookSeconds: number },
): Promise<Date> => {
  const { tx } = parts;
  await stampQuestions(tx, messageIds);
  const now = await databaseNow(tx);
  if (messageIds.length === 0) return now;
  const waiting = webhookSeconds === 0 ? [] : await waitForWebhooks(tx, { messageIds, now, webhookSeconds });
  await openStamped(parts, { messageIds: messageIds.filter((id) => !waiting.includes(id)), now });
  return now;
};

const waitForWebhooks = async (
  tx: Transaction,
  { messageIds, now, webhookSeconds }: StampedQuestions & { readonly webhookSeconds: number },
): Promise<string[]> => {
  const opensBy = new Date(now.getTime() + webhookSeconds * 1000);
  const rows = await tx.$queryRaw<{ messageId: string }[]>`
    UPDATE question SET opens_by = ${opensBy}
    WHERE message_id = ANY(${[...messageIds]}::uuid[]) AND asked_at IS NULL AND EXISTS (
      SELECT 1 FROM event
      JOIN webhook_delivery ON webhook_delivery.event_id = event.id AND given_up_at IS NULL
      JOIN webhook ON webhook.id = webhook_delivery.webhook_id AND webhook.enabled AND webhook.project_key IS NOT NULL
      WHERE event.message_id = question.message_id
    )
    RETURNING message_id AS "messageId"`;
  return rows.map(({ messageId }) => messageId);
};

/**
 * A webhook was switched off or removed: windows that waited for it alone wait no longer. The next look of the session
 * or host opens them.
 *
 * @returns the sessions and hosts of these windows
 */
export const releaseReplyWindows = async (db: Queryable): Promise<OpenedReplyWindow[]> =>
  db.$queryRaw<OpenedReplyWindow[]>`
    WITH freed AS (
      SELECT id FROM question
      WHERE asked_at IS NULL AND opens_by > clock_timestamp() AND NOT EXISTS (
        SELECT 1 FROM event
        JOIN webhook_delivery ON webhook_delivery.event_id = event.id AND given_up_at IS NULL
        JOIN webhook ON webhook.id = webhook_delivery.webhook_id AND webhook.enabled AND webhook.project_key IS NOT NULL
        WHERE event.message_id = question.message_id
      )
      ORDER BY id FOR UPDATE
    )
    UPDATE question SET opens_by = clock_timestamp() FROM freed WHERE question.id = freed.id
    RETURNING question.session_id AS "sessionId", question.hostname`;
