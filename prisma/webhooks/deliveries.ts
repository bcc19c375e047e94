/** Events that webhooks have yet to take. */
import { Prisma } from '@prisma/client';
import { type Database, databaseNow, inTransaction, type Queryable, type Transaction } from '../database';
import { lockWebhook } from './webhooks';

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
  /** Null: it is pending. */
  readonly givenUpAt: Date | null;
  readonly event: {
    readonly seq: number;
    readonly eventType: string;
    readonly messageId: string;
    readonly createdAt: Date;
    readonly payload: unknown;
  };
}

const isPending = { givenUpAt: null } as const;

/** The oldest event of the lane, which holds up the others; null when it has none. */
export const findOldestDelivery = (db: Queryable, { webhookId, sessionId }: Lane): Promise<DeliveryRecord | null> =>
  db.webhookDelivery.findFirst({
    where: { webhookId, sessionId, ...isPending },
    orderBy: { seq: 'asc' },
    include: { event: true },
  });

/** Reads it again. Null: it was taken, given up, or removed with its webhook meanwhile. */
export const findDelivery = (db: Queryable, id: bigint): Promise<DeliveryRecord | null> =>
  db.webhookDelivery.findUnique({ where: { id, ...isPending }, include: { event: true } });

/** The oldest ones: pending, or given up. */
export const findDeliveries = (
  db: Queryable,
  webhookId: string,
  { isGivenUp, limit }: { readonly isGivenUp: boolean; readonly limit: number },
): Promise<DeliveryRecord[]> =>
  db.webhookDelivery.findMany({
    where: { webhookId, givenUpAt: isGivenUp ? { not: null } : null },
    orderBy: { id: 'asc' },
    take: limit,
    include: { event: true },
  });

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
    where: { id, attempts, ...isPending },
    data: { attempts: attempts + 1, lastError: error, nextAttemptAt },
  });
};

export interface GivenUp {
  readonly id: bigint;
  readonly webhookId: string;
  readonly at: Date;
  /** Why the last attempt failed; left out: none was made. */
  readonly error?: string;
}

/** Marks it and counts it. False: somebody else has already, or it was taken. */
export const giveUpDelivery = (db: Database, { id, webhookId, at, error }: GivenUp): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    await lockWebhook(tx, webhookId);
    const { count } = await tx.webhookDelivery.updateMany({
      where: { id, ...isPending },
      data: { givenUpAt: at, nextAttemptAt: null, ...(error !== undefined && { lastError: error }) },
    });
    if (count === 0) return false;
    await tx.webhook.updateMany({ where: { id: webhookId }, data: { givenUp: { increment: 1 }, lastGivenUpAt: at } });
    return true;
  });

/**
 * Makes pending again what was given up, as if it were recorded now: it has a day anew. @returns how many; null when
 * there is no such webhook
 */
export const replayDeliveries = (db: Database, webhookId: string): Promise<number | null> =>
  inTransaction(db, async (tx) => {
    if (!(await lockWebhook(tx, webhookId))) return null;
    const now = await databaseNow(tx);
    const { count } = await tx.webhookDelivery.updateMany({
      where: { webhookId, givenUpAt: { not: null } },
      data: { givenUpAt: null, attempts: 0, createdAt: now },
    });
    await tx.webhook.update({ where: { id: webhookId }, data: { givenUp: 0 } });
    return count;
  });

export interface PendingCount {
  readonly pending: number;
  /** The earliest of those that have failed; null: none has. */
  readonly nextAttemptAt: Date | null;
}

export const countPending = async (db: Queryable): Promise<ReadonlyMap<string, PendingCount>> => {
  const groups = await db.webhookDelivery.groupBy({
    by: ['webhookId'],
    where: isPending,
    _count: true,
    _min: { nextAttemptAt: true },
  });
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
      WHERE session_id = ${sessionId}::uuid AND given_up_at IS NULL ORDER BY webhook_id, seq
    ) AS oldest
    JOIN webhook ON webhook.id = oldest.webhook_id AND webhook.enabled
    WHERE oldest.attempts = 0`;

export const findLanes = async (db: Queryable, webhookId: string): Promise<Lane[]> => {
  const groups = await db.webhookDelivery.groupBy({ by: ['sessionId'], where: { webhookId, ...isPending } });
  return groups.map(({ sessionId }) => ({ webhookId, sessionId }));
};

/** Lanes whose oldest event should have been tried so long ago: their workflow is not at work. */
export const findOverdueLanes = async (db: Queryable, graceMs: number): Promise<Lane[]> =>
  db.$queryRaw<Lane[]>`
    SELECT oldest.webhook_id AS "webhookId", oldest.session_id AS "sessionId"
    FROM (
      SELECT DISTINCT ON (webhook_id, session_id) webhook_id, session_id, coalesce(next_attempt_at, created_at) AS due_at
      FROM webhook_delivery WHERE given_up_at IS NULL ORDER BY webhook_id, session_id, seq
    ) AS oldest
    JOIN webhook ON webhook.id = oldest.webhook_id AND webhook.enabled
    WHERE greatest(oldest.due_at, webhook.slow_until) < clock_timestamp() - ${graceMs} * interval '1 ms'`;

/** Removes what a webhook left that was deleted while an event was recorded. */
export const removeOrphanedDeliveries = (db: Queryable): Promise<number> => db.$executeRaw`
  DELETE FROM webhook_delivery
  WHERE NOT EXISTS (SELECT 1 FROM webhook WHERE webhook.id = webhook_delivery.webhook_id)`;

/** Finds pending events of webhooks that are switched off, when they are too old for another attempt. */
export const findExpiredDeliveries = (
  db: Queryable,
  { olderThanMs, limit }: { readonly olderThanMs: number; readonly limit: number },
): Promise<{ readonly id: bigint; readonly webhookId: string }[]> =>
  db.$queryRaw<{ id: bigint; webhookId: string }[]>`
    SELECT webhook_delivery.id, webhook_id AS "webhookId"
    FROM webhook_delivery JOIN webhook ON webhook.id = webhook_id AND NOT webhook.enabled
    WHERE given_up_at IS NULL
      AND webhook_delivery.created_at < clock_timestamp() - ${olderThanMs} * interval '1 ms'
    ORDER BY webhook_delivery.id LIMIT ${limit}`;

/** Removes events that were given up so long ago that nobody will replay them. Their webhook still counts them. */
export const removeOldGivenUp = (db: Queryable, days: number): Promise<number> => db.$executeRaw`
  DELETE FROM webhook_delivery WHERE given_up_at < clock_timestamp() - make_interval(days => ${days}::int)`;
