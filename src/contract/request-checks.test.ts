import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { authenticate, parseBody, presentedKey, type FoundKey } from './request-checks.ts';

// test/postbacks/request-checks.test.ts tests the checks over HTTP; these tests need a direct call.

test('the look-up receives the hash of the key, never the key', async () => {
  const calls: unknown[] = [];
  const found: FoundKey<string> = { is: 'open', integration: 'store' };
  const findKey = async (...call: unknown[]): Promise<FoundKey<string>> => (calls.push(...call), found);
  const authentication = await authenticate({ trackingKey: 'tk_1', headers: { authorization: 'Bearer secret' } }, findKey);
  expect(authentication).toEqual({ is: 'authenticated', integration: 'store', closed: null });
  expect(calls).toEqual(['tk_1', createHash('sha256').update('secret').digest()]);
});

test('a failed look-up fails the check, and never calls a key invalid', async () => {
  const findKey = async (): Promise<FoundKey<string>> => Promise.reject(new Error('the database is unavailable'));
  await expect(authenticate({ trackingKey: 'tk_1', headers: { authorization: 'Bearer secret' } }, findKey)).rejects.toThrow('unavailable');
});

test('a scheme that only begins with Bearer carries no key', () => {
  expect(presentedKey({ authorization: 'Bearerish secret' })).toBeNull();
  expect(presentedKey({ authorization: 'Bearer\tsecret' })).toBe('secret');
});

test('rejects a body with one byte that is not UTF-8, at every position', () => {
  const good = Buffer.from('{"order_id":"é"}');
  expect(parseBody({}, good)).toMatchObject({ is: 'parsed', json: { order_id: 'é' } });
  for (let index = 0; index < good.length; index++) {
    const bad = Buffer.from(good);
    bad[index] = 0xff;
    expect(parseBody({}, bad)).toEqual({ is: 'rejected', outcome: { reason: 'json_required' } });
  }
});
