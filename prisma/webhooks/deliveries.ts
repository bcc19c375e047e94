/** Events that webhooks have yet to take. */
import { Prisma } from '@prisma/client';
import { type Database, inTransaction, type Queryable, type Transaction } from '../database';

/**
 * Goes behind `WITH recorded AS (INSERT INTO event … RETURNING *)`: makes a delivery of each event for each webhook
 * that is to be told it. So no event is recorded without its deliveries.
 */
export const deliverRecorded = Prisma.sql`
  INSERT INTO webhook_delivery (webhook_id, event_id, session_id, seq)
  SELECT webhook.id, recorded.id, recorded.session_id, recorded.seq
  FROM recorded JOIN webhook
    ON webhook.enabled AND recorded.event_type = ANY (webhook.event_types)
   AND (webhook.project_key IS NULL OR webhook.project_key = recorded.project_key)
  ORDER BY recorded.seq`;

/** The deliveries of one session to one webhook, one event after the other. */
export interface Lane {
  readonly webhookId: string;
  readonly sessionId: string;
}

export interface DeliveryRecord extends Lane {
  readonly id: bigint;
  readonly seq: number;
  readonly createdAt: Date;
  /** Failed ones. */
  readonly attempts: number;
  /** Null: it was not tried yet. */
  readonly nextAttemptAt: Date | null;
  readonly lastError: string | null;
  readonly event: {
    readonly seq: number;
    readonly eventType: string;
    readonly messageId: string;
    readonly createdAt: Date;
    readonly payload: unknown;
  };
}

/** The oldest event of the lane, which holds up the others; null when it has none. */
export const findOldestDelivery = (db: Queryable, { webhookId, sessionId }: Lane): Promise<DeliveryRecord | null> =>
  db.webhookDelivery.findFirst({ where: { webhookId, sessionId }, orderBy: { seq: 'asc' }, include: { event: true } });

/** Reads it again. Null: it was taken, given up, or removed with its webhook meanwhile. */
export const findDelivery = (db: Queryable, id: bigint): Promise<DeliveryRecord | null> =>
  db.webhookDelivery.findUnique({ where: { id }, include: { event: true } });

export const findPending = (db: Queryable, webhookId: string, limit: number): Promise<DeliveryRecord[]> =>
  db.webhookDelivery.findMany({ where: { webhookId }, orderBy: { id: 'asc' }, take: limit, include: { event: true } });

/** The webhook has taken it. */
export const removeDelivery = async (tx: Transaction, id: bigint): Promise<void> => {
  await tx.webhookDelivery.deleteMany({ where: { id } });
};

export interface FailedAttempt {
  readonly id: bigint;
  /** Failed ones before this one: another process that records the same attempt changes nothing. */
  readonly attempts: number;
  readonly error: string;
  readonly nextAttemptAt: Date;
}

export const recordFailedAttempt = async (
  db: Queryable,
  { id, attempts, error, nextAttemptAt }: FailedAttempt,
): Promise<void> => {
  await db.webhookDelivery.updateMany({
    where: { id, attempts },
    data: { attempts: attempts + 1, lastError: error, nextAttemptAt },
  });
};

/** Removes it and counts it. False: somebody else has already. */
export const giveUpDelivery = (
  db: Database,
  { id, webhookId, at }: { readonly id: bigint; readonly webhookId: string; readonly at: Date },
): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await tx.$queryRaw`SELECT 1 FROM webhook WHERE id = ${webhookId}::uuid FOR NO KEY UPDATE`;
    const { count } = await tx.webhookDelivery.deleteMany({ where: { id } });
    if (count === 0) return false;
    await tx.webhook.updateMany({ where: { id: webhookId }, data: { givenUp: { increment: 1 }, lastGivenUpAt: at } });
    return true;
  });

export interface PendingCount {
  readonly pending: number;
  /** The earliest of those that have failed; null: none has. */
  readonly nextAttemptAt: Date | null;
}

export const countPending = async (db: Queryable): Promise<ReadonlyMap<string, PendingCount>> => {
  const groups = await db.webhookDelivery.groupBy({ by: ['webhookId'], _count: true, _min: { nextAttemptAt: true } });
  return new Map(
    groups.map(({ webhookId, _count, _min }) => [webhookId, { pending: _count, nextAttemptAt: _min.nextAttemptAt }]),
  );
};

/** Webhooks with events of the session that nobody has tried to deliver: their workflows may have to be started. */
export const findUntriedLanes = async (db: Queryable, sessionId: string): Promise<Lane[]> =>
  db.$queryRaw<Lane[]>`
    SELECT oldest.webhook_id AS "webhookId", oldest.session_id AS "sessionId"
    FROM (
      SELECT DISTINCT ON (webhook_id) webhook_id, session_id, attempts FROM webhook_delivery
      WHERE session_id = ${sessionId}::uuid ORDER BY webhook_id, seq
    ) AS oldest
    JOIN webhook ON webhook.id = oldest.webhook_id AND webhook.enabled
    WHERE oldest.attempts = 0`;

export const findLanes = async (db: Queryable, webhookId: string): Promise<Lane[]> => {
  const groups = await db.webhookDelivery.groupBy({ by: ['sessionId'], where: { webhookId } });
  return groups.map(({ sessionId }) => ({ webhookId, sessionId }));
};

/** Lanes whose oldest event should have been tried so long ago: their workflow is not at work. */
export const findOverdueLanes = async (db: Queryable, graceMs: number): Promise<Lane[]> =>
  db.$queryRaw<Lane[]>`
    SELECT oldest.webhook_id AS "webhookId", oldest.session_id AS "sessionId"
    FROM (
      SELECT DISTINCT ON (webhook_id, session_id) webhook_id, session_id, coalesce(next_attempt_at, created_at) AS due_at
      FROM webhook_delivery ORDER BY webhook_id, session_id, seq
    ) AS oldest
    JOIN webhook ON webhook.id = oldest.webhook_id AND webhook.enabled
    WHERE greatest(oldest.due_at, webhook.slow_until) < clock_timestamp() - ${graceMs} * interval '1 ms'`;

/** Removes what a webhook left that was deleted while an event was recorded. */
export const removeOrphanedDeliveries = (db: Queryable): Promise<number> => db.$executeRaw`
  DELETE FROM webhook_delivery
  WHERE NOT EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id)`;

/** Of webhooks that are switched off, events as old as nobody would retry them; the others wait. */
export const findExpiredDeliveries = (
  db: Queryable,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<{ readonly id: bigint; readonly webhookId: string }[]> =>
  db.$queryRaw<{ id: bigint; webhookId: string }[]>`
    SELECT webhook_delivery.id, webhook_id AS "webhookId"
    FROM webhook_delivery JOIN webhook ON webhook.id = webhook_id AND NOT webhook.enabled
    WHERE webhook_delivery.created_at < clock_timestamp() - ${olderThanMs} * interval '1 ms'
    ORDER BY webhook_delivery.id LIMIT ${limit}`;
