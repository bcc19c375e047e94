/**
 * Delivers the events of one session to one webhook, one after the other. The rows say how far it is, so it may be
 * killed at any time: an event that is not recorded as taken is sent again under the same webhook-id. The ID of its
 * workflow keeps two workers from doing this at once (webhookDeliveriesId).
 */
import type { Logger } from 'pino';
import { createSlots } from '../../calls/slots';
import { type Database, databaseNow, inTransaction } from '../../prisma/database';
import {
  type DeliveryRecord,
  findDelivery,
  findOldestDelivery,
  giveUpDelivery,
  type Lane,
  recordFailedAttempt,
  removeDelivery,
} from '../../prisma/webhooks/deliveries';
import {
  findSecrets,
  findWebhook,
  noteDelivered,
  noteFailed,
  type WebhookRecord,
} from '../../prisma/webhooks/webhooks';
import type { Measures } from '../../telemetry/metrics/measures';
import type { BusMessage } from '../bus';
import type { CloudEventNames } from '../cloud-event';
import { toEnvelope, type WireNames } from '../envelope';
import { stampQuestions } from '../reply-times';
import { type OpenedReplyWindow, openReplyWindows, releaseReplyWindows } from '../reply-windows';
import { type ReceiverAnswer, verdictOnDelivery } from './next-attempt';
import { post, type Receivers } from './post';
import { signatureHeaders } from './signature';
import { contentOf } from './webhook-form';

export interface DeliveryParts {
  readonly db: Database;
  readonly receivers: Receivers;
  readonly names: WireNames & CloudEventNames;
  readonly measures: Pick<Measures, 'webhookDelivered'>;
  readonly logger: Logger;
}

export interface LaneWait {
  /** How long nothing can be sent; left out: nothing is pending. */
  readonly waitMs?: number;
}

export interface LaneHooks {
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal;
  /** Told of windows that open, because the project's own webhook has taken the question or is switched off. */
  readonly opened: (windows: readonly OpenedReplyWindow[]) => Promise<void>;
}

export interface Deliveries {
  /** Delivers what is due, for a while at most. */
  deliver(lane: Lane, hooks: LaneHooks): Promise<LaneWait>;
}

/** The time after which the caller is told to come again. */
const turnMs = 30_000;

/** A lane that finds no place comes back after this time. */
const noPlaceMs = 1_000;

/**
 * A delivery waits in an activity slot for its receiver. So these are far fewer than the activity slots of a worker,
 * and one slow receiver leaves room for others.
 */
const lanesAtOnce = { mostInAll: 100, mostOfOne: 10 };

export const createDeliveries = (parts: DeliveryParts): Deliveries => {
  const slots = createSlots(lanesAtOnce);
  return {
    deliver: async (lane, hooks) =>
      (await slots.run(lane.webhookId, () => deliverForAWhile(parts, lane, hooks))) ?? { waitMs: noPlaceMs },
  };
};

const deliverForAWhile = async (parts: DeliveryParts, lane: Lane, hooks: LaneHooks): Promise<LaneWait> => {
  const untilMs = performance.now() + turnMs;
  for (;;) {
    const step = await deliverNext(parts, lane, hooks);
    if (step !== 'next') return step;
    if (performance.now() >= untilMs) return { waitMs: 0 };
  }
};

/** `next`: the oldest event is dealt with, and the one after it may be due. */
type Step = LaneWait | 'next';

const deliverNext = async (parts: DeliveryParts, lane: Lane, hooks: LaneHooks): Promise<Step> => {
  const { db } = parts;
  const webhook = await findWebhook(db, lane.webhookId);
  const oldest = webhook?.enabled === true ? await findOldestDelivery(db, lane) : null;
  if (webhook === null || oldest === null) return {};
  const waitMs = dueMs(webhook, oldest) - (await databaseNow(db)).getTime();
  if (waitMs > 0) return { waitMs };
  const delivery = await prepare(db, oldest);
  if (delivery === null) return 'next';
  const tried = { webhook, delivery };
  const answer = await attempt(parts, tried, hooks.signal);
  return answer === 'removed' ? {} : record(parts, { ...tried, answer }, hooks);
};

const dueMs = ({ slowUntil }: WebhookRecord, { nextAttemptAt }: DeliveryRecord): number =>
  Math.max(slowUntil?.getTime() ?? 0, nextAttemptAt?.getTime() ?? 0);

const isPlanned = ({ event }: DeliveryRecord): boolean => event.eventType === 'maintenance.planned';

/** Writes the times of a question before it is sent. */
const prepare = (db: Database, delivery: DeliveryRecord): Promise<DeliveryRecord | null> =>
  isPlanned(delivery)
    ? inTransaction(db, async (tx) => {
        await stampQuestions(tx, [delivery.event.messageId]);
        return findDelivery(tx, delivery.id);
      })
    : Promise.resolve(delivery);

interface DeliveryAttempt {
  readonly webhook: WebhookRecord;
  readonly delivery: DeliveryRecord;
}

