/** A client of the event stream that never reads. */
import { once } from 'node:events';
import http from 'node:http';
import net, { type AddressInfo } from 'node:net';
import express from 'express';
import { pino } from 'pino';
import { seldomWarning, type SentEvent, sharedEnd, streamEvents } from '../../../api/routes/event-stream';

const anEvent = (position: bigint): SentEvent => ({
  position,
  envelope: { event_type: 'e', timestamp: '', payload: { text: 'x'.repeat(1_000_000) } },
});

/** There is always more to read, so that the connection fills up. */
const endless = () => {
  let reads = 0;
  return {
    reads: () => reads,
    read: ({ afterPosition }: { readonly afterPosition: bigint }) => {
      reads += 1;
      return Promise.resolve(Array.from({ length: 100 }, (_, index) => anEvent(afterPosition + BigInt(index + 1))));
    },
    newestPosition: () => Promise.resolve(1_000_000n),
    newestOfProjects: () => Promise.resolve(new Map()),
  };
};

it('is disconnected after a while, and nothing more is read for it', async () => {
  const events = endless();
  const logger = pino({ level: 'silent' });
  const stopping = new AbortController().signal;
  let streamed: Promise<void> | undefined;
  const app = express().get('/', (_req, res) => {
    const shared = { lookAtEnd: sharedEnd(events), warn: seldomWarning(logger) };
    const deps = { events, logger, stopping, ...shared, longestUnreadMs: 300 };
    streamed = streamEvents(res, deps, { afterPosition: 0n, projectId: null });
  });
  const server = http.createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const client = net.connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined).pause();
  client.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  const [request] = (await once(server, 'request')) as [http.IncomingMessage];
  await once(request.socket, 'close');
  await streamed;
  const readsAtEnd = events.reads();
  expect(readsAtEnd).toBeLessThan(10);
  client.destroy();
  server.close();
  await once(server, 'close');
  expect(events.reads()).toBe(readsAtEnd);
});
