/** Listens until it is told to stop, then lets running requests end. */
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { listenOn } from '../../startup/listen-on';

/** A request that a client is just sending on an older connection arrives within this time. */
const lastRequestsMs = 500;
/** The longest wait for clouds and Keystone. A request that is left after it belongs to a client that does not read. */
const usualGraceMs = 15_000;

const closed = (server: Server, graceMs: number): Promise<void> =>
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

/** Makes every answer after the stop the last one on its connection. */
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
  /** The time for which a connection is kept for its next request. */
  readonly keepAliveSeconds: number;
  /** The time after which connections whose requests have not ended are closed all the same. Left out: 15 s. */
  readonly graceMs?: number;
  /** Aborted to stop. The event streams end by it as well. */
  readonly stopping: AbortSignal;
  readonly onListening: () => void;
}

/** @returns when everything has ended; rejects with a StartFault when the server cannot listen on the address */
export const serve = async (listener: RequestListener, options: ServeOptions): Promise<void> => {
  const server = createServer({ keepAliveTimeout: options.keepAliveSeconds * 1000 }, listener);
  endConnectionsFrom(options.stopping, server);
  const { host, port } = options;
  await listenOn(server, { host, port, settings: 'PARLEY_HOST and PARLEY_PORT' });
  options.onListening();
  await aborted(options.stopping);
  await sleep(lastRequestsMs);
  // A process that stood still meanwhile reads what has arrived before it closes idle connections.
  await nextTurn();
  await closed(server, options.graceMs ?? usualGraceMs);
};
