import { afterAll, expect, test } from 'vitest';
import { newId, publicId } from '../../src/core/ids.ts';
import { merchantIn, openMerchant, otherMerchant, type Merchant } from '../support/merchant.ts';

const merchant = await openMerchant();
afterAll(() => merchant.service.stop());

const fresh = async () => merchantIn(merchant.service, await merchant.service.seed());
const pathOf = ({ world }: Merchant) => `/stores/${world.store.id}/tracking-log`;

test('finds an entry by its ID, in its own store only', async () => {
  const own = await fresh();
  await own.convert(await own.order());
  const [line] = (await own.api('GET', pathOf(own))).json.data;
  expect(await own.api('GET', `${pathOf(own)}/${line.id}`)).toMatchObject({ status: 200, json: line });
  expect((await own.api('GET', `${pathOf(otherMerchant(own))}/${line.id}`)).status).toBe(404);
  expect((await own.api('GET', `${pathOf(own)}/${publicId('post', newId(new Date()))}`)).status).toBe(404);
});

test('counts entries by reason within the requested days, the most frequent first', async () => {
  const own = await fresh();
  const counts = async (query = '') => (await own.api('GET', `${pathOf(own)}/reasons${query}`)).json.data;
  expect(await counts()).toEqual([]);
  await own.convert(await own.order());
  await own.convert({});
  await own.convert({ order_id: 7 });
  expect(await counts()).toEqual([
    { reason: 'invalid_payload', means: expect.any(String), accepted: false, count: 2, has_more: false },
    { reason: 'recorded', means: 'The postback was recorded.', accepted: true, count: 1, has_more: false },
  ]);
  expect((await own.api('GET', `${pathOf(otherMerchant(own))}/reasons`)).json.data).toEqual([]);
  expect((await own.api('GET', `${pathOf(own)}/reasons?days=91`)).json).toMatchObject({ errors: [{ field: 'days' }] });
  await own.moveClock('8d');
  expect(await counts()).toEqual([]);
  expect(await counts('?days=9')).toHaveLength(2);
});
