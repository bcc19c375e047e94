/** Receivers that never come to an answer: an attempt ends all the same. */
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import type { ReceiverAnswer } from '../../../../events/webhooks/next-attempt';
import { post } from '../../../../events/webhooks/post';
import { createReceiverPolicy } from '../../../../events/webhooks/receivers';
import { parseAllowedSource } from '../../../../plugins/addresses/allowed-source';
import { resolveHost } from '../../../../plugins/addresses/resolve-host';

const sendTo = async (
  behave: (socket: Socket) => void,
  { attemptMs = 60_000, signal = new AbortController().signal } = {},
): Promise<ReceiverAnswer> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    behave(socket);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const policy = createReceiverPolicy({ sources: [parseAllowedSource(url)!], networks: [] });
    const receivers = { policy, resolveHost, attemptMs, proxies: {}, proxyResolves: false };
    return await post(receivers, { url, headers: {}, body: '{}', signal });
  } finally {
    for (const socket of sockets) socket.destroy();
    server.close();
  }
};

const byteByByte = (socket: Socket): void => {
  const bytes = Array.from('HTTP/1.1 200 OK\r\nContent-Length: 0\r\nX-Slow: very, very, very, very slow\r\n\r\n');
  const timer = setInterval(() => {
    const next = bytes.shift();
    if (next === undefined || socket.destroyed) clearInterval(timer);
    else socket.write(next);
  }, 20);
};

it.each([
  { situation: 'hangs', behave: () => undefined, limits: { attemptMs: 300 }, because: /did not answer within 0.3 s/ },
  {
    situation: 'answers byte by byte',
    behave: byteByByte,
    limits: { attemptMs: 300 },
    because: /did not answer within 0.3 s/,
  },
  {
    situation: 'closes the connection',
    behave: (socket: Socket) => void socket.end(),
    because: /socket hang up|closed/,
  },
  {
    situation: 'speaks another protocol',
    behave: (socket: Socket) => void socket.end('220 smtp.example ESMTP\r\n'),
    because: /Parse Error|Expected HTTP/,
  },
])('a receiver that $situation has not taken the event', async ({ behave, because, limits = {} }) => {
  const answer = await sendTo(behave, limits);
  expect(answer).toMatchObject({ kind: 'none', because: expect.stringMatching(because) as unknown });
});

it('an attempt that is cut off by the end of the worker is nobody’s failure', async () => {
  const stop = new AbortController();
  await expect(sendTo(() => stop.abort(new Error('the worker stops')), { signal: stop.signal })).rejects.toThrow(
    'the worker stops',
  );
});
