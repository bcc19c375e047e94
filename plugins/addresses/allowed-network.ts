/** A network that an operator allows the service to reach, such as 10.20.0.0/16. */
import { BlockList, isIP } from 'node:net';

export interface AllowedNetwork {
  readonly address: string;
  readonly prefix: number;
  readonly family: 'ipv4' | 'ipv6';
}

/** @returns undefined when the text is not a network */
export const parseAllowedNetwork = (text: string): AllowedNetwork | undefined => {
  const [, address = '', bits = ''] = /^([0-9a-f.:]+)\/(\d{1,3})$/i.exec(text) ?? [];
  const version = isIP(address);
  const prefix = Number(bits);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? 'ipv4' : 'ipv6' };
};

export const isInNetworks = (networks: readonly AllowedNetwork[]): ((address: string) => boolean) => {
  const list = new BlockList();
  for (const { address, prefix, family } of networks) list.addSubnet(address, prefix, family);
  return (address) => {
    const version = isIP(address);
    return version !== 0 && !address.includes('%') && list.check(address, version === 4 ? 'ipv4' : 'ipv6');
  };
};
