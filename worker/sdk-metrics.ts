/**
 * The metrics of Temporal's SDK. Its native part can only serve them itself, so it does on a port of this machine that
 * is free, and the worker passes them on with its own.
 */
import { once } from 'node:events';
import { createServer } from 'node:net';
import type { TelemetryOptions } from '@temporalio/worker';
import type { Logger } from 'pino';

const loopback = '127.0.0.1';
/** Prometheus gives up after ten seconds, if nobody says otherwise. */
const limitMs = 3_000;

export interface SdkMetrics {
  readonly telemetry: Pick<TelemetryOptions, 'metrics'>;
  /** Reads them in the text form of Prometheus; empty when they cannot be read. */
  readonly read: () => Promise<string>;
}

const findFreePort = async (): Promise<number> => {
  const server = createServer().listen(0, loopback);
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (typeof address !== 'object' || address === null) throw new Error('no port of this machine is free');
  return address.port;
};

export const openSdkMetrics = async (logger: Logger): Promise<SdkMetrics> => {
  const bindAddress = `${loopback}:${await findFreePort()}`;
  // Names and units as Prometheus wants them, and as published alerts on the SDK expect them.
  const names = { countersTotalSuffix: true, unitSuffix: true, useSecondsForDurations: true };
  return {
    telemetry: { metrics: { prometheus: { bindAddress, ...names } } },
    async read() {
      try {
        const response = await fetch(`http://${bindAddress}/metrics`, { signal: AbortSignal.timeout(limitMs) });
        return await response.text();
      } catch (error) {
        logger.warn({ err: error }, "the metrics of Temporal's SDK could not be read");
        return '';
      }
    },
  };
};
