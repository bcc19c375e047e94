/** Webhooks, as admins register them, with the course of their deliveries. */
import { type Database, databaseNow, inTransaction, type Queryable, type Transaction } from '../database';
import type { WebhookForm } from './webhook-forms';

export interface WebhookRecord {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  /** The project whose own webhook it is; null: it is told the events of all. */
  readonly projectId: string | null;
  readonly form: WebhookForm;
  readonly enabled: boolean;
  /** Why the service has switched it off; null: an admin has, or it is on. */
  readonly offBecause: string | null;
  readonly createdAt: Date;
  readonly updatedAt: Date | null;
  readonly slowUntil: Date | null;
  readonly lastDeliveredAt: Date | null;
  readonly lastFailedAt: Date | null;
  readonly lastError: string | null;
  readonly givenUp: number;
  readonly lastGivenUpAt: Date | null;
}

export interface NewWebhook extends Pick<WebhookRecord, 'url' | 'projectId' | 'form' | 'enabled'> {
  readonly eventTypes: readonly string[];
  readonly secret: string;
}

/** The parser of the requests has checked the form. */
const toRecord = (row: object): WebhookRecord => row as WebhookRecord;

export const createWebhook = (db: Database, { secret, eventTypes, ...webhook }: NewWebhook): Promise<WebhookRecord> =>
  inTransaction(db, async (tx) => {
    const createdAt = await databaseNow(tx);
    const row = await tx.webhook.create({ data: { ...webhook, eventTypes: [...eventTypes], createdAt } });
    await tx.webhookSecret.create({ data: { webhookId: row.id, secret, createdAt } });
    return toRecord(row);
  });

/** Oldest first. */
export const findWebhooks = async (db: Queryable): Promise<WebhookRecord[]> =>
  (await db.webhook.findMany({ orderBy: [{ createdAt: 'asc' }, { id: 'asc' }] })).map(toRecord);

export const findWebhook = async (db: Queryable, id: string): Promise<WebhookRecord | null> => {
  const row = await db.webhook.findUnique({ where: { id } });
  return row === null ? null : toRecord(row);
};

export interface WebhookChange {
  readonly url?: string;
  readonly eventTypes?: readonly string[];
  readonly form?: WebhookForm;
  readonly enabled?: boolean;
}

/**
 * Changes the fields that are given, and no others: two admins who change different fields do not undo each other's
 * change. What is pending is then due at once, since the change may be the repair.
 * @param check throws when the changed webhook would be wrong; nothing is changed then
 * @returns null when there is no such webhook
 */
export const changeWebhook = (
  db: Database,
  {
    id,
    change,
    check,
  }: { readonly id: string; readonly change: WebhookChange; readonly check: (now: WebhookRecord) => void },
): Promise<WebhookRecord | null> =>
  inTransaction(db, async (tx) => {
    if (!(await lockWebhook(tx, id))) return null;
    const now = await databaseNow(tx);
    const { eventTypes, enabled, ...others } = change;
    const row = await tx.webhook.update({
      where: { id },
      data: {
        ...others,
        ...(eventTypes !== undefined && { eventTypes: [...eventTypes] }),
        ...(enabled !== undefined && { enabled, offBecause: null }),
        slowUntil: null,
        updatedAt: now,
      },
    });
    check(toRecord(row));
    await tx.webhookDelivery.updateMany({
      where: { webhookId: id, attempts: { gt: 0 }, givenUpAt: null },
      data: { nextAttemptAt: now },
    });
    return toRecord(row);
  });

/** False: there is none. */
export const lockWebhook = async (tx: Transaction, id: string): Promise<boolean> => {
  const rows = await tx.$queryRaw<unknown[]>`SELECT 1 FROM webhook WHERE id = ${id}::uuid FOR NO KEY UPDATE`;
  return rows.length > 0;
};

/** Removes it with its secrets and all that is pending. False: there was none. */
export const removeWebhook = (db: Database, id: string): Promise<boolean> =>
  inTransaction(db, async (tx) => {
    const { count } = await tx.webhook.deleteMany({ where: { id } });
    await tx.webhookSecret.deleteMany({ where: { webhookId: id } });
    await tx.webhookDelivery.deleteMany({ where: { webhookId: id } });
    return count > 0;
  });

// secrets

export interface Rotation {
  readonly id: string;
  readonly secret: string;
  /** Deliveries are signed with the secret before it as well for this time. */
  readonly keepOldSeconds: number;
}

/**
 * Makes the secret the newest one. Of those before it only the last is kept, for a time. @returns when that time ends;
 * null when there is no such webhook
 */
export const replaceSecret = (db: Database, { id, secret, keepOldSeconds }: Rotation): Promise<Date | null> =>
  inTransaction(db, async (tx) => {
    if (!(await lockWebhook(tx, id))) return null;
    const now = await databaseNow(tx);
    const endsAt = new Date(now.getTime() + keepOldSeconds * 1000);
    await tx.webhookSecret.deleteMany({ where: { webhookId: id, endsAt: { not: null } } });
    await tx.webhookSecret.updateMany({ where: { webhookId: id }, data: { endsAt } });
    await tx.webhookSecret.create({ data: { webhookId: id, secret, createdAt: now } });
    return endsAt;
  });

/** The secrets to sign with at that time, the newest first. */
export const findSecrets = async (db: Queryable, webhookId: string, now: Date): Promise<string[]> => {
  const rows = await db.webhookSecret.findMany({
    where: { webhookId, OR: [{ endsAt: null }, { endsAt: { gt: now } }] },
    orderBy: { createdAt: 'desc' },
    select: { secret: true },
  });
  return rows.map(({ secret }) => secret);
};

// the course of its deliveries

export const noteDelivered = async (db: Queryable, id: string, at: Date): Promise<void> => {
  await db.webhook.updateMany({ where: { id }, data: { lastDeliveredAt: at, slowUntil: null } });
};

export interface FailureOfWebhook {
  readonly at: Date;
  /** The webhook as it was tried. */
  readonly tried: Pick<WebhookRecord, 'id' | 'updatedAt'>;
  readonly error: string;
  /** The receiver asked for less. */
  readonly slowUntil?: Date;
  /** The receiver wants no more events: it is switched off for this reason. */
  readonly offBecause?: string;
}

/**
 * @returns false when the webhook was changed or deleted since it was tried: the failure counts no more, because the
 * change may be the repair
 */
export const noteFailed = async (
  db: Queryable,
  { at, tried: { id, updatedAt }, error, slowUntil, offBecause }: FailureOfWebhook,
): Promise<boolean> => {
  const { count } = await db.webhook.updateMany({
    where: { id, updatedAt },
    data: {
      lastFailedAt: at,
      lastError: error,
      ...(slowUntil && { slowUntil }),
      ...(offBecause !== undefined && { enabled: false, offBecause, updatedAt: at }),
    },
  });
  return count > 0;
};
