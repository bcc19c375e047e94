/** Temporal's runtime in a process of tests. All files of a worker of Jest share it. */
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, makeTelemetryFilterString, Runtime } from '@temporalio/worker';

/**
 * The SDK's own log matters only when something is wrong. Work that ends with a rig is cut off in the middle. The
 * signals that end a run of tests are not for workers.
 */
export const installQuietRuntime = (): void => {
  try {
    Runtime.install({
      logger: new DefaultLogger('ERROR'),
      shutdownSignals: [],
      telemetryOptions: {
        logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
      },
    });
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error; // a file before this one has installed it
  }
};
