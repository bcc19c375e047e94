/** A server of packages on a port of its own, which counts what it is asked for. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface PackageServer {
  readonly port: number;
  /** `http://<host>:<port>`, without a slash. */
  readonly url: string;
  /** Paths of all requests so far. */
  readonly requests: readonly string[];
  /** The answer at a path: a body, or a function that writes any other answer. */
  serve(path: string, answer: Buffer | string | RequestListener): void;
  stop(): Promise<void>;
}

export interface PackageServerOptions {
  readonly port?: number;
  readonly host?: string;
}

export const startPackageServer = async (options: PackageServerOptions = {}): Promise<PackageServer> => {
  const { port = 0, host = '127.0.0.1' } = options;
  const answers = new Map<string, Buffer | string | RequestListener>();
  const requests: string[] = [];
  const server = createServer((request, response) => {
    const path = request.url ?? '';
    requests.push(path);
    const answer = answers.get(path);
    if (typeof answer === 'function') answer(request, response);
    else if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-length': Buffer.byteLength(answer) }).end(answer);
  });
  server.listen(port, host);
  await once(server, 'listening');
  const at = (server.address() as AddressInfo).port;
  return {
    port: at,
    url: `http://${host}:${at}`,
    requests,
    serve: (path, answer) => void answers.set(path, answer),
    async stop() {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
};
