import { expect, test } from 'vitest';
import { createSecrets } from '../core/secrets.ts';
import { createAddressHash } from './redirect.ts';

const secretsOf = (byte: number) => createSecrets(Buffer.alloc(32, byte));

test('an address has the same hash all day, and another one on the next day or with another key', () => {
  const addressHash = createAddressHash(secretsOf(1));
  const today = addressHash('192.0.2.1', '2026-03-01');
  expect(today).toHaveLength(16);
  expect(addressHash('192.0.2.1', '2026-03-01')).toEqual(today);
  expect(createAddressHash(secretsOf(1))('192.0.2.1', '2026-03-01')).toEqual(today);
  expect(addressHash('192.0.2.2', '2026-03-01')).not.toEqual(today);
  expect(addressHash('192.0.2.1', '2026-03-02')).not.toEqual(today);
  expect(addressHash('192.0.2.1', '2026-03-01')).toEqual(today);
  expect(createAddressHash(secretsOf(2))('192.0.2.1', '2026-03-01')).not.toEqual(today);
});

test('a cached hash keeps no more memory than itself', () => {
  const addressHash = createAddressHash(secretsOf(1));
  expect(addressHash('192.0.2.1', '2026-03-01').buffer.byteLength).toBeLessThanOrEqual(64);
});
