import { isIPv6 } from 'node:net';

/**
 * The unit that limits count by. An owner of one IPv6 address has at least 2^64 of them, so only the first half counts. IPv4 written as
 * IPv6 is IPv4; otherwise all such addresses would be one network.
 */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address);
  if (mapped) return mapped[1] ?? address;
  if (!isIPv6(address)) return address;
  const [before = '', after] = address.replace(/%.*$/, '').toLowerCase().split('::');
  const head = groupsOf(before);
  const tail = groupsOf(after ?? '');
  const gap = Array.from({ length: groupsInAll - head.length - tail.length }, () => '0');
  const groups = after === undefined ? head : [...head, ...gap, ...tail];
  return `${groups.slice(0, groupsOfNetwork).join(':')}::/64`;
}

const groupsInAll = 8;
const groupsOfNetwork = 4;

const groupsOf = (part: string): readonly string[] => (part === '' ? [] : part.split(':').map((group) => group.replace(/^0+(?=.)/, '')));
