/** The present addresses of a host name. An argument of the callers, so that tests can give other answers. */
import { lookup } from 'node:dns/promises';
import { unlessTooLong } from '../../calls/time-limit';

export interface HostAddress {
  readonly address: string;
  readonly family: number;
}

/** @returns every address; rejects when there is none */
export type ResolveHost = (hostname: string) => Promise<readonly HostAddress[]>;

/** A name server that does not answer holds nobody for longer. */
const longestMs = 10_000;

/** Resolves names as the other programs of this machine do, including its hosts file. */
export const resolveHost: ResolveHost = (hostname) => {
  const tooLong = `the name ${hostname} was not resolved within ${String(longestMs / 1000)} s`;
  return unlessTooLong(lookup(hostname, { all: true }), { limitMs: longestMs, tooLong });
};
