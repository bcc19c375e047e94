/**
 * Counts what a process asks of an API server: requests by the server's own audit log, bytes by a relay through which
 * its connections go. TLS goes through as it is.
 */
import { createReadStream, readFileSync, writeFileSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';

export interface Relay {
  /** The kubeconfig whose connections go through it. */
  readonly kubeconfig: string;
  /** Bytes from the API server until now. */
  readonly received: () => number;
  /** Breaks every connection. New ones go through. */
  readonly cut: () => void;
  /** Lets nothing more through on any connection, and breaks none. New ones go through. */
  readonly silence: () => void;
  readonly close: () => void;
}

export const openRelay = async (kubeconfig: string): Promise<Relay> => {
  const config = JSON.parse(readFileSync(kubeconfig, 'utf8')) as { clusters: { cluster: { server: string } }[] };
  const target = new URL(config.clusters[0]!.cluster.server);
  const sockets = new Set<Socket>();
  let received = 0;
  const server = createServer((client) => {
    const api = connect(Number(target.port), target.hostname);
    for (const socket of [client, api]) sockets.add(socket);
    api.on('data', (chunk: Buffer) => (received += chunk.length));
    client.pipe(api).pipe(client);
    const end = (): void => {
      for (const socket of [client, api]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, api]) socket.once('close', end).once('error', end);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  config.clusters[0]!.cluster.server = `https://127.0.0.1:${port}`;
  const file = path.join(path.dirname(kubeconfig), `relay-${port}.kubeconfig`);
  writeFileSync(file, JSON.stringify(config));
  return {
    kubeconfig: file,
    received: () => received,
    cut: () => sockets.forEach((socket) => socket.destroy()),
    silence: () => sockets.forEach((socket) => socket.unpipe().pause()),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

interface AuditEntry {
  readonly user: { readonly username: string };
  readonly stage: string;
  readonly objectRef?: { readonly subresource?: string };
  readonly responseStatus?: { readonly code?: number };
}

const countEntries = async (auditLog: string, isCounted: (entry: AuditEntry) => boolean): Promise<number> => {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(auditLog) })) {
    const entry = JSON.parse(line) as AuditEntry;
    if (entry.stage === 'ResponseComplete' && isCounted(entry)) count += 1;
  }
  return count;
};

/** The requests of a user in the audit log. A watch is one. */
export const requestsOf = (auditLog: string, user: string): Promise<number> =>
  countEntries(auditLog, (entry) => entry.user.username === user);

/** The evictions in the audit log that the API server has accepted, whoever asked for them. */
export const evictionsIn = (auditLog: string): Promise<number> =>
  countEntries(auditLog, (entry) => entry.objectRef?.subresource === 'eviction' && entry.responseStatus?.code === 201);
