import { longestBlockMs } from '../../../../dev/bench/event-loops';
import { createWorkerMetrics } from '../../../../telemetry/metrics/worker-metrics';

it('reads the longest block from the metrics that a process exports', async () => {
  const text = await createWorkerMetrics({ ofSdk: () => Promise.resolve('') }).text();
  expect(longestBlockMs(text)).toBeGreaterThanOrEqual(0);
});

it('names the gauge that is missing', () => {
  expect(() => longestBlockMs('# nothing')).toThrow('nodejs_eventloop_lag_max_seconds');
});
