import { type logCreator, logLevel } from 'kafkajs';
import type { Logger } from 'pino';

/**
 * What kafkajs is asked to report. Below that it repeats what its calls return, and advises against bounded retries.
 */
export const kafkaLogLevel = logLevel.ERROR;

/**
 * Brings kafkajs's log lines into the service's log. As warnings: it reports every attempt that failed, and the error
 * of the call as a whole reaches whoever has to act.
 */
export const createKafkaLog =
  (logger: Logger): logCreator =>
  () =>
  ({ namespace, log: { message, timestamp: _timestamp, logger: _library, ...details } }) => {
    logger.warn({ kafka: { namespace, ...details } }, message);
  };
