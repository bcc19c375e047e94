/** The metrics of both processes, with every one of them used at least once, by values that real use brings. */
import type { ServiceCounts } from '../../../../prisma/upkeep/service-counts';
import { createApiMetrics } from '../../../../telemetry/metrics/api-metrics';
import { createWorkerMetrics } from '../../../../telemetry/metrics/worker-metrics';

export const someCounts: ServiceCounts = {
  sessionsByState: new Map([
    ['PLANNED_MAINTENANCE', 2],
    ['A_STATE_OF_A_PACKAGE', 1],
  ]),
  sessionsPaused: 1,
  sessionsAborted: 1,
  sessionsDeadlineMissed: 0,
  sessionsClosedWithHostsLeft: 1,
  oldestPauseAt: new Date('2026-11-21T12:00:00Z'),
  hostsByPhase: new Map([['emptying', 3]]),
  movesByAction: new Map([['LIVE_MIGRATE', 4]]),
  questionsByStatus: new Map([['late', 5]]),
  eventsUnpublished: 6,
  oldestUnpublishedAt: new Date('2026-11-21T12:00:00Z'),
  deliveriesPending: 7,
  oldestDeliveryAt: new Date('2026-11-21T12:00:00Z'),
};

export const usedApiMetrics = async (): Promise<string> => {
  const metrics = createApiMetrics({ count: () => Promise.resolve(someCounts), pageUrl: 'https://parley.example.org' });
  metrics.requestEnded({ method: 'GET', route: '/v1/maintenance/{session_id}', status: 200, seconds: 0.01 });
  metrics.requestEnded({ method: 'GET', route: undefined, status: 404, seconds: 0.01 });
  metrics.requestEnded({ method: 'GET', route: '/v1/events', status: 'aborted', seconds: undefined });
  return metrics.text();
};

export const usedWorkerMetrics = async (): Promise<string> => {
  const metrics = createWorkerMetrics({ ofSdk: () => Promise.resolve('') });
  const { measures } = metrics;
  const watch = measures.watchAdmission(0);
  measures.watchPlaces({ kind: 'transactions', places: 16, taken: () => 16, waiting: () => 3 });
  watch.begun();
  watch.decided();
  watch.locked();
  watch.ended();
  measures.activityFailed('publishEvents', true);
  measures.delivered('kafka', 'ok', 3);
  measures.delivered('kafka', 'too_large', 1);
  measures.webhookDelivered('given_up');
  measures.cloudCalled('startMove', 'refused', 0.2);
  measures.moveEnded('LIVE_MIGRATE', 'refused');
  return metrics.text();
};
