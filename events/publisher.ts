/**
 * Sends the events of a session to the bus in the order in which they were recorded, each at least once and always with
 * the same message_id. The process may be killed at any time: an event that is not recorded as published is sent again.
 *
 * A lease allows one publisher per session. A publisher may stall past its lease and still send: consumers then see
 * repeats, but in the right order. Its successor began with the oldest unpublished event, so it has sent everything
 * that the late publisher sends. No row stays locked while the publisher waits for the bus.
 *
 * Events that are too large for the bus together are sent in smaller parts. One that is too large by itself is recorded
 * as refused, so that it does not hold up those behind it.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { withinLimit } from '../calls/time-limit';
import type { Database } from '../prisma/database';
import { type BatchEvent, type BatchLimits, prepareBatch, recordPublished, recordTooLarge } from './batch';
import { type EventBus, TooLargeForBus } from './bus';
import { toEnvelope, type WireNames } from './envelope';
import { type Lease, releaseLease, renewLease, takeLease } from './lease';
import { countUnpublished, isUnpublished, newestUnpublished } from './unpublished';

export interface Publisher {
  /**
   * Returns when all events of the session that were recorded before the call are published, by this publisher or
   * another.
   * @throws Error when the bus does not take them: call again, nothing is lost
   */
  publish(sessionId: string): Promise<void>;
  /**
   * Publishes the remaining events of all sessions, deleted ones included, and returns how many there were.
   * @throws Error after all sessions were tried, when some events could not be published
   */
  publishLeftOvers(): Promise<number>;
}

export interface PublisherLimits extends BatchLimits {
  /** The time for which a publisher that died keeps other publishers from the session's events. */
  readonly leaseMs: number;
  /** The longest time of one send. It is below `leaseMs`, so that a send ends under the lease with which it began. */
  readonly sendMs: number;
  /** The interval at which a waiting publisher checks the lease. */
  readonly pollMs: number;
}

const defaultLimits: PublisherLimits = {
  maxEvents: 200,
  maxBytes: 256 * 1024,
  leaseMs: 15_000,
  sendMs: 12_000,
  pollMs: 50,
};

/** The number of sessions whose remaining events are published at the same time. */
const leftOversAtOnce = 4;

export interface PublisherParts {
  readonly db: Database;
  readonly bus: EventBus;
  readonly names: WireNames;
  readonly logger: Logger;
  /** Seconds that a window waits for its project's own webhook; left out: 60. */
  readonly webhookSeconds?: number;
  /**
   * Sees to it that the session's events are delivered to webhooks, which do not wait for the bus. Left out: there are
   * no webhooks.
   */
  readonly wakeWebhooks?: (sessionId: string) => Promise<void>;
  readonly limits?: Partial<PublisherLimits>;
}

const noWebhooks = (): Promise<void> => Promise.resolve();

/** @throws Error when a send could outlast the lease */
export const createPublisher = (parts: PublisherParts): Publisher => {
  const limits = { ...defaultLimits, ...parts.limits };
  if (limits.sendMs >= limits.leaseMs) {
    throw new Error(
      `a send of ${limits.sendMs} ms may outlast the lease of ${limits.leaseMs} ms; make the lease longer`,
    );
  }
  const publishing: PublishingParts = { ...parts, limits };
  return {
    publish: (sessionId) => publish(publishing, sessionId),
    publishLeftOvers: () => publishLeftOvers(publishing),
  };
};

interface PublishingParts extends PublisherParts {
  readonly limits: PublisherLimits;
}

const publish = async (parts: PublishingParts, sessionId: string): Promise<void> => {
  const { db, wakeWebhooks = noWebhooks } = parts;
  await wakeWebhooks(sessionId);
  const lastSeq = await newestUnpublished(db, sessionId);
  if (lastSeq === undefined) return;
  const sentSeq = await publishUpTo(parts, sessionId, lastSeq);
  // Events that were recorded meanwhile have been published with these, and nobody else may be told of them.
  if (sentSeq !== undefined && sentSeq > lastSeq) await wakeWebhooks(sessionId);
};

const publishLeftOvers = async (parts: PublishingParts): Promise<number> => {
  const leftOvers = await countUnpublished(parts.db);
  const outcomes = await settleInTurn(leftOvers, ({ sessionId }) => publish(parts, sessionId));
  const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
  if (failures.length === 0) return leftOvers.reduce((sum, { events }) => sum + events, 0);
  throw new Error(
    `the events of ${failures.length} of ${leftOvers.length} sessions could not be published; they stay recorded`,
    { cause: failures[0]?.reason },
  );
};

