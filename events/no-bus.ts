/**
 * The bus of a service without a message bus: consumers read the stream of GET /v1/events, so nothing has to be sent.
 */
import type { EventBus } from './bus';

export const noBus: EventBus = {
  send: () => Promise.resolve(),
  close: () => Promise.resolve(),
};
