/**
 * Serves a process's metrics at /metrics, on an address of its own and without authentication, since scrapers have no
 * token of the cloud.
 */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { listenOn } from '../../startup/listen-on';
import type { ExportedMetrics } from './process-registry';

export interface MetricsAddress {
  readonly host: string;
  /** Undefined: nothing is served. */
  readonly port: number | undefined;
  /** The settings that name the address, for people. */
  readonly settings: string;
}

const answer = async (response: ServerResponse, metrics: ExportedMetrics): Promise<void> => {
  try {
    const text = await metrics.text();
    response.writeHead(200, { 'Content-Type': metrics.contentType, 'Cache-Control': 'no-store' }).end(text);
  } catch {
    response.writeHead(500).end();
  }
};

const createListener = (metrics: ExportedMetrics): Server =>
  createServer((request, response) => {
    const isMetrics = request.url?.split('?')[0] === '/metrics';
    if (!isMetrics) response.writeHead(404).end();
    else if (request.method !== 'GET' && request.method !== 'HEAD') {
      response.writeHead(405, { Allow: 'GET, HEAD' }).end();
    } else void answer(response, metrics);
  });

/**
 * @returns stops serving
 * @throws StartFault when the address cannot be listened on
 */
export const serveMetrics = async (
  metrics: ExportedMetrics,
  { host, port, settings }: MetricsAddress,
): Promise<() => Promise<void>> => {
  if (port === undefined) return () => Promise.resolve();
  const server = createListener(metrics);
  await listenOn(server, { host, port, settings });
  return async () => {
    const closed = once(server, 'close');
    server.close();
    server.closeAllConnections();
    await closed;
  };
};
