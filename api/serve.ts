/** Listens until it is told to stop, then lets requests under way end. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request that a client is just sending on a connection of before comes within this. */
const lastRequestsMs = 500;
/** Clouds and Keystone are waited for no longer; what is left after this is a client that does not read. */
const graceMs = 15_000;

const listen = (server: Server, { host, port }: { readonly host: string; readonly port: number }): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });

const closed = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.close(() => resolve());
    setTimeout(() => server.closeAllConnections(), graceMs).unref();
  });

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });

const sayThatItIsTheLast = (response: ServerResponse): void => {
  if (!response.headersSent) response.setHeader('Connection', 'close');
};

/** From the stop on, every answer is the last one on its connection. */
const endConnectionsFrom = (stopping: AbortSignal, server: Server): void => {
  const underWay = new Set<ServerResponse>();
  server.prependListener('request', (_request, response) => {
    underWay.add(response);
    if (stopping.aborted) sayThatItIsTheLast(response);
    response.once('close', () => {
      underWay.delete(response);
      // its headers may have been sent before the stop
      if (!server.listening) server.closeIdleConnections();
    });
  });
  stopping.addEventListener('abort', () => underWay.forEach(sayThatItIsTheLast), { once: true });
};

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** How long a connection is kept for its next request. */
  readonly keepAliveSeconds: number;
  /** Aborted when to stop; the event streams end by it as well. */
  readonly stopping: AbortSignal;
  readonly onListening: () => void;
}

/** @returns when everything has ended; rejects where the address cannot be listened on */
export const serve = async (listener: RequestListener, options: ServeOptions): Promise<void> => {
  const server = createServer({ keepAliveTimeout: options.keepAliveSeconds * 1000 }, listener);
  endConnectionsFrom(options.stopping, server);
  await listen(server, options);
  options.onListening();
  await aborted(options.stopping);
  await sleep(lastRequestsMs);
  await closed(server);
};
