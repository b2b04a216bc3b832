import { afterAll, expect, test } from 'vitest';
import { verify } from '../../../src/app/verify.ts';
import { publicId } from '../../../src/core/ids.ts';
import { sql } from '../../../src/db/sql.ts';
import { expectSuccess } from '../../support/billing.ts';
import { hashOf, openMerchantAlone, type Json } from '../../support/merchant.ts';
import { subscriberOf } from '../../support/subscriber.ts';

const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [{ basis_points: 2_000, max_invoices: 12 }] };

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const store = `/stores/${merchant.world.store.id}`;
const program = `${store}/programs/${merchant.world.program.id}`;
const ben = (await merchant.api('POST', '/creators', { name: 'Ben Codes', email: 'ben-binds@example.com' })).json;
expectSuccess(await merchant.api('POST', `${program}/members`, { creator_id: ben.id }));

const newTerms = async (terms: object) => expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, ...terms }));
const createCode = async (code: string, fields: object = {}): Promise<Json> => {
  const created = await merchant.api('POST', `${program}/codes`, { code, creator_id: ben.id, ...fields });
  expectSuccess(created);
  return created.json;
};
const fresh = () => subscriberOf(merchant);
const shown = async ({ json }: { readonly json: Json }): Promise<Json> =>
  (await merchant.api('GET', `${store}/relationships/${json.binding_id}`)).json;

test('a store that counts only clicks answers binds with codes and customers as before, even if they are invalid', async () => {
  const subscriber = fresh();
  const noClick = await subscriber.bind({ click_id: null, discount_code: 'BEN10', customer_id: 'c-0' });
  expect([noClick.status, noClick.json.reason, noClick.json.field]).toEqual([400, 'invalid_payload', '/click_id']);
  const body = await subscriber.bindBody({ discount_code: 5, discount_codes: 'BEN10', customer_id: { id: 1 } });
  expect((await merchant.post('v2/recurring/relationships', body)).json).toMatchObject({ ok: true, reason: 'recorded' });
  const changed = await merchant.post('v2/recurring/relationships', { ...body, discount_code: 'OTHER', customer_id: 'c-1' });
  expect([changed.json.reason, changed.headers.get('idempotent-replayed')]).toEqual(['recorded', 'true']);
  expect((await merchant.logEntryOf(body.event_id)).why).not.toHaveProperty('rule');
  expect(await subscriber.relationship()).toMatchObject({ touchHash: null, attribution: null });
});

test('a code binds a subscription without a click to its owner, and each invoice earns by the rule copied at the bind', async () => {
  await newTerms({ codes: 'when_no_click' });
  await createCode('Ben10');
  const subscriber = fresh();
  const bound = await subscriber.bind({ click_id: null, discount_codes: ['OTHER', 'BEN10'] });
  expect(bound.json).toMatchObject({ ok: true, reason: 'recorded' });
  expect(await subscriber.relationship()).toMatchObject({ clickId: null, attribution: { rule: 'code', discount_code: 'Ben10' } });
  await newTerms({ codes: 'off', subscription_rules: [] });
  expect((await subscriber.reportInvoice({ invoice_id: 'in-code' })).json.conversion_id).toMatch(/^com_/);
  expect(await subscriber.commission('in-code')).toMatchObject({ amountCents: 980n });

  const relationship = await shown(bound);
  expect(relationship).toMatchObject({ creator_id: ben.id, attributed_by: 'code', credited_code: 'Ben10', earned_cents: 980 });
  expect(relationship.attribution_explanation).toBe('The discount code Ben10 belongs to Ben Codes.');
  const file = await merchant.api('GET', `${store}/relationships?q=${subscriber.relationshipId}`);
  expect(file.json.data).toMatchObject([{ attributed_by: 'code' }]);
  const own = await merchant.api('GET', `/creators/${ben.id}/codes`);
  expect(own.json.data).toMatchObject([{ code: 'Ben10', earned_cents: 980 }]);
});

test('the log names the code, its owner, and the rule, and why a code does not count', async () => {
  await newTerms({ codes: 'when_no_click' });
  const body = await fresh().bindBody({ click_id: null, discount_code: 'BEN10' });
  await merchant.post('v2/recurring/relationships', body);
  const entry = await merchant.logEntryOf(body.event_id);
  expect(entry.why).toMatchObject({
    rule: 'code',
    attributed_by: 'code',
    discount_code: 'Ben10',
    attributed_to: ben.id,
    basis_points: 2_000,
  });
  const line = await merchant.api('GET', `${store}/tracking-log/${publicId('post', entry.postbackId)}`);
  expect(line.json.explanation).toContain('The discount code Ben10 belongs to');

  const shared = await createCode('SHARED', { shared: true });
  const failing = await fresh().bindBody({ click_id: null, discount_code: shared.code });
  const failed = await merchant.post('v2/recurring/relationships', failing);
  expect([failed.status, failed.json.reason, failed.json.message]).toEqual([
    422,
    'missing_referral_click',
    'The subscription has no click, and no discount code or customer that counts.',
  ]);
  expect((await merchant.logEntryOf(failing.event_id)).why.rejected_codes).toEqual([{ discount_code: 'SHARED', because: 'shared' }]);
  // Nothing was stored, so the same event may be sent again.
  expectSuccess(await merchant.api('PATCH', `${store}/codes/${shared.id}`, { shared: false }));
  expect((await merchant.post('v2/recurring/relationships', failing)).json.reason).toBe('recorded');
});

