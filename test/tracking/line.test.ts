import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId, publicId } from '../../src/platform/ids.ts';
import { merchantIn, openMerchant, otherMerchant, type Merchant } from '../support/merchant.ts';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
});
afterAll(() => merchant.service.stop());

const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());
const pathOf = ({ world }: Merchant) => `/stores/${world.store.id}/tracking-log`;

test('one line is found by its id, as the list shows it, and only in its own store', async () => {
  const own = await fresh();
  await own.convert(await own.order());
  const [line] = (await own.api('GET', pathOf(own))).json.data;
  expect(await own.api('GET', `${pathOf(own)}/${line.id}`)).toMatchObject({ status: 200, json: line });
  expect((await own.api('GET', `${pathOf(otherMerchant(own))}/${line.id}`)).status).toBe(404);
  expect((await own.api('GET', `${pathOf(own)}/${publicId('post', newId(new Date()))}`)).status).toBe(404);
});

test('lines are counted by their reason, the most frequent first, within the days that are asked for', async () => {
  const own = await fresh();
  const counts = async (query = '') => (await own.api('GET', `${pathOf(own)}/reasons${query}`)).json.data;
  expect(await counts()).toEqual([]);
  await own.convert(await own.order());
  await own.convert({});
  await own.convert({ order_id: 7 });
  expect(await counts()).toEqual([
    { reason: 'invalid_payload', means: expect.any(String), accepted: false, count: 2, has_more: false },
    { reason: 'recorded', means: 'The report was recorded.', accepted: true, count: 1, has_more: false },
  ]);
  expect((await own.api('GET', `${pathOf(otherMerchant(own))}/reasons`)).json.data).toEqual([]);
  expect((await own.api('GET', `${pathOf(own)}/reasons?days=91`)).json).toMatchObject({ errors: [{ field: 'days' }] });
  await own.moveClock('8d');
  expect(await counts()).toEqual([]);
  expect(await counts('?days=9')).toHaveLength(2);
});