/** removed: the webhook has no secret any more. */
const attempt = async (
  { db, receivers, names }: DeliveryParts,
  { webhook, delivery: { sessionId, event } }: DeliveryAttempt,
  signal: AbortSignal,
): Promise<ReceiverAnswer | 'removed'> => {
  const now = await databaseNow(db);
  const secrets = await findSecrets(db, webhook.id, now);
  if (secrets.length === 0) return 'removed';
  const message: BusMessage = { key: sessionId, seq: event.seq, envelope: toEnvelope(event, names) };
  const { contentType, body } = contentOf(webhook, message, names);
  const signed = { id: event.messageId, timestamp: Math.floor(now.getTime() / 1000), body };
  const headers = { 'content-type': contentType, ...signatureHeaders(secrets, signed) };
  return post(receivers, { url: webhook.url, headers, body, signal });
};

interface Tried extends DeliveryAttempt {
  readonly answer: ReceiverAnswer;
}

const record = async (parts: DeliveryParts, tried: Tried, hooks: LaneHooks): Promise<Step> => {
  const { delivery, answer } = tried;
  const now = await databaseNow(parts.db);
  const ageMs = now.getTime() - delivery.createdAt.getTime();
  const verdict = verdictOnDelivery(answer, { attempts: delivery.attempts, ageMs, chance: Math.random() });
  switch (verdict.kind) {
    case 'taken':
      return recordTaken(parts, { ...tried, now }, hooks);
    case 'switchOff':
      return switchOff(parts, { ...tried, now, because: verdict.because }, hooks);
    case 'giveUp':
      return giveUp(parts, { ...tried, now, because: verdict.because });
    case 'retry':
      return retryLater(parts, { ...tried, now, because: verdict.because }, verdict);
  }
};

interface At extends DeliveryAttempt {
  readonly now: Date;
}

const recordTaken = async (
  { db, measures, logger }: DeliveryParts,
  { webhook, delivery, now }: At,
  { opened }: LaneHooks,
): Promise<Step> => {
  const { messageId } = delivery.event;
  const opening = webhook.projectId !== null && isPlanned(delivery) ? [messageId] : [];
  const windows = await inTransaction(db, async (tx) => {
    // Questions before deliveries, as everywhere.
    const openedNow = await openReplyWindows({ tx, logger }, opening);
    await removeDelivery(tx, delivery.id);
    return openedNow;
  });
  await noteDelivered(db, webhook.id, now);
  measures.webhookDelivered('ok');
  logger.debug({ webhookId: webhook.id, messageId }, 'event delivered to a webhook');
  await opened(windows);
  return 'next';
};

interface FailedDelivery extends At {
  readonly because: string;
}

const factsOf = ({ delivery, because }: FailedDelivery) => {
  const { webhookId, sessionId, attempts, event } = delivery;
  return { webhookId, sessionId, messageId: event.messageId, attempts: attempts + 1, because };
};

const switchOff = async (parts: DeliveryParts, failed: FailedDelivery, { opened }: LaneHooks): Promise<Step> => {
  const { db, measures, logger } = parts;
  const { webhook: tried, now: at, because } = failed;
  if (!(await noteFailed(db, { tried, at, error: because, offBecause: because }))) return 'next';
  measures.webhookDelivered('failed');
  logger.warn(factsOf(failed), 'webhook switched off');
  await opened(await releaseReplyWindows(db));
  return {};
};

const giveUp = async ({ db, measures, logger }: DeliveryParts, failed: FailedDelivery): Promise<Step> => {
  const { webhook, delivery, now: at, because } = failed;
  if (!(await noteFailed(db, { tried: webhook, at, error: because }))) return 'next';
  if (!(await giveUpDelivery(db, { id: delivery.id, webhookId: webhook.id, at, error: because }))) return 'next';
  measures.webhookDelivered('given_up');
  logger.error(factsOf(failed), 'delivery to a webhook given up');
  return 'next';
};

const retryLater = async (
  { db, measures, logger }: DeliveryParts,
  failed: FailedDelivery,
  { afterMs, slowsDown }: { readonly afterMs: number; readonly slowsDown: boolean },
): Promise<Step> => {
  const { webhook: tried, delivery, now: at, because: error } = failed;
  const nextAttemptAt = new Date(at.getTime() + afterMs);
  const isRecorded = await inTransaction(db, async (tx) => {
    const isAsTried = await noteFailed(tx, { tried, at, error, ...(slowsDown && { slowUntil: nextAttemptAt }) });
    if (isAsTried)
      await recordFailedAttempt(tx, { id: delivery.id, attempts: delivery.attempts, error, nextAttemptAt });
    return isAsTried;
  });
  if (!isRecorded) return 'next';
  measures.webhookDelivered('failed');
  logger.warn({ ...factsOf(failed), nextAttemptAt }, 'delivery to a webhook failed');
  return { waitMs: afterMs };
};
