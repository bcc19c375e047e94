/** Measures how long calls of the cloud driver take, and whether the cloud refuses them or they fail. */
import { CloudRefusal } from '../clouds/cloud-driver';
import type { ObserveCall } from '../clouds/observed-cloud';
import type { Measures } from '../telemetry/metrics/measures';

export const measureCalls =
  (measures: Measures): ObserveCall =>
  async (operation, call) => {
    const begunMs = performance.now();
    const seconds = () => (performance.now() - begunMs) / 1000;
    try {
      const result = await call();
      measures.cloudCalled(operation, 'ok', seconds());
      return result;
    } catch (error) {
      measures.cloudCalled(operation, error instanceof CloudRefusal ? 'refused' : 'failed', seconds());
      throw error;
    }
  };
