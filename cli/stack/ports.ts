/** Ports of the local stack's servers: the usual port, or the next free one when it is taken. A file remembers it. */
import { randomInt } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { connect, createServer } from 'node:net';
import path from 'node:path';

const loopback = '127.0.0.1';
const attempts = 50;

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, loopback, () => server.close(() => resolve(true)));
  });

/** True when a process accepts connections on this port of the machine. */
export const isListening = (port: number, host = loopback): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, host);
    const settle = (answer: boolean): void => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('connect', () => settle(true));
    socket.once('error', () => settle(false));
  });

/** The wanted port, or the first free one after it. */
export const freePortFrom = async (wanted: number): Promise<number> => {
  for (let port = wanted; port < wanted + attempts; port++) {
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port from ${String(wanted)} to ${String(wanted + attempts - 1)}; stop what listens there`);
};

/** Ports below the range of client ports on Linux (32768) and elsewhere (49152). */
const servers = { lowest: 12_000, highest: 32_000 };

/**
 * A port that is free now, outside the range that the system gives to clients for their ends of connections. Otherwise
 * a client might take it before the server listens, or while the server restarts, and might even connect to itself.
 */
export const anyFreePort = (): Promise<number> => freePortFrom(randomInt(servers.lowest, servers.highest));

/** The file in which the stack on this data folder remembers the port of one of its servers. */
export const portFile = (dataDir: string, server: 'postgres' | 'temporal' | 'temporalUi'): string =>
  path.join(dataDir, 'ports', server);

/** The port that the file remembers, if there is one. */
export const readRememberedPort = async (file: string): Promise<number | undefined> => {
  const text = await readFile(file, 'utf8').catch(() => '');
  const port = Number.parseInt(text, 10);
  return port > 0 && port < 65_536 ? port : undefined;
};

/** The port that the file remembers from last time, or else the usual one; the next free one when it is taken. */
export const rememberedPort = async (file: string, usual: number): Promise<number> => {
  const port = await freePortFrom((await readRememberedPort(file)) ?? usual);
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, `${String(port)}\n`);
  return port;
};