/** Returns the seq of the last event that this publisher sent; undefined when another one has done it. */
const publishUpTo = async (parts: PublishingParts, sessionId: string, lastSeq: number): Promise<number | undefined> => {
  for (;;) {
    const sentSeq = await publishUnderLease(parts, sessionId, lastSeq);
    if (sentSeq !== undefined) return sentSeq;
    await delay(parts.limits.pollMs);
    if (!(await isUnpublished(parts.db, sessionId, lastSeq))) return undefined;
  }
};

/** Undefined when another publisher is at work, or was in the meantime; else the seq of the last event sent. */
const publishUnderLease = async (
  parts: PublishingParts,
  sessionId: string,
  lastSeq: number,
): Promise<number | undefined> => {
  const lease = { sessionId, holder: randomUUID() };
  if (!(await takeLease(parts.db, lease, parts.limits.leaseMs))) return undefined;
  try {
    return await sendUpTo(parts, lease, lastSeq);
  } finally {
    await release(parts, lease);
  }
};

/** A lease that cannot be released expires by itself. Its error must not hide the outcome of the publishing. */
const release = ({ db, logger }: PublishingParts, lease: Lease): Promise<void> =>
  releaseLease(db, lease).catch((err: unknown) => {
    logger.warn({ err, sessionId: lease.sessionId }, 'the lease on the events of a session was not released');
  });

/** Returns the seq of the last event that was sent, or undefined when the lease was lost before all were. */
const sendUpTo = async (parts: PublishingParts, lease: Lease, lastSeq: number): Promise<number | undefined> => {
  let sent = await sendBatch(parts, lease, parts.limits.maxEvents);
  while (sent !== undefined && (sent.sentSeq ?? 0) < lastSeq) sent = await sendBatch(parts, lease, sent.mostEvents);
  return sent?.sentSeq;
};

/** Sends one batch. Undefined when nothing is left or the lease is lost. */
const sendBatch = async (parts: PublishingParts, lease: Lease, mostEvents: number): Promise<SentBatch | undefined> => {
  const { db, limits } = parts;
  const batch = await prepareBatch(db, lease, { maxBytes: limits.maxBytes, maxEvents: mostEvents });
  const last = batch.at(-1);
  if (last === undefined || !(await renewLease(db, lease, limits.leaseMs))) return undefined;
  const half = Math.ceil(batch.length / 2);
  if ((await sendAndRecord(parts, lease.sessionId, batch)) === 'tooLarge') return { mostEvents: half };
  return { sentSeq: last.seq, mostEvents: Math.min(limits.maxEvents, mostEvents * 2) };
};

/** Undefined: all of them were sent, or the one that is too large was recorded. */
const sendAndRecord = async (
  parts: PublishingParts,
  sessionId: string,
  batch: readonly BatchEvent[],
): Promise<'tooLarge' | undefined> => {
  const { db, logger, webhookSeconds = 60 } = parts;
  const recording = { db, logger, webhookSeconds };
  const refusal = await refusalForSize(send(parts, sessionId, batch));
  const [only, second] = batch;
  if (refusal === undefined) await recordPublished(recording, batch);
  else if (only !== undefined && second === undefined) await recordTooLarge(recording, only, refusal.message);
  else return 'tooLarge';
  logger.debug({ sessionId, events: batch.length, lastSeq: batch.at(-1)?.seq }, 'events published');
  return undefined;
};

const send = (
  { bus, names, limits: { sendMs } }: PublishingParts,
  sessionId: string,
  batch: readonly BatchEvent[],
): Promise<void> => {
  const messages = batch.map((row) => ({ key: sessionId, seq: row.seq, envelope: toEnvelope(row, names) }));
  return withinLimit(sendMs, `sending ${batch.length} events of session ${sessionId}`, bus.send(messages));
};

interface SentBatch {
  /** The number of its last event; left out: together they are too large for the bus. */
  readonly sentSeq?: number;
  /** Limit of the next batch. */
  readonly mostEvents: number;
}

const refusalForSize = async (sending: Promise<void>): Promise<TooLargeForBus | undefined> => {
  try {
    await sending;
    return undefined;
  } catch (error) {
    if (error instanceof TooLargeForBus) return error;
    throw error;
  }
};

const settleInTurn = async <T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<PromiseSettledResult<void>[]> => {
  const outcomes: PromiseSettledResult<void>[] = [];
  for (let start = 0; start < items.length; start += leftOversAtOnce) {
    outcomes.push(...(await Promise.allSettled(items.slice(start, start + leftOversAtOnce).map(work))));
  }
  return outcomes;
};
