import { BlockList, isIP } from 'node:net';

/** Special-purpose ranges that IANA reserves (RFC 6890). */
const notPublic4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
];

// For IPv6 only the allocated range counts as public, which excludes forms that embed an IPv4 address (mapped, translated).
const public6 = ['2000::/3'];
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved4 = listOf(notPublic4, 'ipv4');
const allocated6 = listOf(public6, 'ipv6');
const reserved6 = listOf(notPublic6, 'ipv6');

/** Whether an address that a user chose may be called: it is not in our network or the hosting provider's. */
export function isPublicAddress(address: string): boolean {
  const version = isIP(address);
  if (version === 4) return !reserved4.check(address, 'ipv4');
  // An address with a zone belongs to a local network.
  if (version === 6) return !address.includes('%') && allocated6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6');
  return false;
}

function listOf(networks: readonly string[], type: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), type);
  }
  return list;
}
