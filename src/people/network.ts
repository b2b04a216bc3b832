import { randomBytes } from 'node:crypto';
import { isIPv6 } from 'node:net';
import { sha256 } from '../core/sha256.ts';

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

/** Counters of one limit in the memory of a process, about 250 bytes each. */
export const networkCountersMax = 20_000;
/** Otherwise a sender could compute which networks share its counter, and use up their requests. */
const counterSalt = randomBytes(16).toString('hex');

/**
 * The counter of a network, for limits that count in memory. Networks share a fixed number of counters, because a sender can have any
 * number of IPv6 networks. The alternative, a full list of networks that refuses every new one, would let a sender with that many networks
 * lock out all others with one request from each. Two networks with the same counter share its limit, which matters only if both are busy.
 */
export const networkCounter = (address: string): string =>
  `network ${sha256(counterSalt + networkOf(address)).readUInt32BE(0) % networkCountersMax}`;
