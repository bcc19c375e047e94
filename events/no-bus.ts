/** Where no message bus is configured, the stream of GET /v1/events is the bus: nothing else needs to take an event. */
import type { EventBus } from './bus';

export const noBus: EventBus = {
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
