/** The part of kafkajs 2.2.4 that events/kafka-client.ts changes. kafkajs publishes no types for it. */
declare module 'kafkajs/src/network/requestQueue' {
  class RequestQueue {
    readonly pending: readonly unknown[];
    /** Milliseconds since 1970; -1: not throttled. */
    readonly throttledUntil: number;
    scheduleCheckPendingRequests(): void;
  }
  export = RequestQueue;
}
