/**
 * A Temporal with an authorizer: passes all calls to a real server, and refuses those that change the namespace, as
 * Temporal Cloud does to programs.
 */
import { once } from 'node:events';
import {
  connect,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2';
import type { AddressInfo } from 'node:net';

const forbidden = /^\/temporal\.api\.operatorservice|\/(UpdateNamespace|RegisterNamespace)$/;
const permissionDenied = '7';

export interface AuthorizingTemporal {
  readonly address: string;
  /** The calls that were refused. */
  readonly refused: readonly string[];
  readonly stop: () => void;
}

const refuse = (stream: ServerHttp2Stream): void => {
  const status = { 'grpc-status': permissionDenied, 'grpc-message': 'Request unauthorized.' };
  stream.respond({ ':status': 200, 'content-type': 'application/grpc', ...status }, { endStream: true });
};

export const startAuthorizingTemporal = async (temporalAddress: string): Promise<AuthorizingTemporal> => {
  const server = connect(`http://${temporalAddress}`);
  server.on('error', () => undefined);
  const refused: string[] = [];
  const proxy = createServer();
  const sessions = new Set<ServerHttp2Session>();
  proxy.on('session', (session) => sessions.add(session));
  proxy.on('stream', (stream, headers) => {
    stream.on('error', () => undefined);
    const path = headers[':path'] ?? '';
    if (forbidden.test(path)) {
      refused.push(path);
      refuse(stream);
      return;
    }
    const passed = server.request({ ...headers, ':authority': temporalAddress }, { endStream: false });
    passed.on('error', () => stream.close());
    passed.on('response', (answer) => {
      const isOver = answer['grpc-status'] !== undefined; // a refusal has no body
      stream.respond(answer, isOver ? { endStream: true } : { waitForTrailers: true });
      if (!isOver) passed.pipe(stream);
    });
    let trailers: IncomingHttpHeaders = {};
    passed.on('trailers', (given: IncomingHttpHeaders) => (trailers = given));
    stream.on('wantTrailers', () => stream.sendTrailers(trailers));
    stream.pipe(passed);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    address: `127.0.0.1:${String((proxy.address() as AddressInfo).port)}`,
    refused,
    stop: () => {
      proxy.close();
      for (const session of sessions) session.destroy();
      server.destroy();
    },
  };
};
