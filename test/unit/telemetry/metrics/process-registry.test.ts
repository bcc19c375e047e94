import { createProcessRegistry } from '../../../../telemetry/metrics/process-registry';

it('collects the metrics of Node.js once in a process, for all registries', async () => {
  const [api, worker] = [createProcessRegistry('api'), createProcessRegistry('worker')];
  const lag = 'nodejs_eventloop_lag_p99_seconds';
  expect(api.getSingleMetric(lag)).toBeDefined();
  expect(worker.getSingleMetric(lag)).toBe(api.getSingleMetric(lag));
  expect(await worker.metrics()).toContain('process="worker"');
  expect(await api.metrics()).not.toContain('process="worker"');
});
