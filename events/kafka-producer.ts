/** A connected kafkajs producer for one topic. It creates the topic when it does not exist. */
import type { Message } from 'kafkajs';
import type { Logger } from 'pino';
import type { BrokerAccess } from './kafka-access';
import { Kafka, Partitioners } from './kafka-client';
import { createKafkaLog, kafkaLogLevel } from './kafka-log';

/** Milliseconds. */
export interface KafkaLimits {
  /** Limit for connecting and sending together. */
  readonly flightMs: number;
  /** Limit for opening one connection to a broker. */
  readonly connectMs: number;
  /** Limit for a broker's answer to one request. */
  readonly answerMs: number;
}

/**
 * A send that waits for one other send must still fit into the publisher's limit, so connecting and sending have less
 * than half of it.
 */
export const usualKafkaLimits: KafkaLimits = { flightMs: 5_500, connectMs: 2_000, answerMs: 4_000 };

export interface KafkaSettings {
  /** host:port of one or more brokers. */
  readonly brokers: readonly string[];
  readonly topic: string;
  /** The client's name in the brokers' logs: the service's short name. */
  readonly clientId: string;
  readonly logger: Logger;
  readonly access?: BrokerAccess;
  /** Left out: limits that fit into the publisher's. */
  readonly limits?: KafkaLimits;
}

export interface KafkaProducer {
  /** Returns when all in-sync replicas have the messages. */
  send(messages: Message[]): Promise<void>;
  disconnect(): Promise<void>;
}

/**
 * Events carry the metadata of a create request, as long as PARLEY_METADATA_LIMIT allows. The brokers' default limit is
 * 1 MiB.
 */
const maxMessageBytes = 2 * 1024 * 1024;

/**
 * Connecting is tried only twice, because the caller tries again. Sending is retried for a few seconds, so that it
 * survives short failures.
 */
const connectRetry = { initialRetryTime: 200, maxRetryTime: 500, retries: 1 };
const sendRetry = { initialRetryTime: 200, maxRetryTime: 2_000, retries: 4 };

export const connectKafkaProducer = async ({
  brokers,
  topic,
  clientId,
  logger,
  access,
  limits: { flightMs, connectMs, answerMs } = usualKafkaLimits,
}: KafkaSettings): Promise<KafkaProducer> => {
  const kafka = new Kafka({
    clientId,
    brokers: [...brokers],
    ...access,
    connectionTimeout: connectMs,
    requestTimeout: answerMs,
    retry: connectRetry,
    logLevel: kafkaLogLevel,
    logCreator: createKafkaLog(logger),
  });
  await createMissingTopic(kafka, topic, flightMs);
  const producer = kafka.producer({
    idempotent: true,
    maxInFlightRequests: 1,
    allowAutoTopicCreation: false,
    // The partitioner is set explicitly, because kafkajs warns when it has to use its default.
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

/** Partitions and replicas are the brokers' own defaults. A topic that an operator made keeps its settings. */
const createMissingTopic = async (kafka: Kafka, topic: string, timeout: number): Promise<void> => {
  const admin = kafka.admin();
  await admin.connect();
  try {
    if ((await admin.listTopics()).includes(topic)) return;
    const configEntries = [{ name: 'max.message.bytes', value: String(maxMessageBytes) }];
    await admin.createTopics({ waitForLeaders: true, timeout, topics: [{ topic, configEntries }] });
  } finally {
    await admin.disconnect();
  }
};
