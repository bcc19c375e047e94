/** Says why a program cannot listen on an address of its settings. */
import { StartFault } from './start-fault';

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is taken; stop what listens there, or name another port',
  EACCES: 'this user may not listen there; name a port above 1023',
  EADDRNOTAVAIL: 'this machine does not have the address; name one of its own',
};

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';

export interface ListenedAddress {
  readonly host: string;
  readonly port: number;
  /** The settings that name the address, for people. */
  readonly settings: string;
}

/** @returns the fault in words, or the error itself where it has another cause */
export const addressFault = (error: unknown, { host, port, settings }: ListenedAddress): unknown => {
  const reason = reasons[codeOf(error)];
  if (reason === undefined) return error;
  return new StartFault(`cannot listen on ${host}:${String(port)} of ${settings}: ${reason}`, { cause: error });
};
