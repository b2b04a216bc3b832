import { afterAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantAlone, type Json } from '../support/merchant.ts';

const countCodes = async (terms: object) =>
  expectSuccess(
    await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], subscription_rules: [], ...terms }),
  );
const create = (code: string, creator: string, fields: object = {}) =>
  merchant.api('POST', `${program}/codes`, { code, creator_id: creator, ...fields });
const orderWith = async (fields: object) => merchant.convert(await merchant.order({ click_id: null, ...fields }));
const commissionOf = async ({ json }: Json): Promise<Json> => {
  expect(json.reason).toBe('recorded');
  return (await merchant.api('GET', `${store}/commissions/${json.conversion_id}`)).json;
};
const ineligibleOf = async (creator: string): Promise<Json[]> =>
  (await merchant.api('GET', `/creators/${creator}/refused-orders`)).json.data;

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const store = `/stores/${merchant.world.store.id}`;
const program = `${store}/programs/${merchant.world.program.id}`;
const ada = merchant.world.creator.id;
const ben = (await merchant.api('POST', '/creators', { name: 'Ben Colludes', email: 'ben-colludes@example.com' })).json.id;
const joined = await merchant.api('POST', `${program}/members`, { creator_id: ben });
expectSuccess(joined);
const member = joined.json.id;
await countCodes({ codes: 'when_no_click', returning: { days: 30, orders: 2 } });

test.each([
  ['of combined characters', 'J\u030c10', '\u01f010'],
  ['with a Greek sigma at its end', 'ΟΔΟΣ', 'οδοσ'],
  ['with a Greek final sigma', 'ΛΟΓΟΣ', 'λογος'],
  ['of decomposed characters', 'CAFÉ'.normalize('NFD'), 'café'.normalize('NFC')],
  ['of emoji', '👩‍🎤10', '👩‍🎤10'],
  ['in another script', 'ПОДКАСТ', 'подкаст'],
])('a code %s is one code in any case', async (_what, code, other) => {
  expectSuccess(await create(code, ada));
  expect((await create(other, ben)).status).toBe(409);
  for (const typed of [code, other])
    expect(await commissionOf(await orderWith({ discount_codes: [typed] }))).toMatchObject({ creator_id: ada, credited_code: code });
});

test('a code whose characters become longer in lower case is found in both cases', async () => {
  const code = 'İ'.repeat(64);
  expectSuccess(await create(code, ada));
  for (const typed of [code, code.toLowerCase()])
    expect(await commissionOf(await orderWith({ discount_code: typed }))).toMatchObject({ credited_code: code });
});

test('a list with empty texts is a list of the others, 20 codes are read, and 21 are rejected', async () => {
  expectSuccess(await create('TWENTY', ada));
  const others = Array.from({ length: 19 }, (_none, index) => `none ${index}`);
  expect(await commissionOf(await orderWith({ discount_codes: ['', 'TWENTY', ''] }))).toMatchObject({ credited_code: 'TWENTY' });
  expect(await commissionOf(await orderWith({ discount_codes: [...others, 'twenty'] }))).toMatchObject({ credited_code: 'TWENTY' });
  expect((await orderWith({ discount_codes: [...others, 'more', 'twenty'] })).status).toBe(400);
  expect((await orderWith({ discount_codes: [''] })).json.reason).toBe('missing_referral_click');
  for (const broken of [['TWENTY', null], ['TWENTY\u0000'], ['TWENTY\ud800'], [['TWENTY']], 'TWENTY', { 0: 'TWENTY' }])
    expect((await orderWith({ discount_codes: broken })).json).toMatchObject({ reason: 'invalid_payload', field: '/discount_codes' });
});

test('of two codes of different creators the first one earns, and the other creator sees why theirs does not', async () => {
  expectSuccess(await create('FIRST-ADA', ada));
  expectSuccess(await create('SECOND-BEN', ben));
  const commission = await commissionOf(await orderWith({ discount_codes: ['first-ada', 'SECOND-BEN'] }));
  expect(commission).toMatchObject({ creator_id: ada, credited_code: 'FIRST-ADA' });
  expect(commission.attribution.rejected_codes).toEqual([{ discount_code: 'SECOND-BEN', because: 'not_first' }]);
  expect(commission.explanation).toContain('SECOND-BEN does not count: the order names another code first');
  const [shown] = await ineligibleOf(ben);
  expect(shown).toMatchObject({ reason: 'code_does_not_count', message: expect.stringContaining('SECOND-BEN') });
  expect(shown?.message).not.toMatch(/FIRST-ADA/);
});

test('a suspended creator gets no money by a code until the suspension ends', async () => {
  expectSuccess(await create('SUSPENDED', ben));
  expectSuccess(await merchant.api('POST', `/creators/${ben}/suspend`, { reason: 'fraud' }));
  expect(await commissionOf(await orderWith({ discount_code: 'suspended' }))).toMatchObject({
    creator_id: ben,
    held: { reason: 'creator_suspended' },
  });
  expectSuccess(await merchant.api('POST', `/creators/${ben}/unsuspend`));
});

test('a code of a membership that ended does not count from then on, and the bound customer still earns within the limits', async () => {
  expectSuccess(await create('LEAVING', ben));
  expect(await commissionOf(await orderWith({ discount_code: 'leaving', customer_id: 'c-left' }))).toMatchObject({ creator_id: ben });
  const before = merchant.at();
  await merchant.moveClock('1h');
  expectSuccess(await merchant.api('PATCH', `${program}/members/${member}`, { status: 'removed' }));
  await merchant.moveClock('1h');
  expect((await orderWith({ discount_code: 'leaving' })).json.reason).toBe('missing_referral_click');
  expect(await commissionOf(await orderWith({ discount_code: 'leaving', occurred_at: before }))).toMatchObject({ creator_id: ben });
  expect((await ineligibleOf(ben))[0]?.message).toContain('you were not an active member of the program');
  expect(await commissionOf(await orderWith({ customer_id: 'c-left' }))).toMatchObject({ creator_id: ben, attributed_by: 'customer' });
});

test('a customer who was erased returns as a new one, and what was earned before stays in the books', async () => {
  const order = await merchant.order({ click_id: null, discount_code: 'TWENTY', customer_id: 'c-erased' });
  const first = await commissionOf(await merchant.convert(order));
  expectSuccess(await merchant.api('POST', `${store}/customers/erase`, { customer_id: 'c-erased' }));
  expect((await orderWith({ customer_id: 'c-erased' })).json.reason).toBe('missing_referral_click');
  expect((await merchant.convert(order)).json).toMatchObject({ reason: 'duplicate_order', conversion_id: first.id });
  const kept = (await merchant.api('GET', `${store}/commissions/${first.id}`)).json;
  expect(kept).toMatchObject({ creator_id: ada, amount_cents: first.amount_cents });
  expect(await commissionOf(await orderWith({ discount_code: 'TWENTY', customer_id: 'c-erased' }))).toMatchObject({ creator_id: ada });
  expect(await commissionOf(await orderWith({ customer_id: 'c-erased' }))).toMatchObject({ creator_id: ada, attributed_by: 'customer' });
});

test('the books have no differences after the attacks', async () => {
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