test('the owner of a code that does not count sees the subscription with the reason, also if a click earns it', async () => {
  await newTerms({ codes: 'when_no_click' });
  const paused = await createCode('BENPAUSED');
  expectSuccess(await merchant.api('PATCH', `${store}/codes/${paused.id}`, { status: 'paused' }));
  for (const fields of [{ click_id: null }, {}])
    await merchant.post('v2/recurring/relationships', await fresh().bindBody({ ...fields, discount_code: paused.code }));
  const { data } = (await merchant.api('GET', `/creators/${ben.id}/refused-orders`)).json;
  expect(data.slice(0, 2)).toEqual([
    expect.objectContaining({ kind: 'subscription', reason: 'code_does_not_count', message: expect.stringContaining('it was paused') }),
    expect.objectContaining({ kind: 'subscription', reason: 'code_does_not_count', message: expect.stringContaining('it was paused') }),
  ]);
});

test('a repeated bind gets the first answer after the code ended, and other codes are a conflict', async () => {
  const code = await createCode('REPEAT', { orders_per_customer: 1 });
  const subscriber = fresh();
  const fields = { click_id: null, discount_code: 'REPEAT', customer_id: 'c-repeat' };
  const first = await subscriber.bind(fields);
  expectSuccess(await merchant.api('PATCH', `${store}/codes/${code.id}`, { status: 'ended' }));
  const again = await subscriber.bind(fields);
  expect([again.json, again.headers.get('idempotent-replayed')]).toEqual([first.json, 'true']);
  const other = await subscriber.bind({ ...fields, discount_code: 'BEN10' });
  expect([other.status, other.json.reason]).toEqual([409, 'duplicate_relationship_conflict']);
  const byClick = await subscriber.bind();
  expect([byClick.status, byClick.json.reason]).toEqual([409, 'duplicate_relationship_conflict']);
});

test('a subscription counts as one order toward the limit of a code per customer', async () => {
  await createCode('TWICE', { orders_per_customer: 2 });
  const fields = { click_id: null, discount_code: 'twice', customer_id: 'c-twice' };
  const replies = await Promise.all(Array.from({ length: 6 }, () => fresh().bind(fields)));
  expect(replies.filter(({ json }) => json.reason === 'recorded')).toHaveLength(2);
  expect(replies.filter(({ json }) => json.reason === 'missing_referral_click')).toHaveLength(4);
  const order = await merchant.order({ ...fields });
  expect((await merchant.convert(order)).json.reason).toBe('missing_referral_click');
});

test('the terms decide between a click and a code of another creator, and both creators see what was compared', async () => {
  const byClick = await fresh().bind({ discount_code: 'BEN10' });
  expect((await shown(byClick)).attribution_explanation).toContain(
    'It also had the discount code Ben10 of Ben Codes; the program’s terms count the click first.',
  );
  const { json: lost } = await merchant.api('GET', `/creators/${ben.id}/refused-orders`);
  expect(lost.data[0]).toMatchObject({ kind: 'subscription', reason: 'another_creator' });
  expect(lost.data[0].message).toMatch(/^The subscription of .* had your discount code Ben10, and a click of another creator/);

  await newTerms({ codes: 'before_click' });
  const click = await merchant.click();
  const byCode = await shown(await fresh().bind({ click_id: click, discount_code: 'BEN10' }));
  expect(byCode).toMatchObject({ creator_id: ben.id, attributed_by: 'code' });
  const { json: lostByClick } = await merchant.api('GET', `/creators/${merchant.world.creator.id}/refused-orders`);
  expect(lostByClick.data[0].message).toMatch(/had your click of .*, and a discount code of another creator/);
});

test('a subscription binds its customer, whose later order and later subscription earn for the same creator', async () => {
  await newTerms({ codes: 'when_no_click', returning: { days: 30, orders: 2, new_click: 'first_partner' } });
  expect((await fresh().bind({ click_id: null, discount_code: 'BEN10', customer_id: 'c-back' })).json.reason).toBe('recorded');
  const order = await merchant.order({ click_id: null, customer_id: 'c-back' });
  const { json } = await merchant.convert(order);
  expect((await merchant.api('GET', `${store}/commissions/${json.conversion_id}`)).json).toMatchObject({
    creator_id: ben.id,
    attributed_by: 'customer',
  });
  const second = await shown(await fresh().bind({ click_id: null, customer_id: 'c-back' }));
  expect(second).toMatchObject({ creator_id: ben.id, attributed_by: 'customer', credited_code: null });
  expect(second.attribution_explanation).toContain('this is their later order 2.');
  expect((await fresh().bind({ click_id: null, customer_id: 'c-back' })).json.reason).toBe('missing_referral_click');
  const kept = await shown(await fresh().bind({ customer_id: 'c-first', discount_code: 'BEN10' }));
  expect(kept.creator_id).toBe(merchant.world.creator.id);
  const bindings = await merchant.database.all(sql`
    select 1 as one from customer_bindings where store_id = ${merchant.storeId} and customer_hash = ${hashOf('c-back')}`);
  expect(bindings).toHaveLength(1);
});

test('a test bind needs the click of a test link', async () => {
  const reply = await fresh().bind({ click_id: null, discount_code: 'BEN10', environment: 'test' });
  expect([reply.status, reply.json.field]).toEqual([400, '/click_id']);
});

test('the books have no differences', async () => {
  expect((await verify(merchant.service.platform)).filter(({ differences }) => differences.length > 0)).toEqual([]);
});
