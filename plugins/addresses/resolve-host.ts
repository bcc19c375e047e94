/** The present addresses of a host name. An argument of the callers, so that tests can give other answers. */
import { lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** @returns every address; rejects when there is none */
export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** Resolves names as the other programs of this machine do, including its hosts file. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });
