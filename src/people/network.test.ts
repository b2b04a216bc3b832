import { expect, test } from 'vitest';
import { networkCounter, networkCountersMax, networkOf } from './network.ts';

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['2001:db8:0:0:1::', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['not an address', 'not an address'],
])('%s counts as %s', (address, network) => {
  expect(networkOf(address)).toBe(network);
});

test('all addresses of a network share a counter, and any number of networks have a limited number of counters', () => {
  expect(networkCounter('2001:db8:1:2::3')).toBe(networkCounter('2001:db8:1:2:ffff::4'));
  const networks = Array.from(
    { length: 3 * networkCountersMax },
    (_none, place) => `2001:db8:${(place >> 16).toString(16)}:${(place & 0xffff).toString(16)}::1`,
  );
  const counters = new Set(networks.map(networkCounter));
  expect(counters.size).toBeLessThanOrEqual(networkCountersMax);
  expect(counters.size).toBeGreaterThan(networkCountersMax / 2);
});
