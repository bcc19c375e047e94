/**
 * The bus on Kafka: one topic, keyed by session. kafkajs has no maintainer any more, so it stays behind this folder's
 * interface.
 *
 * Sends go one at a time, and a producer that failed once is not used again. kafkajs gives the next send the sequence
 * numbers of one that failed; had that one arrived after all, the brokers would take the next for its repeat and drop
 * it without a word.
 */
import type { BusMessage, EventBus } from './bus';
import type { Envelope } from './envelope';
import { connectKafkaProducer, type KafkaProducer, type KafkaSettings } from './kafka-producer';
import { withinLimit } from './time-limit';

/**
 * Connecting and sending together; two of these fit into what the publisher allows a send that had to wait its turn.
 */
const flightMs = 5_500;

interface Parcel {
  readonly messages: readonly BusMessage[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface KafkaBusSettings extends KafkaSettings {
  /** The text of an event's message. */
  readonly format: (envelope: Envelope) => string;
}

/** Connects with the first send, so the service starts while its bus is away. */
export const createKafkaBus = (settings: KafkaBusSettings): EventBus => new KafkaBus(settings);

class KafkaBus implements EventBus {
  readonly #settings: KafkaBusSettings;
  #waiting: Parcel[] = [];
  #sending: Promise<void> | undefined;
  #producer: Promise<KafkaProducer> | undefined;
  #closed = false;

  constructor(settings: KafkaBusSettings) {
    this.#settings = settings;
  }

  send(messages: readonly BusMessage[]): Promise<void> {
    if (this.#closed) return Promise.reject(new Error('the bus is closed: the service is stopping'));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ messages, resolve, reject });
      this.#sending ??= this.#sendAll();
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#sending;
    await this.#dropProducer();
  }

  async #sendAll(): Promise<void> {
    for (let parcel = this.#waiting.shift(); parcel !== undefined; parcel = this.#waiting.shift()) {
      await this.#sendOne(parcel);
    }
    this.#sending = undefined;
  }

  async #sendOne(parcel: Parcel): Promise<void> {
    try {
      await withinLimit(flightMs, `sending to Kafka topic ${this.#settings.topic}`, this.#deliver(parcel.messages));
      parcel.resolve();
    } catch (cause) {
      this.#fail([parcel, ...this.#waiting.splice(0)], cause);
    }
  }

  /** Those that wait fail with the one that was sent: in turn, each would wait for an absent bus as long as it did. */
  #fail(parcels: readonly Parcel[], cause: unknown): void {
    void this.#dropProducer();
    const { brokers, topic } = this.#settings;
    const error = new Error(`Kafka topic ${topic} on ${brokers.join(', ')} did not take the events: ${reason(cause)}`, {
      cause,
    });
    for (const { reject } of parcels) reject(error);
  }

  async #deliver(messages: readonly BusMessage[]): Promise<void> {
    this.#producer ??= connectKafkaProducer(this.#settings);
    const producer = await this.#producer;
    const { format } = this.#settings;
    await producer.send(messages.map(({ key, envelope }) => ({ key, value: format(envelope) })));
  }

  /** Never throws: whether the connection was ever there, or is still, does not matter any more. */
  async #dropProducer(): Promise<void> {
    const dropped = this.#producer;
    this.#producer = undefined;
    await dropped?.then((producer) => producer.disconnect()).catch(() => undefined);
  }
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));
