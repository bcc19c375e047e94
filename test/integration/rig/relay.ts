/** A relay before a server, which can be away: as one that is restarted on the same port, or whose network is lost. */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Relay {
  /** Without /v1. */
  readonly url: string;
  /** Cuts all connections, and takes none until `comeBack`. */
  readonly goAway: () => Promise<void>;
  /** @param target the server from now on; left out: the one of before */
  readonly comeBack: (target?: string) => Promise<void>;
  /** Relays nothing more on the connections that are there, and leaves them open. */
  readonly fallSilent: () => void;
  readonly close: () => Promise<void>;
}

export const startRelay = async (firstTarget: string): Promise<Relay> => {
  let target = new URL(firstTarget);
  const sockets = new Set<Socket>();
  const keep = (socket: Socket): Socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('close', () => sockets.delete(socket));
    return socket;
  };
  const server = createServer((caller) => {
    const relayed = keep(connect({ host: target.hostname, port: Number(target.port) }));
    keep(caller).pipe(relayed).pipe(caller);
  });
  const listen = async (at: number): Promise<void> => {
    server.listen(at, '127.0.0.1');
    await once(server, 'listening');
  };
  const goAway = async (): Promise<void> => {
    const closed = once(server, 'close');
    server.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const fallSilent = (): void => {
    for (const socket of sockets) socket.unpipe().pause();
  };
  await listen(0);
  const { port: own } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${own}`,
    goAway,
    comeBack: (next) => {
      if (next !== undefined) target = new URL(next);
      return listen(own);
    },
    fallSilent,
    close: async () => {
      if (server.listening) await goAway();
    },
  };
};
