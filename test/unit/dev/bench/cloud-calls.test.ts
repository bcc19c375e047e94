import { cloudCallsIn } from '../../../../dev/bench/cloud-calls';
import { createWorkerMetrics } from '../../../../telemetry/metrics/worker-metrics';

it('adds up the calls of an operation over results and workers', async () => {
  const workers = [1, 2].map(() => createWorkerMetrics({ ofSdk: () => Promise.resolve('') }));
  for (const { measures } of workers) {
    measures.cloudCalled('startMove', 'ok', 0.1);
    measures.cloudCalled('startMove', 'refused', 0.1);
    measures.cloudCalled('listHosts', 'ok', 0.1);
  }
  const calls = cloudCallsIn(await Promise.all(workers.map((metrics) => metrics.text())));
  expect(Object.fromEntries(calls)).toEqual({ startMove: 4, listHosts: 2 });
});
