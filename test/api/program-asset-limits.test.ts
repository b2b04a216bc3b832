import { afterAll, expect, test } from 'vitest';
import { openMerchant } from '../support/merchant.ts';
import { sessionHeaders, signIn } from '../support/portal.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const owner = await signIn(merchant.service, merchant.world.logins.merchant);
const headers = await sessionHeaders(merchant.service, merchant.world.logins.merchant);
const path = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;

const mebibyte = 1_048_576;

async function upload(length: number) {
  const response = await fetch(`${merchant.service.url}/api/v1${path}/asset-files?name=logo.png`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.concat([Buffer.from('89504e470d0a1a0a', 'hex'), Buffer.alloc(length - 8, 7)])),
  });
  return { status: response.status, json: (await response.json()) as { readonly id: string; readonly reason?: string } };
}
const remove = (id: string) => owner('DELETE', `${path}/assets/${id}`);

test('a program holds at most 50 assets and 50 MiB', async () => {
  const big = [];
  for (let file = 0; file < 10; file++) big.push(await upload(5 * mebibyte));
  expect(big.map(({ status }) => status)).toEqual(big.map(() => 201));
  expect(await upload(100)).toMatchObject({ status: 422, json: { reason: 'limit_reached' } });
  for (const { json } of big) await remove(json.id);
  const all: string[] = [];
  for (let asset = 0; asset < 50; asset++)
    all.push((await owner('POST', `${path}/assets`, { name: `Text ${asset}`, text: 'Words' })).json.id);
  expect((await owner('POST', `${path}/assets`, { name: 'One more', text: 'Words' })).json.reason).toBe('limit_reached');
  for (const id of all) await remove(id);
});
