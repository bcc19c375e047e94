/** Opens the bus that the settings name. */
import type { Logger } from 'pino';
import type { EventBus } from './bus';
import type { Envelope } from './envelope';
import { type KafkaAccess, readBrokerAccess } from './kafka-access';
import { createKafkaBus } from './kafka-bus';
import { toOsloMessage } from './oslo-message';

export interface BusSettings extends KafkaAccess {
  /** Empty: no Kafka. The stream of GET /v1/events is the bus. */
  readonly kafkaBrokers: readonly string[];
  readonly kafkaTopic: string;
  readonly eventFormat: 'plain' | 'oslo';
  readonly serviceName: string;
}

const formats = {
  plain: (envelope: Envelope): string => JSON.stringify(envelope),
  oslo: toOsloMessage,
} as const satisfies Record<BusSettings['eventFormat'], (envelope: Envelope) => string>;

/** The bus where none is configured: consumers read the stream of GET /v1/events, so nothing has to be sent. */
export const noBus: EventBus = {
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};

export const openBus = (settings: BusSettings, logger: Logger): EventBus => {
  const { kafkaBrokers: brokers, kafkaTopic: topic, serviceName: clientId, eventFormat } = settings;
  if (brokers.length === 0) return noBus;
  const access = readBrokerAccess(settings);
  return createKafkaBus({ brokers, topic, clientId, format: formats[eventFormat], logger, access });
};
