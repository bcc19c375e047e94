/** Opens the bus that the settings name. */
import type { Logger } from 'pino';
import type { EventBus } from './bus';
import type { CloudEventNames } from './cloud-event';
import { eventFormOf } from './event-form';
import { type KafkaAccess, readBrokerAccess } from './kafka-access';
import { createKafkaBus } from './kafka-bus';

export interface BusSettings extends KafkaAccess, CloudEventNames {
  /** Empty: no Kafka. The stream of GET /v1/events is the bus. */
  readonly kafkaBrokers: readonly string[];
  readonly kafkaTopic: string;
  readonly eventFormat: 'plain' | 'oslo' | 'cloudevents';
  readonly serviceName: string;
}

/** The bus where none is configured: consumers read the stream of GET /v1/events, so nothing has to be sent. */
export const noBus: EventBus = {
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export const openBus = (settings: BusSettings, logger: Logger): EventBus => {
  const { kafkaBrokers: brokers, kafkaTopic: topic, serviceName: clientId, eventFormat } = settings;
  if (brokers.length === 0) return noBus;
  const access = readBrokerAccess(settings);
  return createKafkaBus({ brokers, topic, clientId, form: eventFormOf(eventFormat, settings), logger, access });
};
