import { BlockList, isIP } from 'node:net';

/** Returns a check whether an address belongs to TRUSTED_PROXIES. */
export function createProxyCheck(trusted: readonly string[]): (address: string | undefined) => boolean {
  if (trusted.length === 0) return () => false;
  const list = new BlockList();
  for (const entry of trusted) {
    const [address = '', bits] = entry.split('/');
    const version = ipVersionOf(address);
    if (bits === undefined) list.addAddress(address, version);
    else list.addSubnet(address, Number(bits), version);
  }
  // A dual-stack socket reports IPv4 addresses as ::ffff:10.0.0.1; BlockList compares those with its IPv4 entries.
  return (address) => address !== undefined && isIP(address) !== 0 && list.check(address, ipVersionOf(address));
}

const ipVersionOf = (address: string): 'ipv4' | 'ipv6' => (isIP(address) === 4 ? 'ipv4' : 'ipv6');
