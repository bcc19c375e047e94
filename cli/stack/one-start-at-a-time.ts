/**
 * Servers of local stacks start one at a time on a machine. Two that start together would find the same port free, and
 * the one that gets it answers for both: the other stack would work on a database that is not its own.
 */
import { createServer, type Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { isFree } from './ports';

/** A server that wants a port which another program has taken since it was chosen. */
export class PortTaken extends Error {
  constructor(port: number) {
    super(`another program listens on port ${String(port)}: stop it, or let Parley choose another port`);
  }
}

/** Whoever listens here starts a server. The system ends that with the process, however the process ends. */
const gatePort = 11_999;
const pollMs = 50;
/** No start takes as long. Then another program has the gate, and a start goes on without it. Milliseconds. */
const longestWaitMs = 90_000;

const listenAtGate = (): Promise<Server | undefined> =>
  new Promise((resolve) => {
    const gate = createServer();
    gate.once('error', () => resolve(undefined));
    gate.listen(gatePort, '127.0.0.1', () => resolve(gate));
  });

const enterGate = async (): Promise<Server | undefined> => {
  const giveUpMs = Date.now() + longestWaitMs;
  while (Date.now() < giveUpMs) {
    const gate = await listenAtGate();
    if (gate !== undefined) return gate;
    await sleep(pollMs);
  }
  return undefined;
};

/** @param start sees whether its ports are free, starts the server, and resolves when that answers */
export const startOneAtATime = async <T>(start: () => Promise<T>): Promise<T> => {
  const gate = await enterGate();
  try {
    return await start();
  } finally {
    gate?.close();
  }
};

/**
 * @param ports on which the server will listen
 * @param start resolves when the server answers
 * @throws PortTaken when another program listens on one of the ports
 */
export const startOnFreePorts = <T>(ports: readonly number[], start: () => Promise<T>): Promise<T> =>
  startOneAtATime(async () => {
    for (const port of ports) if (!(await isFree(port))) throw new PortTaken(port);
    return await start();
  });
