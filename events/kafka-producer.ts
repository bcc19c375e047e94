/** A connected kafkajs producer for one topic, which is created where it is missing. */
import type { Message } from 'kafkajs';
import type { Logger } from 'pino';
import type { BrokerAccess } from './kafka-access';
import { Kafka, Partitioners } from './kafka-client';
import { createKafkaLog, kafkaLogLevel } from './kafka-log';

export interface KafkaSettings {
  /** host:port of some of the brokers. */
  readonly brokers: readonly string[];
  readonly topic: string;
  /** How the brokers' logs call this client: the service's short name. */
  readonly clientId: string;
  readonly logger: Logger;
  readonly access?: BrokerAccess;
}

export interface KafkaProducer {
  /** Returns when all in-sync replicas have the messages. */
  send(messages: Message[]): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * A create request's metadata goes into events and may be as long as a body, 1 MiB; brokers take just that by default.
 */
const maxMessageBytes = 2 * 1024 * 1024;

/** The caller tries again, so a connection is tried twice only; a send rides out what a few seconds bring. */
const connectRetry = { initialRetryTime: 200, maxRetryTime: 500, retries: 1 };
const sendRetry = { initialRetryTime: 200, maxRetryTime: 2_000, retries: 4 };

export const connectKafkaProducer = async ({
  brokers,
  topic,
  clientId,
  logger,
  access,
}: KafkaSettings): Promise<KafkaProducer> => {
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    ...access,
    connectionTimeout: 2_000,
    requestTimeout: 4_000,
    retry: connectRetry,
    logLevel: kafkaLogLevel,
    logCreator: createKafkaLog(logger),
  });
  await createMissingTopic(kafka, topic);
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    // Named, because kafkajs warns where its default is left to it.
    createPartitioner: Partitioners.DefaultPartitioner,
    retry: sendRetry,
  });
  await producer.connect();
  return {
    send: async (messages) => {
      await producer.send({ topic, messages, acks: -1 });
    },
    disconnect: () => producer.disconnect(),
  };
};

/** Partitions and replicas are the brokers' own defaults; a topic that an operator has made stays as it is. */
const createMissingTopic = async (kafka: Kafka, topic: string): Promise<void> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    if ((await admin.listTopics()).includes(topic)) return;
    const configEntries = [{ name: 'max.message.bytes', value: String(maxMessageBytes) }];
    await admin.createTopics({ waitForLeaders: true, topics: [{ topic, configEntries }] });
  } finally {
    await admin.disconnect();
  }
};
