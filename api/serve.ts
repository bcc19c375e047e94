/** Listens until it is told to stop, then lets requests under way end. */
import { createServer, type RequestListener, type Server } from 'node:http';

/** Requests take milliseconds; what is left after this is a client that does not read. */
const graceMs = 5_000;

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

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  /** Aborted when to stop; the event streams end by it as well. */
  readonly stopping: AbortSignal;
  readonly onListening: () => void;
}

/** @returns when everything has ended; rejects where the address cannot be listened on */
export const serve = async (listener: RequestListener, options: ServeOptions): Promise<void> => {
  const server = createServer(listener);
  await listen(server, options);
  options.onListening();
  await aborted(options.stopping);
  await closed(server);
};
