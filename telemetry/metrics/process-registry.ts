/** The metrics of one process: its own registry, with those of Node.js and the process in it. */
import { collectDefaultMetrics, Gauge, register as registryOfNode, Registry } from '@prometheus-io/client';
import { ownVersion } from '../../startup/own-version';

/** Metrics as a process serves them. */
export interface ExportedMetrics {
  readonly contentType: string;
  /** Tells the metrics in the text form of Prometheus. */
  text(): Promise<string>;
}

/** Collects them once in a process, since nothing ends the timers and observers of a collection. */
const metricsOfNode = (): Registry => {
  if (registryOfNode.getMetricsAsArray().length === 0) collectDefaultMetrics();
  return registryOfNode;
};

export const createProcessRegistry = (processName: 'api' | 'worker'): Registry => {
  const registry = Registry.merge([metricsOfNode()]);
  new Gauge({
    name: 'parley_build_info',
    help: 'Always 1; says which version runs as which process.',
    labelNames: ['version', 'process'],
    registers: [registry],
  }).set({ version: ownVersion(), process: processName }, 1);
  return registry;
};

/** Upper bounds in seconds, for work that takes milliseconds to seconds. */
export const quickBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
