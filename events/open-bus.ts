/** The bus that the settings name. */
import type { Logger } from 'pino';
import type { EventBus } from './bus';
import { createKafkaBus } from './kafka-bus';
import { noBus } from './no-bus';

export interface BusSettings {
  /** Empty: no Kafka; the stream of GET /v1/events is the bus. */
  readonly kafkaBrokers: readonly string[];
  readonly kafkaTopic: string;
  readonly serviceName: string;
}

export const openBus = ({ kafkaBrokers, kafkaTopic, serviceName }: BusSettings, logger: Logger): EventBus =>
  kafkaBrokers.length === 0
    ? noBus
    : createKafkaBus({ brokers: kafkaBrokers, topic: kafkaTopic, clientId: serviceName, logger });
