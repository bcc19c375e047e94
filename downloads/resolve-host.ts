/** What a host's name stands for just now; a seam, so that tests can lie. */
import { lookup } from 'node:dns/promises';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** @returns every address; rejects where there is none */
export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** As the rest of the machine does, its hosts file included. */
export const resolveHost: ResolveHost = (hostname) => lookup(hostname, { all: true });
