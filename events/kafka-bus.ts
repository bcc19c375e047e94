/**
 * The bus on Kafka: one topic, keyed by session. kafkajs is no longer maintained, so only this folder knows it.
 *
 * Messages are sent one batch at a time, and a producer that failed once is not used again. kafkajs gives the next send
 * the sequence numbers of the send that failed. If the failed send had arrived after all, the brokers would take the
 * next send for its repeat and drop it silently.
 */
import { withinLimit } from '../calls/time-limit';
import { type BusMessage, type EventBus, TooLargeForBus } from './bus';
import type { EventForm } from './event-form';
import { KafkaJSProtocolError } from './kafka-client';
import { connectKafkaProducer, type KafkaProducer, type KafkaSettings, usualKafkaLimits } from './kafka-producer';

interface Parcel {
  readonly messages: readonly BusMessage[];
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

export interface KafkaBusSettings extends KafkaSettings {
  readonly form: EventForm;
}

/** Connects with the first send, so the service starts even when its bus is down. */
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
    const { topic, limits = usualKafkaLimits } = this.#settings;
    try {
      await withinLimit(limits.flightMs, `sending to Kafka topic ${topic}`, this.#deliver(parcel.messages));
      parcel.resolve();
    } catch (cause) {
      if (isTooLarge(cause)) this.#refuse(parcel, cause);
      else this.#fail([parcel, ...this.#waiting.splice(0)], cause);
    }
  }

  /** The brokers are there, so the sends that wait come next. */
  #refuse({ messages, reject }: Parcel, cause: unknown): void {
    void this.#dropProducer();
    reject(new TooLargeForBus(`${this.#name()} refuses ${messages.length} events: ${reason(cause)}`, { cause }));
  }

  /**
   * The waiting sends fail together with the one that failed: in turn, each would wait just as long for a bus that is
   * down.
   */
  #fail(parcels: readonly Parcel[], cause: unknown): void {
    void this.#dropProducer();
    const error = new Error(`${this.#name()} did not take the events: ${reason(cause)}`, { cause });
    for (const { reject } of parcels) reject(error);
  }

  #name(): string {
    const { brokers, topic } = this.#settings;
    return `Kafka topic ${topic} on ${brokers.join(', ')}`;
  }

  async #deliver(messages: readonly BusMessage[]): Promise<void> {
    this.#producer ??= connectKafkaProducer(this.#settings);
    const producer = await this.#producer;
    const { form } = this.#settings;
    await producer.send(
      messages.map((message) => {
        const { value, headers = {} } = form(message);
        return { key: message.key, value, headers };
      }),
    );
  }

  /** Never throws: the state of the connection no longer matters. */
  async #dropProducer(): Promise<void> {
    const dropped = this.#producer;
    this.#producer = undefined;
    await dropped?.then((producer) => producer.disconnect()).catch(() => undefined);
  }
}

const reason = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause));

/** The topic, or the broker, has a limit for a message, and one for the messages of a send. */
const isTooLarge = (cause: unknown): boolean =>
  cause instanceof KafkaJSProtocolError && ['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE'].includes(cause.type);
