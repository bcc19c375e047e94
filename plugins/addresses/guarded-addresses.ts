/**
 * Addresses that no request may reach unless an allow-list names them: this machine, its link, the metadata services of
 * clouds, and addresses that belong to no machine. Private networks are a list of their own: packages usually come from
 * there, but a name that others control must not lead a webhook into them.
 */
import { BlockList, isIP } from 'node:net';

/** Networks: address and length of the prefix. */
type Networks = readonly (readonly [string, number])[];

const guardedIpv4: Networks = [
  ['0.0.0.0', 8], // this machine
  ['127.0.0.0', 8], // loopback
  ['169.254.0.0', 16], // link-local, and most clouds' metadata
  ['100.100.100.200', 32], // metadata
  ['168.63.129.16', 32], // metadata
  ['192.0.0.192', 32], // metadata
  ['224.0.0.0', 4], // multicast
  ['240.0.0.0', 4], // reserved, broadcast
];

const guardedIpv6: Networks = [
  ['::', 128], // unspecified
  ['::1', 128], // loopback
  ['fe80::', 10], // link-local
  ['fec0::', 10], // site-local, deprecated
  ['ff00::', 8], // multicast
  ['fd00:ec2::254', 128], // metadata
  ['fd20:ce::254', 128], // metadata
  ['2001::', 32], // Teredo: an encoded IPv4 address
  ['64:ff9b:1::', 48], // NAT64 with a local prefix, in which the position of the IPv4 address varies
];

const privateIpv4: Networks = [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10], // between a provider and its customers
  ['192.0.0.0', 24], // protocol assignments
  ['198.18.0.0', 15], // measurements between networks
];

const privateIpv6: Networks = [['fc00::', 7]];

/** Prefixes, of 96 bits, before an IPv4 address: IPv4-mapped, IPv4-compatible, IPv4-translated, NAT64. */
const ipv4InIpv6 = ['::ffff:', '::', '::ffff:0:', '64:ff9b::'] as const;
const ipv4InIpv6Bits = 96;
/** A 6to4 address has the IPv4 address after its first 16 bits. */
const sixToFourBits = 16;

const sixToFour = (ipv4: string): string => {
  const bytes = ipv4.split('.').map((part) => Number(part).toString(16).padStart(2, '0'));
  return `2002:${bytes.slice(0, 2).join('')}:${bytes.slice(2).join('')}::`;
};

const createGuard = (ipv4: Networks, ipv6: Networks): BlockList => {
  const guard = new BlockList();
  for (const [network, bits] of ipv6) guard.addSubnet(network, bits, 'ipv6');
  for (const [network, bits] of ipv4) {
    guard.addSubnet(network, bits, 'ipv4');
    for (const prefix of ipv4InIpv6) guard.addSubnet(`${prefix}${network}`, ipv4InIpv6Bits + bits, 'ipv6');
    guard.addSubnet(sixToFour(network), sixToFourBits + bits, 'ipv6');
  }
  return guard;
};

const isIn =
  (guard: BlockList) =>
  (address: string): boolean => {
    switch (isIP(address)) {
      case 4:
        return guard.check(address, 'ipv4');
      case 6:
        return address.includes('%') || guard.check(address, 'ipv6');
      default:
        return true;
    }
  };

/** Also true for a text that is not an address: an address that cannot be judged is not reached. */
export const isGuardedAddress = isIn(createGuard(guardedIpv4, guardedIpv6));

/** Also true for a text that is not an address. */
export const isPrivateAddress = isIn(createGuard(privateIpv4, privateIpv6));
