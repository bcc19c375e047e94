/** A PgBouncer in transaction mode, on loopback, before the PostgreSQL of the run. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { anyFreePort, isListening } from '../../../cli/stack/ports';
import { startProcess, waitUntilReady } from '../../../cli/stack/service-process';
import { fileFolder } from './file-folder';
import { findPgBouncer } from './pgbouncer-program';
import { testServices } from './services';

export interface Pooler {
  /** The address of this database by way of the pooler. */
  readonly urlOf: (databaseUrl: string) => string;
  readonly stop: () => Promise<void>;
}

/** Fewer connections of the server than a process opens: transactions take turns on each of them. */
const configuration = (server: URL, port: number): string => `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username}

[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${String(port)}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 4
max_client_conn = 200
`;

export const startPgBouncer = async (): Promise<Pooler> => {
  const { command, env } = await findPgBouncer();
  const port = await anyFreePort();
  const folder = fileFolder();
  const file = path.join(folder, 'pgbouncer.ini');
  writeFileSync(file, configuration(new URL(testServices().postgresUrl), port));
  const logFile = path.join(folder, 'pgbouncer.log');
  const asOther = process.getuid?.() === 0 ? ['-u', 'nobody'] : []; // it refuses to run as root
  const service = await startProcess({
    name: 'PgBouncer',
    command,
    args: [...asOther, file],
    env: { ...process.env, ...env },
    logFile,
    pidFile: path.join(folder, 'pgbouncer.pid'),
    mark: file,
    stopSignal: 'SIGTERM',
  });
  await waitUntilReady(service, { isReady: () => isListening(port), withinMs: 60_000, logFile });
  const urlOf = (databaseUrl: string): string => {
    const url = new URL(databaseUrl);
    url.host = `127.0.0.1:${String(port)}`;
    return url.href;
  };
  return { urlOf, stop: service.stop };
};
