/** Listens on an address of the settings, in plain words where it cannot. */
import { once } from 'node:events';
import type { Server } from 'node:net';
import { addressFault, type ListenedAddress } from './address-fault';

/** Every address of this machine, IPv4 and IPv6. */
const allAddresses = '::';
const allOfIpv4 = '0.0.0.0';

/** What a machine without IPv6 says to an address of IPv6. */
const withoutIpv6 = ['EAFNOSUPPORT', 'EADDRNOTAVAIL'];

/**
 * `::` stands for every address, so a machine without IPv6 listens on IPv4 alone.
 * @throws StartFault that names the settings and says why the server cannot listen there
 */
export const listenOn = async (server: Server, address: ListenedAddress): Promise<void> => {
  const { host, port } = address;
  try {
    await listening(server, host, port).catch((error: unknown) => {
      if (host !== allAddresses || !isWithoutIpv6(error)) throw error;
      return listening(server, allOfIpv4, port);
    });
  } catch (error) {
    throw addressFault(error, address);
  }
};

const listening = async (server: Server, host: string, port: number): Promise<void> => {
  server.listen(port, host);
  await once(server, 'listening');
};

const isWithoutIpv6 = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && withoutIpv6.some((code) => code === error.code);
