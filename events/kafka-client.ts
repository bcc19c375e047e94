/**
 * kafkajs without a timer that it does not need. Its last version, 2.2.4, looks every millisecond, on each connection,
 * for requests that wait. Where none does, it sets the timer to a time that is past, of which Node.js 24 warns. Whoever
 * puts a request among those that wait sets the timer as well, so nothing is missed.
 */
import RequestQueue from 'kafkajs/src/network/requestQueue';

const queue = RequestQueue.prototype;
const schedule = Reflect.get(queue, 'scheduleCheckPendingRequests');

queue.scheduleCheckPendingRequests = function (this: RequestQueue): void {
  if (this.pending.length > 0 || this.throttledUntil > Date.now()) Reflect.apply(schedule, this, []);
};

export { Kafka, logLevel, Partitioners } from 'kafkajs';
