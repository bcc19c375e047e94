/** Opens the worker's metrics, where the settings name a port for them. */
import type { TelemetryOptions } from '@temporalio/worker';
import type { Logger } from '../config/logger';
import type { Settings } from '../config/settings';
import { type Measures, noMeasures } from '../telemetry/metrics/measures';
import { serveMetrics } from '../telemetry/metrics/metrics-listener';
import { createWorkerMetrics } from '../telemetry/metrics/worker-metrics';
import { openSdkMetrics } from './sdk-metrics';

export interface OpenMetrics {
  readonly measures: Measures;
  readonly telemetry: Pick<TelemetryOptions, 'metrics'>;
  /** @returns stops serving */
  serve(): Promise<() => Promise<void>>;
}

const settings = 'PARLEY_METRICS_HOST and PARLEY_WORKER_METRICS_PORT';

export const openMetrics = async (
  { metricsHost: host, workerMetricsPort: port }: Settings,
  logger: Logger,
): Promise<OpenMetrics> => {
  if (port === undefined) {
    return { measures: noMeasures, telemetry: {}, serve: () => Promise.resolve(() => Promise.resolve()) };
  }
  const sdk = await openSdkMetrics(logger);
  const metrics = createWorkerMetrics({ ofSdk: sdk.read });
  return {
    measures: metrics.measures,
    telemetry: sdk.telemetry,
    serve: () => serveMetrics(metrics, { host, port, settings }),
  };
};
