/**
 * Gauges over the database: how many sessions, hosts, moves, questions and events there are. Only the API exports them,
 * so that nobody counts them once for each worker.
 */
import { Gauge, type Registry } from '@prometheus-io/client';
import { moveActions, questionStatuses, type ServiceCounts } from '../../prisma/upkeep/service-counts';
import { hostPhases, sessionStates } from '../../rules/decisions/fleet/fleet';

export type CountService = () => Promise<ServiceCounts>;

interface LabelledGauge {
  /** Values that are not known count together as `other`. */
  setAll(counts: ReadonlyMap<string, number>): void;
  clear(): void;
}

interface GaugeText {
  readonly name: string;
  readonly help: string;
}

const labelled = (
  registry: Registry,
  { name, help }: GaugeText,
  label: { readonly name: string; readonly values: readonly string[] },
): LabelledGauge => {
  const gauge = new Gauge({ name, help, labelNames: [label.name], registers: [registry] });
  return {
    setAll(counts) {
      const known = label.values.map((value) => [value, counts.get(value) ?? 0] as const);
      const total = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const other = total - known.reduce((sum, [, count]) => sum + count, 0);
      for (const [value, count] of [...known, ['other', other] as const]) gauge.set({ [label.name]: value }, count);
    },
    clear: () => gauge.reset(),
  };
};

const plain = (registry: Registry, text: GaugeText): Gauge => new Gauge({ ...text, registers: [registry] });

const createGauges = (registry: Registry) => ({
  databaseUp: plain(registry, {
    name: 'parley_database_up',
    help: 'Whether the database answered for this scrape: 1, or 0, and then the gauges over it are missing.',
  }),
  ...gaugesOfSessions(registry),
  ...gaugesOfWork(registry),
  ...gaugesOfEvents(registry),
});

const gaugesOfSessions = (registry: Registry) => ({
  sessions: labelled(
    registry,
    { name: 'parley_sessions', help: 'Sessions that are not deleted, by state.' },
    { name: 'state', values: sessionStates },
  ),
  paused: plain(registry, { name: 'parley_sessions_paused', help: 'Sessions that are paused.' }),
  aborted: plain(registry, {
    name: 'parley_sessions_aborted',
    help: 'Sessions that an admin has aborted; they count in the state MAINTENANCE_FAILED, too.',
  }),
  missed: plain(registry, {
    name: 'parley_sessions_deadline_missed',
    help: 'Unfinished sessions whose deadline has passed or is not expected to be met.',
  }),
  closed: plain(registry, {
    name: 'parley_sessions_closed_with_hosts_left',
    help: 'Sessions that have begun, have hosts left, and wait for their next maintenance window or the end of a freeze.',
  }),
  oldestPause: plain(registry, {
    name: 'parley_sessions_oldest_paused_timestamp_seconds',
    help: 'Since when the session that is paused for longest waits for an admin, in Unix time; missing when none is paused.',
  }),
});

const gaugesOfWork = (registry: Registry) => ({
  hosts: labelled(
    registry,
    { name: 'parley_hosts', help: 'Hosts that a session owns, by phase.' },
    { name: 'phase', values: hostPhases },
  ),
  moves: labelled(
    registry,
    { name: 'parley_moves_in_flight', help: 'Actions on instances that have begun and are not over.' },
    { name: 'action', values: moveActions },
  ),
  questions: labelled(
    registry,
    {
      name: 'parley_questions',
      help: 'Questions that are neither answered nor closed: unsent, open, or late, which means that reply_at has passed.',
    },
    { name: 'status', values: questionStatuses },
  ),
});

const gaugesOfEvents = (registry: Registry) => ({
  unpublished: plain(registry, {
    name: 'parley_events_unpublished',
    help: 'Events that are recorded and not yet published, counted up to 100000.',
  }),
  oldestUnpublished: plain(registry, {
    name: 'parley_events_oldest_unpublished_timestamp_seconds',
    help: 'When the oldest unpublished event was recorded, in Unix time; missing when all are published.',
  }),
  pendingDeliveries: plain(registry, {
    name: 'parley_webhook_deliveries_pending',
    help: 'Events that webhooks have yet to take, one for each webhook, counted up to 100000.',
  }),
  oldestDelivery: plain(registry, {
    name: 'parley_webhook_deliveries_oldest_pending_timestamp_seconds',
    help: 'When the oldest event was recorded that a webhook has yet to take, in Unix time; missing when none has to.',
  }),
});

/** The database is asked at most once in this time, however often and by however many the metrics are scraped. */
const keptMs = 5_000;

const askedSeldom = (count: CountService, nowMs: () => number): CountService => {
  let asked: { readonly atMs: number; readonly answer: Promise<ServiceCounts> } | undefined;
  return () => {
    if (asked === undefined || nowMs() - asked.atMs >= keptMs) asked = { atMs: nowMs(), answer: count() };
    return asked.answer;
  };
};

/** @returns brings the gauges up to date; never rejects */
export const createServiceGauges = (
  registry: Registry,
  count: CountService,
  nowMs: () => number = () => performance.now(),
): (() => Promise<void>) => {
  const gauges = createGauges(registry);
  const { databaseUp, sessions, hosts, moves, questions, paused, aborted, missed, closed, oldestPause } = gauges;
  const { unpublished, oldestUnpublished, pendingDeliveries, oldestDelivery } = gauges;
  const setTime = (gauge: Gauge, at: Date | null): void => {
    if (at === null) gauge.remove();
    else gauge.set(at.getTime() / 1000);
  };
  const counted = askedSeldom(count, nowMs);
  const clear = (): void => {
    for (const gauge of [sessions, hosts, moves, questions]) gauge.clear();
    for (const gauge of [paused, aborted, missed, closed, oldestPause, unpublished, oldestUnpublished]) gauge.remove();
    for (const gauge of [pendingDeliveries, oldestDelivery]) gauge.remove();
    databaseUp.set(0);
  };
  const setAll = (counts: ServiceCounts): void => {
    databaseUp.set(1);
    sessions.setAll(counts.sessionsByState);
    hosts.setAll(counts.hostsByPhase);
    moves.setAll(counts.movesByAction);
    questions.setAll(counts.questionsByStatus);
    paused.set(counts.sessionsPaused);
    aborted.set(counts.sessionsAborted);
    closed.set(counts.sessionsClosedWithHostsLeft);
    setTime(oldestPause, counts.oldestPauseAt);
    missed.set(counts.sessionsDeadlineMissed);
    unpublished.set(counts.eventsUnpublished);
    pendingDeliveries.set(counts.deliveriesPending);
    setTime(oldestUnpublished, counts.oldestUnpublishedAt);
    setTime(oldestDelivery, counts.oldestDeliveryAt);
  };
  return () => counted().then(setAll, clear);
};
