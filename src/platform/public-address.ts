import { BlockList, isIP } from 'node:net';

/** Reserved by IANA for something else than the public internet (the special-purpose registries of RFC 6890). */
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

// Of IPv6 only what is handed out counts as public, so that forms which hide an IPv4 address (mapped, translated) never do.
const public6 = ['2000::/3'];
const notPublic6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

const reserved4 = listOf(notPublic4, 'ipv4');
const given6 = listOf(public6, 'ipv6');
const reserved6 = listOf(notPublic6, 'ipv6');

/** Whether a stranger's address may be called: no machine of ours, of our network or of the hoster's is behind it. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !reserved4.check(address, 'ipv4');
  // An address with a zone is one of this machine's own networks.
  if (family === 6) return !address.includes('%') && given6.check(address, 'ipv6') && !reserved6.check(address, 'ipv6');
  return false;
}

function listOf(networks: readonly string[], family: 'ipv4' | 'ipv6'): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits = ''] = network.split('/');
    list.addSubnet(address, Number(bits), family);
  }
  return list;
}
