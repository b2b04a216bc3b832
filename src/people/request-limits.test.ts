import { expect, test } from 'vitest';
import { createRequestLimiter } from './request-limits.ts';

test('addresses without a key or session share a limited number of counters, so that they use limited memory', async () => {
  const limit = createRequestLimiter({ mode: 'live' }, 1);
  const networks = Array.from({ length: 2_000 }, (_none, place) => `198.18.${place >> 8}.${place & 255}`);
  const excesses = await Promise.all(networks.map((ip) => limit(null, { ip })));
  const sharing = excesses.filter((excess) => excess !== null).length;
  // With 20,000 counters, about a hundred of 2,000 networks share one with another network; with a counter for each, none does.
  expect(sharing).toBeGreaterThan(0);
  expect(sharing).toBeLessThan(400);
});
