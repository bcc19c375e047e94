/** A Temporal that takes connections and never answers. */
import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { Client, Connection } from '@temporalio/client';
import { pino } from 'pino';
import type { Database } from '../../../prisma/database';
import { createWorkflowCalls } from '../../../temporal/call-workflows';

let server: Server;
let connection: Connection;
const sockets: Socket[] = [];

beforeAll(async () => {
  server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  connection = Connection.lazy({ address: `127.0.0.1:${String(port)}` });
});
afterAll(async () => {
  await connection.close();
  for (const socket of sockets) socket.destroy();
  server.close();
});

const row = { state: 'MAINTENANCE_FAILED', continueState: 'MAINTENANCE', continueRequestId: 'request' };
const entry = { runId: 'run', eventId: 3, isSetUp: false };
// The facts that starting and resuming read.
const db = {
  session: { findUnique: () => Promise.resolve(row) },
  entryPoint: { findUnique: () => Promise.resolve(entry) },
} as unknown as Database;

it.each(['start', 'continueFailed', 'startCleanup'] as const)('%s gives up in time', async (what) => {
  const logger = pino({ level: 'silent' });
  const workflowCalls = createWorkflowCalls({ client: new Client({ connection }), db, logger, actWithinMs: 200 });
  await expect(workflowCalls[what]('session')).rejects.toThrow();
});
