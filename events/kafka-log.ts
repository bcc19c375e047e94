import { type logCreator, logLevel } from 'kafkajs';
import type { Logger } from 'pino';

/**
 * The lowest level that kafkajs reports. Below it, kafkajs repeats the results of its calls and advises against bounded
 * retries.
 */
export const kafkaLogLevel = logLevel.ERROR;

/**
 * Brings kafkajs's log lines into the service's log as warnings. kafkajs reports every failed attempt, and the error of
 * the whole call reaches the caller, who has to act.
 */
export const createKafkaLog =
  (logger: Logger): logCreator =>
  () =>
  ({ namespace, log: { message, timestamp: _timestamp, logger: _library, ...details } }) => {
    logger.warn({ kafka: { namespace, ...details } }, message);
  };
