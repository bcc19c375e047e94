/** Names and addresses by which a machine only reaches itself. */
import { isIPv4 } from 'node:net';

export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || (isIPv4(host) && host.startsWith('127.'));
