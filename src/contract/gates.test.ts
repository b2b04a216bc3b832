import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDoor, presentedKey, readReport, type KeyFound } from './gates.ts';

// What goes over the wire is tested in test/wire/gates.test.ts; here is what only a direct call can show.

test('the key itself never reaches the look-up, only its hash', async () => {
  const seen: unknown[] = [];
  const found: KeyFound<string> = { is: 'open', integration: 'store' };
  const lookUp = async (...asked: unknown[]): Promise<KeyFound<string>> => (seen.push(...asked), found);
  const opened = await openDoor({ trackingKey: 'tk_1', headers: { authorization: 'Bearer secret' } }, lookUp);
  expect(opened).toEqual({ is: 'let in', integration: 'store', closed: null });
  expect(seen).toEqual(['tk_1', createHash('sha256').update('secret').digest()]);
});

test('where the look-up fails, so does the door: nobody is told that a key is wrong', async () => {
  const lookUp = async (): Promise<KeyFound<string>> => Promise.reject(new Error('the database is away'));
  await expect(openDoor({ trackingKey: 'tk_1', headers: { authorization: 'Bearer secret' } }, lookUp)).rejects.toThrow('away');
});

test('a scheme that only begins like Bearer is another', () => {
  expect(presentedKey({ authorization: 'Bearerish secret' })).toBeNull();
  expect(presentedKey({ authorization: 'Bearer\tsecret' })).toBe('secret');
});

test('every byte that is not UTF-8 is refused, wherever it stands', () => {
  const good = Buffer.from('{"order_id":"é"}');
  expect(readReport({}, good)).toMatchObject({ is: 'report', json: { order_id: 'é' } });
  for (let place = 0; place < good.length; place++) {
    const bad = Buffer.from(good);
    bad[place] = 0xff;
    expect(readReport({}, bad)).toEqual({ is: 'refused', outcome: { reason: 'json_required' } });
  }
});
