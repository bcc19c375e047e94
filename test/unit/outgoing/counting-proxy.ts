/**
 * A proxy on loopback that counts. It opens tunnels (CONNECT) and passes requests on in the open, and knows every name
 * as this machine.
 */
import { once } from 'node:events';
import http, { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';

export interface CountingProxy {
  readonly url: string;
  /** What it was asked for: `CONNECT vnfm.test:443` and `GET http://vnfm.test/`. */
  readonly asked: string[];
  /** What it answers in place of passing a request on. */
  answer: number | 'silence' | undefined;
  /** The login of the last request. */
  login: string | undefined;
  stop(): Promise<void>;
}

/** @param tls the certificate that it shows; left out: it speaks without TLS */
export const startProxy = async (tls?: { readonly cert: Buffer; readonly key: Buffer }): Promise<CountingProxy> => {
  const sockets = new Set<Socket>();
  const note = ({ method = '', url = '', headers }: IncomingMessage): void => {
    proxy.asked.push(`${method} ${url}`);
    proxy.login = headers['proxy-authorization'];
  };
  const passOn = (asked: IncomingMessage, reply: ServerResponse): void => {
    note(asked);
    if (proxy.answer === 'silence') return;
    if (proxy.answer !== undefined) return void reply.writeHead(proxy.answer).end();
    const { port, pathname, search } = new URL(asked.url ?? '');
    const options = { host: '127.0.0.1', port, path: `${pathname}${search}`, method: asked.method ?? 'GET' };
    const onward = http.request({ ...options, headers: asked.headers }, (answer) => {
      reply.writeHead(answer.statusCode ?? 0, answer.headers);
      answer.pipe(reply);
    });
    asked.pipe(onward);
  };
  const openTunnel = (asked: IncomingMessage, socket: Socket): void => {
    note(asked);
    socket.on('error', () => undefined);
    if (proxy.answer === 'silence') return;
    if (proxy.answer !== undefined) return void socket.end(`HTTP/1.1 ${proxy.answer} No\r\n\r\n`);
    const onward = connect(Number(asked.url?.split(':').at(-1)), '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    onward.on('error', () => socket.destroy());
  };
  const server = tls === undefined ? createServer(passOn) : createSecureServer(tls, passOn);
  server.on('connect', openTunnel);
  server.on('connection', (socket: Socket) => void sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy: CountingProxy = {
    url: `${tls === undefined ? 'http' : 'https'}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked: [],
    answer: undefined,
    login: undefined,
    async stop() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return proxy;
};
