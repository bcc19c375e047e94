/** Counts what becomes of the events that a bus is given. */
import type { EventBus } from '../events/bus';
import type { Measures } from '../metrics/measures';

/** @param sink the name of the bus in the metrics */
export const measuredBus = (bus: EventBus, sink: string, measures: Measures): EventBus => ({
  async send(messages) {
    try {
      await bus.send(messages);
    } catch (error) {
      measures.delivered(sink, 'failed', messages.length);
      throw error;
    }
    measures.delivered(sink, 'ok', messages.length);
  },
  close: () => bus.close(),
});
