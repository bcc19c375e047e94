/** Opens connections anew when the certificates change that they rest on. Requests under way end on the old ones. */
import { isDeepStrictEqual } from 'node:util';
import type { Dispatcher } from 'undici';
import { openDispatcher, type OutgoingWay } from './open-dispatcher';

export interface RenewedWays {
  /** The present connections, if they were opened for the same certificates; else new ones. */
  dispatcherFor(way: OutgoingWay): Dispatcher;
  close(): Promise<void>;
}

export const renewedWays = (): RenewedWays => {
  let present: { readonly way: OutgoingWay; readonly dispatcher: Dispatcher } | undefined;
  return {
    dispatcherFor(way) {
      if (present !== undefined && isDeepStrictEqual(present.way, way)) return present.dispatcher;
      void present?.dispatcher.close(); // it ends when its last call does
      present = { way, dispatcher: openDispatcher(way) };
      return present.dispatcher;
    },
    async close() {
      await present?.dispatcher.destroy();
      present = undefined;
    },
  };
};
