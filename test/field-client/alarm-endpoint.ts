/**
 * The endpoint at which a client receives its alarms. It answers when its handler has returned, with an error when the
 * handler failed.
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Alarm } from './alarm';

export interface AlarmEndpoint {
  readonly url: string;
  /** The handler's error. */
  readonly failures: readonly string[];
  close(): Promise<void>;
}

const readAlarm = async (req: IncomingMessage): Promise<Alarm> => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString()) as Alarm;
};

const close = async (server: Server): Promise<void> => {
  server.close();
  server.closeAllConnections();
  await once(server, 'close');
};

export const listenForAlarms = async (handle: (alarm: Alarm) => Promise<void>): Promise<AlarmEndpoint> => {
  const failures: string[] = [];
  const server = createServer((req, res) => {
    readAlarm(req)
      .then(handle)
      .then(
        () => res.writeHead(200).end(),
        (error: unknown) => {
          failures.push(String(error));
          res.writeHead(500).end();
        },
      );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/maintenance`;
  return { url, failures, close: () => close(server) };
};
