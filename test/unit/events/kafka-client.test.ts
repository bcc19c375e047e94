/** The times at which kafkajs sets a timer to look for waiting requests. */
import '../../../events/kafka-client';
import RequestQueue from 'kafkajs/src/network/requestQueue';

const quiet = { debug: () => undefined, warn: () => undefined };
const options = { maxInFlightRequests: 1, requestTimeout: 1_000, enforceRequestTimeout: false, logger: quiet };

/** The constructor takes the arguments of the whole class; no other part of it matters here. */
const aQueue = (): RequestQueue => Reflect.construct(RequestQueue, [options]) as RequestQueue;

const push = (queue: RequestQueue, correlationId: number): void => {
  const sent = { entry: { correlationId }, expectResponse: true, sendRequest: () => undefined };
  (Reflect.get(queue, 'push') as (request: object) => void).call(queue, sent);
};

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

it('sets none while no request waits', () => {
  aQueue().scheduleCheckPendingRequests();
  expect(jest.getTimerCount()).toBe(0);
});

it('sets one while the brokers ask for a pause', () => {
  const queue = aQueue();
  Object.assign(queue, { throttledUntil: Date.now() + 500 });
  queue.scheduleCheckPendingRequests();
  expect(jest.getTimerCount()).toBe(1);
  jest.advanceTimersByTime(600);
  expect(jest.getTimerCount()).toBe(0);
});

it('sets one while a request waits for the one before it', () => {
  const queue = aQueue();
  push(queue, 1);
  expect(jest.getTimerCount()).toBe(0);
  push(queue, 2);
  expect(queue.pending).toHaveLength(1);
  expect(jest.getTimerCount()).toBe(1);
});
