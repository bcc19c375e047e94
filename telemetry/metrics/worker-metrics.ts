/** The metrics of the worker process: decisions, activities, deliveries and calls of the cloud. */
import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { Bounded, Measures } from './measures';
import { createProcessRegistry, type ExportedMetrics, quickBuckets } from './process-registry';

export interface WorkerMetrics extends ExportedMetrics {
  readonly measures: Measures;
}

const histogram = (registry: Registry, name: string, help: string): Histogram =>
  new Histogram({ name, help, buckets: quickBuckets, registers: [registry] });

const createAdmissionWatches = (registry: Registry): Measures['watchAdmission'] => {
  const decision = histogram(
    registry,
    'parley_decision_duration_seconds',
    'How long a decision about a session took: reading its facts, and deciding.',
  );
  const turnWait = histogram(
    registry,
    'parley_admission_lock_wait_seconds',
    'How long a decision waited for a connection and for its turn: sessions decide one after the other.',
  );
  const lockHeld = histogram(
    registry,
    'parley_admission_lock_held_seconds',
    'How long a decision held the lock of admission, for which writers of constraints wait.',
  );
  return (waitedMs) => {
    const askedMs = performance.now() - waitedMs;
    let begunMs: number | undefined;
    let lockedMs: number | undefined;
    const since = (startMs: number | undefined, to: Histogram): void => {
      if (startMs !== undefined) to.observe((performance.now() - startMs) / 1000);
    };
    return {
      begun() {
        begunMs = performance.now();
        turnWait.observe((begunMs - askedMs) / 1000);
      },
      decided: () => since(begunMs, decision),
      locked() {
        lockedMs = performance.now();
      },
      ended: () => since(lockedMs, lockHeld),
    };
  };
};

/** What is bounded, each kind once. */
const showPlaces = (registry: Registry): ((bounded: Bounded) => void) => {
  const byKind = new Map<string, Bounded>();
  const gauge = (name: string, help: string, valueOf: (bounded: Bounded) => number | undefined): void => {
    const shown: Gauge<'kind'> = new Gauge({
      name,
      help,
      labelNames: ['kind'],
      registers: [registry],
      collect: () => {
        for (const bounded of byKind.values()) {
          const value = valueOf(bounded);
          if (value !== undefined) shown.set({ kind: bounded.kind }, value);
        }
      },
    });
  };
  gauge(
    'parley_places',
    'How much a worker does at a time, by task queue, and of transactions.',
    ({ places }) => places,
  );
  gauge('parley_places_taken', 'How many of these places are taken now.', ({ taken }) => taken());
  gauge('parley_places_waiting', 'What waits for such a place in the process itself.', ({ waiting }) => waiting?.());
  return (bounded) => void byKind.set(bounded.kind, bounded);
};

const countMoves = (registers: Registry[]): Counter<'action' | 'outcome'> =>
  new Counter({
    name: 'parley_moves_total',
    help: 'Actions on instances that are over, by action and outcome; refused: by the cloud on their target.',
    labelNames: ['action', 'outcome'],
    registers,
  });

const createMeasures = (registry: Registry): Measures => {
  const registers = [registry];
  const activityFailures = new Counter({
    name: 'parley_activity_failures_total',
    help: 'Attempts of activities that failed, by activity and by whether Temporal runs them again; without cancelled ones.',
    labelNames: ['activity', 'retried'],
    registers,
  });
  const deliveries = new Counter({
    name: 'parley_event_deliveries_total',
    help: 'Events that were handed to a sink, by sink and result: ok, failed, or too_large; one that is sent again counts again.',
    labelNames: ['sink', 'result'],
    registers,
  });
  const webhookDeliveries = new Counter({
    name: 'parley_webhook_deliveries_total',
    help: 'Attempts to deliver an event to a webhook by result, and events that were given up after a day.',
    labelNames: ['result'],
    registers,
  });
  for (const result of ['ok', 'failed', 'given_up']) webhookDeliveries.inc({ result }, 0);
  const cloudCalls = new Histogram({
    name: 'parley_cloud_call_duration_seconds',
    help: 'How long calls of the cloud driver took, by operation and result.',
    labelNames: ['operation', 'result'],
    buckets: quickBuckets,
    registers,
  });
  const moves = countMoves(registers);
  return {
    watchPlaces: showPlaces(registry),
    watchAdmission: createAdmissionWatches(registry),
    activityFailed: (activity, isRetried) => activityFailures.inc({ activity, retried: String(isRetried) }),
    delivered: (sink, result, events) => deliveries.inc({ sink, result }, events),
    webhookDelivered: (result) => webhookDeliveries.inc({ result }),
    cloudCalled: (operation, result, seconds) => cloudCalls.observe({ operation, result }, seconds),
    moveEnded: (action, outcome) => moves.inc({ action, outcome }),
  };
};

/** @param ofSdk the metrics of Temporal's SDK in the same form; empty when there are none */
export const createWorkerMetrics = ({ ofSdk }: { readonly ofSdk: () => Promise<string> }): WorkerMetrics => {
  const registry = createProcessRegistry('worker');
  return {
    measures: createMeasures(registry),
    contentType: registry.contentType,
    async text() {
      const [own, sdk] = await Promise.all([registry.metrics(), ofSdk()]);
      return own + sdk;
    },
  };
};
