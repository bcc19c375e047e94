/**
 * Keeps kafkajs from setting a timer that it does not need. Version 2.2.4, its last, checks each connection every
 * millisecond for waiting requests. When there are none, it sets the timer to a time in the past, and Node.js 24 warns
 * about that. The code that adds a waiting request sets the timer as well, so no request is missed.
 */
import RequestQueue from 'kafkajs/src/network/requestQueue';

const queue = RequestQueue.prototype;
const schedule = Reflect.get(queue, 'scheduleCheckPendingRequests');

queue.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) Reflect.apply(schedule, this, []);
};

export { Kafka, KafkaJSProtocolError, logLevel, Partitioners } from 'kafkajs';
