/** The numbers of the whole service that its metrics show. */
import type { Database } from '../database';

/** The actions by which moves are counted. */
export const moveActions = ['LIVE_MIGRATE', 'MIGRATE', 'OWN_ACTION', 'EVICTION'] as const;
/** unsent: its event has not reached the bus; late: its time to reply is over, and nobody has acted on that yet. */
export const questionStatuses = ['unsent', 'open', 'late'] as const;

export interface ServiceCounts {
  readonly sessionsByState: ReadonlyMap<string, number>;
  readonly sessionsPaused: number;
  /** Sessions that an admin has aborted; they count in the state MAINTENANCE_FAILED, too. */
  readonly sessionsAborted: number;
  readonly sessionsDeadlineMissed: number;
  /** Sessions whose maintenance window or time is closed, and that have hosts left. */
  readonly sessionsClosedWithHostsLeft: number;
  /** Since when the session that is paused for longest waits for an admin. */
  readonly oldestPauseAt: Date | null;
  readonly hostsByPhase: ReadonlyMap<string, number>;
  readonly movesByAction: ReadonlyMap<string, number>;
  readonly questionsByStatus: ReadonlyMap<string, number>;
  /** Counted up to `mostCounted`. */
  readonly eventsUnpublished: number;
  readonly oldestUnpublishedAt: Date | null;
  /** Counted up to `mostCounted`. */
  readonly deliveriesPending: number;
  /** Leaves out webhooks that are switched off. */
  readonly oldestDeliveryAt: Date | null;
}

/** While the bus is away for long, events pile up: counting them all would take longer with each day. */
const mostCounted = 100_000;
/** A scrape must not burden a database that is slow already. */
const limitMs = 2_000;

interface CountedRow {
  readonly what: string;
  readonly label: string;
  readonly count: number;
}

/** Each part reads a partial index, or as many rows as there are sessions. */
const countRows = (db: Pick<Database, '$queryRaw'>) => db.$queryRaw<CountedRow[]>`
  WITH open_question AS (
    SELECT asked_at, reply_at FROM question WHERE status = 'open' AND instance_id IS NULL
    UNION ALL
    SELECT asked_at, reply_at FROM question WHERE status = 'open' AND instance_id IS NOT NULL
  )
  SELECT 'sessions' AS what, state AS label, count(*)::int AS count
  FROM session WHERE deleted_at IS NULL GROUP BY state
  UNION ALL
  SELECT 'paused', '', count(*)::int FROM session WHERE deleted_at IS NULL AND paused_at IS NOT NULL
  UNION ALL
  SELECT 'aborted', '', count(*)::int FROM session
  WHERE deleted_at IS NULL AND abort_requested_at IS NOT NULL AND state = 'MAINTENANCE_FAILED'
  UNION ALL
  SELECT 'missed', '', count(*)::int FROM session
  WHERE deleted_at IS NULL AND deadline_missed IS NOT NULL AND state <> 'MAINTENANCE_DONE'
  UNION ALL
  SELECT 'closed', '', count(*)::int FROM session
  WHERE deleted_at IS NULL AND begun_at IS NOT NULL AND window_opens_at > clock_timestamp()
    AND state NOT IN ('MAINTENANCE_COMPLETE', 'MAINTENANCE_DONE', 'MAINTENANCE_FAILED')
  UNION ALL
  SELECT 'hosts', phase, count(*)::int FROM session_host WHERE owned GROUP BY phase
  UNION ALL
  SELECT 'moves', action, count(*)::int FROM claim WHERE phase = 'moving' GROUP BY action
  UNION ALL
  SELECT 'questions', CASE WHEN asked_at IS NULL THEN 'unsent' WHEN reply_at < clock_timestamp() THEN 'late' ELSE 'open' END,
         count(*)::int
  FROM open_question GROUP BY 2
  UNION ALL
  SELECT 'events', '', count(*)::int FROM (SELECT 1 FROM event WHERE published_at IS NULL LIMIT ${mostCounted}) AS counted
  UNION ALL
  SELECT 'deliveries', '', count(*)::int FROM (
    SELECT 1 FROM webhook_delivery WHERE given_up_at IS NULL LIMIT ${mostCounted}) AS counted`;

const oldestUnpublished = async (db: Pick<Database, '$queryRaw'>): Promise<Date | null> => {
  const rows = await db.$queryRaw<{ createdAt: Date }[]>`
    SELECT min(created_at) AS "createdAt" FROM (
      SELECT created_at FROM event WHERE published_at IS NULL LIMIT ${mostCounted}) AS counted`;
  return rows[0]?.createdAt ?? null;
};

const oldestDelivery = async (db: Pick<Database, '$queryRaw'>): Promise<Date | null> => {
  const rows = await db.$queryRaw<{ createdAt: Date }[]>`
    SELECT min(created_at) AS "createdAt" FROM (
      SELECT webhook_delivery.created_at
      FROM webhook_delivery JOIN webhook ON webhook.id = webhook_id AND webhook.enabled
      WHERE given_up_at IS NULL LIMIT ${mostCounted}) AS counted`;
  return rows[0]?.createdAt ?? null;
};

const oldestPause = async (db: Pick<Database, '$queryRaw'>): Promise<Date | null> => {
  const rows = await db.$queryRaw<{ pausedAt: Date | null }[]>`
    SELECT min(paused_at) AS "pausedAt" FROM session
    WHERE deleted_at IS NULL AND abort_requested_at IS NULL
      AND state NOT IN ('MAINTENANCE_DONE', 'MAINTENANCE_FAILED')`;
  return rows[0]?.pausedAt ?? null;
};

const byLabel = (rows: readonly CountedRow[], what: string): ReadonlyMap<string, number> =>
  new Map(rows.filter((row) => row.what === what).map(({ label, count }) => [label, count]));

const oneOf = (rows: readonly CountedRow[], what: string): number => byLabel(rows, what).get('') ?? 0;

/** @throws Error when the database does not answer within two seconds */
export const countService = (db: Database): Promise<ServiceCounts> =>
  db.$transaction(
    async (tx) => {
      await tx.$executeRawUnsafe(`SET LOCAL statement_timeout = ${String(limitMs)}`);
      const rows = await countRows(tx);
      return {
        sessionsByState: byLabel(rows, 'sessions'),
        sessionsPaused: oneOf(rows, 'paused'),
        sessionsAborted: oneOf(rows, 'aborted'),
        sessionsDeadlineMissed: oneOf(rows, 'missed'),
        sessionsClosedWithHostsLeft: oneOf(rows, 'closed'),
        oldestPauseAt: await oldestPause(tx),
        hostsByPhase: byLabel(rows, 'hosts'),
        movesByAction: byLabel(rows, 'moves'),
        questionsByStatus: byLabel(rows, 'questions'),
        eventsUnpublished: oneOf(rows, 'events'),
        oldestUnpublishedAt: await oldestUnpublished(tx),
        deliveriesPending: oneOf(rows, 'deliveries'),
        oldestDeliveryAt: await oldestDelivery(tx),
      };
    },
    { maxWait: limitMs, timeout: 2 * limitMs },
  );
