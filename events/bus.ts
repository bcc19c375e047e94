/**
 * The message bus, as the publisher needs it. Implementations: kafka-bus.ts, and no-bus.ts where none is configured.
 */
import type { Envelope } from './envelope';

export interface BusMessage {
  /** Messages of the same key (the session's ID) arrive in the order in which they were sent. */
  readonly key: string;
  readonly envelope: Envelope;
}

export interface EventBus {
  /**
   * Returns when the bus has stored all of the messages. Where it throws, any first part of them may have arrived: the
   * caller sends them again, consumers know a repeat by its message_id.
   */
  send(messages: readonly BusMessage[]): Promise<void>;
  /** Ends what is under way and lets go of connections. */
  close(): Promise<void>;
}
