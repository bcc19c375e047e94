/**
 * A port for a server that is killed and started again. Not one that the system gives to clients for their ends of
 * connections: while the server is away, a client might take it, or even be connected to itself.
 */
import { randomInt } from 'node:crypto';
import { freePortFrom } from '../../../cli/stack/ports';

/** Below the range of client ports on Linux (32768) and elsewhere (49152). */
const lowest = 12_000;
const highest = 32_000;

export const lastingPort = (): Promise<number> => freePortFrom(randomInt(lowest, highest));
