/** Reads a Kafka topic from its beginning, as a consumer would, and keeps what arrives in its order. */
import type { Envelope } from '../../../events/envelope';
import { Kafka, logLevel } from '../../../events/kafka-client';
import { eventually } from '../../waiting/eventually';

export interface TopicReader {
  readonly received: { readonly key: string; readonly envelope: Envelope }[];
  /** The header content-type of each message. */
  readonly contentTypes: (string | undefined)[];
  /** Returns when this number of different messages has arrived, and fails when they do not arrive. */
  waitFor(differentMessages: number): Promise<void>;
  close(): Promise<void>;
}

const parseEnvelope = (value: Buffer): Envelope => JSON.parse(value.toString()) as Envelope;

export const readTopic = async (brokers: readonly string[], topic: string): Promise<TopicReader> => {
  const kafka = new Kafka({ clientId: 'reader', brokers: [...brokers], logLevel: logLevel.NOTHING });
  const consumer = kafka.consumer({ groupId: `reader-${topic}` });
  const received: { key: string; envelope: Envelope }[] = [];
  const contentTypes: (string | undefined)[] = [];
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({
    eachMessage: ({ message }) => {
      received.push({ key: message.key!.toString(), envelope: parseEnvelope(message.value!) });
      contentTypes.push(message.headers?.['content-type']?.toString());
      return Promise.resolve();
    },
  });

  const waitFor = async (differentMessages: number): Promise<void> => {
    const different = () => new Set(received.map(({ envelope }) => envelope.message_id)).size;
    const explain = () => Promise.resolve(`${different()} have arrived`);
    await eventually({ what: `${differentMessages} messages have arrived`, pollMs: 20, explain }, () =>
      Promise.resolve(different() >= differentMessages || undefined),
    );
  };

  return { received, contentTypes, waitFor, close: () => consumer.disconnect() };
};
