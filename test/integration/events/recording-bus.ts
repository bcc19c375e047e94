/** A bus in memory. It keeps what it was sent, and can be told what happens around a send. */
import type { BusMessage, EventBus } from '../../../events/bus';

export interface RecordingBus extends EventBus {
  readonly messages: BusMessage[];
  /** Runs before the messages have arrived; throwing here means they never did. */
  before: () => Promise<void>;
  /** Runs once they have arrived; throwing here means that the sender does not learn of it. */
  after: () => Promise<void>;
}

export const createRecordingBus = (): RecordingBus => {
  const bus: RecordingBus = {
    messages: [],
    before: () => Promise.resolve(),
    after: () => Promise.resolve(),
    send: async (messages) => {
      await bus.before();
      bus.messages.push(...messages);
      await bus.after();
    },
    close: () => Promise.resolve(),
  };
  return bus;
};

export const messageIdsOf = (messages: readonly Pick<BusMessage, 'envelope'>[]): string[] =>
  messages.map(({ envelope }) => envelope.message_id);

/** The messages as a consumer sees them that recognises repeats by their message_id. */
export const withoutRepeats = (messageIds: readonly string[]): string[] => [...new Set(messageIds)];
