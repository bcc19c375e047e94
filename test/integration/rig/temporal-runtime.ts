/** Temporal's runtime in a process of tests. All files of a worker of Jest share it. */
import { IllegalStateError } from '@temporalio/common';
import { DefaultLogger, makeTelemetryFilterString, Runtime, type RuntimeOptions } from '@temporalio/worker';

/**
 * The SDK's own log matters only when something is wrong. Work that ends with a rig is cut off in the middle. The
 * signals that end a run of tests are not for workers.
 */
export const installQuietRuntime = (): void =>
  installOnce({
    logger: new DefaultLogger('ERROR'),
    shutdownSignals: [],
    telemetryOptions: {
      logging: { filter: makeTelemetryFilterString({ core: 'ERROR', other: 'ERROR' }), forward: {} },
    },
  });

/** Installs the runtime, unless a file before this one has done so. */
export const installOnce = (options: RuntimeOptions): void => {
  try {
    Runtime.install(options);
  } catch (error) {
    if (!(error instanceof IllegalStateError)) throw error;
  }
};
