/**
 * The message bus, as the publisher needs it. kafka-bus.ts implements it for Kafka; open-bus.ts chooses it, or `noBus`
 * for a service without a bus.
 */
import type { Envelope } from './envelope';

export interface BusMessage {
  /** Messages of the same key (the session's ID) arrive in the order in which they were sent. */
  readonly key: string;
  /** The number of the event in its session. */
  readonly seq: number;
  readonly envelope: Envelope;
}

/** The bus takes these messages neither now nor later: together, or the only one, they are too large for it. */
export class TooLargeForBus extends Error {}

export interface EventBus {
  /**
   * Returns when the bus has stored all messages. When it throws, the bus may have stored some of the first messages:
   * the caller sends all of them again, and consumers recognise a repeat by its message_id.
   * @throws TooLargeForBus: the caller sends fewer at once; a single message will never be taken
   */
  send(messages: readonly BusMessage[]): Promise<void>;
  /** Ends the sends in flight and closes the connections. */
  close(): Promise<void>;
}
