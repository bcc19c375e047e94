/**
 * Brings the events of a session to the bus, in the order in which they were recorded, each at least once and always
 * under the same message_id. It may be killed at any point: what is not recorded as published is sent again.
 *
 * One publisher a session, by a lease. Should one stall past its lease and send then all the same, consumers see
 * repeats but no other order: whoever took over began with the oldest unpublished event, so all that the late one
 * sends has been sent. No row stays locked while the bus is waited for.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Database } from '../prisma/database';
import { type BatchEvent, type BatchLimits, prepareBatch, recordPublished } from './batch';
import type { EventBus } from './bus';
import { toEnvelope, type WireNames } from './envelope';
import { type Lease, releaseLease, renewLease, takeLease } from './lease';
import { withinLimit } from './time-limit';
import { countUnpublished, isUnpublished, newestUnpublished } from './unpublished';

export interface Publisher {
  /**
   * Returns when every event of the session that was recorded at the call is published, by this publisher or another.
   * @throws Error where the bus does not take them: call again, nothing is lost
   */
  publish(sessionId: string): Promise<void>;
  /**
   * Publishes what is left over, of all sessions, deleted ones too; returns how many events that were.
   * @throws Error after all sessions were tried, where some could not be published
   */
  publishLeftOvers(): Promise<number>;
}

export interface PublisherLimits extends BatchLimits {
  /** How long a publisher that died keeps the session's events from others. */
  readonly leaseMs: number;
  /** How long one send may take; below `leaseMs`, so that a send ends under the lease it began with. */
  readonly sendMs: number;
  /** How often those who wait for another publisher look. */
  readonly pollMs: number;
}

const defaultLimits: PublisherLimits = {
  maxEvents: 200,
  maxBytes: 256 * 1024,
  leaseMs: 15_000,
  sendMs: 12_000,
  pollMs: 50,
};

/** Sessions whose left-over events are published at the same time. */
const leftOversAtOnce = 4;

export interface PublisherParts {
  readonly db: Database;
  readonly bus: EventBus;
  readonly names: WireNames;
  readonly logger: Logger;
  readonly limits?: Partial<PublisherLimits>;
}

/** @throws Error where a send may outlast the lease */
export const createPublisher = ({ db, bus, names, logger, limits }: PublisherParts): Publisher => {
  const { leaseMs, sendMs, pollMs, ...batchLimits } = { ...defaultLimits, ...limits };
  if (sendMs >= leaseMs) {
    throw new Error(`a send of ${sendMs} ms may outlast the lease of ${leaseMs} ms; make the lease longer`);
  }

  const send = (sessionId: string, batch: readonly BatchEvent[]): Promise<void> => {
    const messages = batch.map((row) => ({ key: sessionId, envelope: toEnvelope(row, names) }));
    return withinLimit(sendMs, `sending ${batch.length} events of session ${sessionId}`, bus.send(messages));
  };

  /** Sends one batch; tells the seq of its last event, or undefined where nothing is left or the lease is lost. */
  const sendBatch = async (lease: Lease): Promise<number | undefined> => {
    const batch = await prepareBatch(db, lease, batchLimits);
    const last = batch.at(-1);
    if (last === undefined || !(await renewLease(db, lease, leaseMs))) return undefined;
    await send(lease.sessionId, batch);
    await recordPublished({ db, logger }, batch);
    logger.debug({ sessionId: lease.sessionId, events: batch.length, lastSeq: last.seq }, 'events published');
    return last.seq;
  };

  /** False where the lease is lost before all is sent. */
  const sendUpTo = async (lease: Lease, lastSeq: number): Promise<boolean> => {
    let sentSeq = await sendBatch(lease);
    while (sentSeq !== undefined && sentSeq < lastSeq) sentSeq = await sendBatch(lease);
    return sentSeq !== undefined;
  };

  /** A lease that cannot be released runs out by itself; that must not hide how the publishing ended. */
  const release = (lease: Lease): Promise<void> =>
    releaseLease(db, lease).catch((err: unknown) => {
      logger.warn({ err, sessionId: lease.sessionId }, 'the lease on the events of a session was not released');
    });

  /** False where another publisher is at work, or was meanwhile. */
  const publishUnderLease = async (sessionId: string, lastSeq: number): Promise<boolean> => {
    const lease = { sessionId, holder: randomUUID() };
    if (!(await takeLease(db, lease, leaseMs))) return false;
    try {
      return await sendUpTo(lease, lastSeq);
    } finally {
      await release(lease);
    }
  };

  const publish = async (sessionId: string): Promise<void> => {
    const lastSeq = await newestUnpublished(db, sessionId);
    if (lastSeq === undefined) return;
    while (!(await publishUnderLease(sessionId, lastSeq))) {
      await delay(pollMs);
      if (!(await isUnpublished(db, sessionId, lastSeq))) return;
    }
  };

  const publishLeftOvers = async (): Promise<number> => {
    const leftOvers = await countUnpublished(db);
    const outcomes = await settleInTurn(leftOvers, ({ sessionId }) => publish(sessionId));
    const failures = outcomes.filter((outcome) => outcome.status === 'rejected');
    if (failures.length === 0) return leftOvers.reduce((sum, { events }) => sum + events, 0);
    throw new Error(
      `the events of ${failures.length} of ${leftOvers.length} sessions could not be published; they stay recorded`,
      { cause: failures[0]?.reason },
    );
  };

  return { publish, publishLeftOvers };
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
