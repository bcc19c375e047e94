/** Counts what becomes of the events that a bus is given. */
import { type EventBus, TooLargeForBus } from '../events/bus';
import type { Measures } from '../telemetry/metrics/measures';

/** @param sink the name of the bus in the metrics */
export const measuredBus = (bus: EventBus, sink: string, measures: Measures): EventBus => ({
  async send(messages) {
    try {
      await bus.send(messages);
    } catch (error) {
      if (!(error instanceof TooLargeForBus)) measures.delivered(sink, 'failed', messages.length);
      // Several are sent again in smaller parts, and counted then.
      else if (messages.length === 1) measures.delivered(sink, 'too_large', 1);
      throw error;
    }
    measures.delivered(sink, 'ok', messages.length);
  },
  close: () => bus.close(),
});
