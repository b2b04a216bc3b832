import { createHash, createHmac, createSecretKey, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { hmacSha256, sha256 } from './sha256.ts';

test.each([0, 1, 28, 63, 64, 65, 1_000])('digests and signatures of %i bytes are those of OpenSSL', (length) => {
  const content = randomBytes(length);
  expect(sha256(content)).toEqual(createHash('sha256').update(content).digest());
  for (const keyBytes of [1, 32, 64]) {
    const key = createSecretKey(randomBytes(keyBytes));
    // Different contents in turn, because the key's buffers are reused.
    for (const some of [content, Buffer.from('other'), content, randomBytes(length)])
      expect(hmacSha256(key, some)).toBe(createHmac('sha256', key).update(some).digest('binary'));
  }
});

test('the digest of a text is that of its UTF-8 bytes', () => {
  expect(sha256('Grüße 🌍')).toEqual(createHash('sha256').update(Buffer.from('Grüße 🌍')).digest());
});
