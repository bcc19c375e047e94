/** Writes the log of Temporal's SDK into the worker's own log. */
import { DefaultLogger, type RuntimeOptions, type TelemetryOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

const levels = { TRACE: 'trace', DEBUG: 'debug', INFO: 'info', WARN: 'warn', ERROR: 'error' } as const;

export const temporalLogger = (logger: Logger, level: 'INFO' | 'WARN'): DefaultLogger =>
  new DefaultLogger(level, ({ level: given, meta, message }) => {
    if (message !== ofActivitiesAlone) logger[levels[given]](meta ?? {}, message);
  });

/** The SDK warns of it. Two of the three task queues have no workflows. */
const ofActivitiesAlone = 'No workflows registered, not polling for workflow tasks';

/** Includes the SDK's native part, which would otherwise write its own lines to the console, with colours. */
export const temporalLogging = (
  logger: Logger,
): Required<Pick<RuntimeOptions, 'logger'>> & { readonly telemetryOptions: TelemetryOptions } => ({
  logger: temporalLogger(logger, 'INFO'),
  telemetryOptions: { logging: { forward: {} } },
});
