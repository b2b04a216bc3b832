import { afterAll, expect, test } from 'vitest';
import { openKeyRing } from '../../src/clicks/signing-keys.ts';
import type { Queryable } from '../../src/db/database.ts';
import { sql, type Sql } from '../../src/db/sql.ts';
import { FieldError } from '../../src/contract/fields.ts';
import { newId } from '../../src/core/ids.ts';
import { invariant } from '../../src/core/invariant.ts';
import { readOrderItem } from '../../src/orders/postbacks.ts';
import { dryRunOrder } from '../../src/orders/record-orders.ts';
import { dayMs } from '../../src/core/time.ts';
import { expectSuccess } from '../support/billing.ts';
import { hashOf, openMerchantAlone, type Json } from '../support/merchant.ts';

const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [] };

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
const ada = { id: merchant.world.creator.id };
const made = await merchant.api('POST', '/creators', { name: 'Ben Codes', email: 'ben-codes@example.com' });
const ben = made.json;
expectSuccess(await merchant.api('POST', `${program}/members`, { creator_id: ben.id }));

const newTerms = async (terms: object) => {
  expect((await merchant.api('POST', `${program}/terms`, { ...rules, ...terms })).status).toBe(201);
};
const createCode = async (code: string, owner: Json, fields: object = {}) =>
  merchant.api('POST', `${program}/codes`, { code, creator_id: owner.id, ...fields });
const orderOf = async (fields: object) => merchant.order({ click_id: null, ...fields });
const commissionOf = async (reply: Json): Promise<Json> =>
  (await merchant.api('GET', `/stores/${merchant.world.store.id}/commissions/${reply.json.conversion_id}`)).json;

test('a store that counts only clicks answers orders with codes as before, even if the list is malformed', async () => {
  const { status, json } = await merchant.convert(await orderOf({ discount_code: 'ADA10', discount_codes: ['ADA10'], customer_id: 'c-0' }));
  expect([status, json.reason]).toEqual([422, 'missing_referral_click']);
  const order = await merchant.order({ discount_codes: [{ code: 'ADA10' }], customer_id: 'c-0' });
  expect((await merchant.convert(order)).json).toMatchObject({ ok: true, reason: 'recorded' });
  expect((await merchant.convert(order)).json.reason).toBe('duplicate_order');
  const { why } = await merchant.logEntryOf(order.order_id);
  expect(Object.keys(why)).not.toContain('rule');
  const [bound] = await merchant.database.all(sql`select 1 as one from customer_bindings where store_id = ${merchant.storeId}`);
  expect(bound).toBeUndefined();
});

test('an order whose list of codes was malformed is listed, exported as CSV, and exported for its customer without codes', async () => {
  const order = await merchant.order({ discount_codes: 'ADA10', customer_id: 'c-malformed' });
  const reply = await merchant.convert(order);
  const store = `/stores/${merchant.world.store.id}`;
  const expectNoCodes = async () => {
    expect((await commissionOf(reply)).discount_codes).toEqual([]);
    const headers = { authorization: `Bearer ${merchant.world.operator_key}`, accept: 'text/csv' };
    const csv = await fetch(`${merchant.service.url}/api/v1${store}/commissions`, { headers });
    expect([csv.status, (await csv.text()).includes(order.order_id)]).toEqual([200, true]);
    const { json } = await merchant.api('POST', `${store}/customers/export`, { customer_id: 'c-malformed' });
    expect(json.orders).toMatchObject([{ order_id: order.order_id, discount_codes: [] }]);
  };
  await expectNoCodes();
  // As an earlier version stored it.
  await merchant.database.run(sql`
    update orders set discount_codes = '"unreadable"' where store_id = ${merchant.storeId} and order_id = ${order.order_id}`);
  await expectNoCodes();
});

test('a code earns an order without a click, is found without case, and backs many orders', async () => {
  await newTerms({ codes: 'when_no_click' });
  const created = await createCode('Ada10', ada);
  expect(created.json).toMatchObject({ code: 'Ada10', status: 'active', creator_id: ada.id, shared: false, orders: 0, valid_until: null });
  const order = await orderOf({ discount_codes: ['OTHER', 'ADA10'] });
  const first = await merchant.convert(order);
  expect(first.json).toMatchObject({ ok: true, reason: 'recorded' });
  expect((await merchant.convert(order)).json).toMatchObject({ reason: 'duplicate_order', conversion_id: first.json.conversion_id });
  expect((await merchant.convert({ ...order, discount_codes: ['ADA10'] })).json.reason).toBe('duplicate_order_conflict');
  expect((await merchant.convert(await orderOf({ discount_code: 'ada10' }))).json.reason).toBe('recorded');

  const commission = await commissionOf(first);
  expect(commission).toMatchObject({
    creator_id: ada.id,
    attributed_by: 'code',
    credited_code: 'Ada10',
    clicked_at: null,
    amount_cents: 1001,
  });
  expect(commission.explanation).toContain(`The discount code Ada10 belongs to ${commission.creator_name}.`);
  const { json: shown } = await merchant.api('GET', `/stores/${merchant.world.store.id}/codes/${created.json.id}`);
  expect(shown).toMatchObject({ orders: 2, earned_cents: 2002 });
  const own = await merchant.api('GET', `/creators/${ada.id}/codes`);
  expect(own.json.data).toMatchObject([{ code: 'Ada10', orders: 2, earned_cents: 2002 }]);
  const { json: sales } = await merchant.api('GET', `/creators/${ada.id}/commissions`);
  expect(sales.data[0]).toMatchObject({ discount_code: 'Ada10' });
  expect(sales.data[0].explanation).toContain('The discount code Ada10 belongs to you.');
});

test('the tracking log, its stream, and the linter name the creators of an order instead of their IDs', async () => {
  const store = `/stores/${merchant.world.store.id}`;
  const headers = { authorization: `Bearer ${merchant.world.operator_key}` };
  const stream = await fetch(`${merchant.service.url}/api/v1${store}/tracking-log/stream`, { headers });
  await createCode('NAMED10', ben);
  const order = await merchant.order({ click_id: await merchant.click(), discount_codes: ['Named10'] });
  const said = 'It also had the discount code NAMED10 of Ben Codes;';
  const linted = await merchant.api('POST', `${store}/lint`, { operation: 'conversion', text: JSON.stringify(order) });
  expect(linted.json.answer.explanation).toContain(said);
  await merchant.convert(order);
  const [entry] = (await merchant.api('GET', `${store}/tracking-log?q=${order.order_id}`)).json.data;
  expect(entry.explanation).toContain(said);
  expect(entry.why.compared.creator_id).toBe(ben.id);
  expect((await merchant.api('GET', `${store}/tracking-log/${entry.id}`)).json).toEqual(entry);
  let received = '';
  for await (const bytes of stream.body ?? []) {
    received += Buffer.from(bytes).toString('utf8');
    if (received.includes(said)) break;
  }
  expect(received).toContain(order.order_id);
});

test('a refund of a code’s order reverses its commission', async () => {
  const order = await orderOf({ discount_code: 'ADA10' });
  await merchant.convert(order);
  expect((await merchant.reverse({ order_id: order.order_id })).json.reason).toBe('recorded');
  expect((await merchant.commissionOf(order.order_id)).state).toBe('reversed');
});

test('a code is unique in its store without case, and belongs to an approved member', async () => {
  expect((await createCode('ADA10', ben)).status).toBe(409);
  expect((await createCode('NEW10', { id: 'crt_unknown' })).status).toBe(422);
  expect((await createCode(' spaced ', ada)).status).toBe(400);
  expect((await createCode('LATE', ada, { valid_from: '2026-03-02T00:00:00Z', valid_until: '2026-03-01T00:00:00Z' })).status).toBe(422);
});

test('an order whose code does not count fails, and the explanation says why', async () => {
  const { json: code } = await createCode('BEN10', ben);
  const before = merchant.at();
  const path = `/stores/${merchant.world.store.id}/codes/${code.id}`;
  const listed = await merchant.api('GET', `/stores/${merchant.world.store.id}/codes?program_id=${merchant.world.program.id}`);
  expect(listed.json.data.map((one: Json) => one.code)).toContain('BEN10');
  const outcome = async (fields: object = {}) => {
    const order = await orderOf({ discount_code: 'BEN10', ...fields });
    const { json } = await merchant.convert(order);
    return [json.reason, (await merchant.logEntryOf(order.order_id)).why.rejected_codes?.[0]?.because ?? null];
  };
  expect(await outcome()).toEqual(['recorded', null]);
  for (const [change, because] of [
    [{ shared: true }, 'shared'],
    [{ shared: false, status: 'paused' }, 'paused'],
    [{ status: 'active', orders_per_customer: 1 }, 'no_customer_id'],
    [{ orders_per_customer: null, valid_until: merchant.at(-1_000), valid_from: merchant.at(-dayMs) }, 'expired'],
    [{ valid_until: null, valid_from: merchant.at(dayMs) }, 'not_yet_valid'],
    [{ valid_from: merchant.at(-dayMs), status: 'ended' }, 'ended'],
  ] as const) {
    expect((await merchant.api('PATCH', path, change)).status).toBe(200);
    expect(await outcome({ occurred_at: merchant.at() })).toEqual(['missing_referral_click', because]);
  }
  // The owner sees each order of the code that earned nothing, but not those from before, when it was shared.
  const { json: shown } = await merchant.api('GET', `/creators/${ben.id}/refused-orders`);
  const ofCode = shown.data.filter(({ message }: Json) => message.includes(' BEN10, '));
  expect(ofCode.map(({ reason, message }: Json) => [reason, message.replace(/^.*, which does not count: /, '')])).toEqual([
    ['code_does_not_count', 'it had ended.'],
    ['code_does_not_count', 'it was not valid yet.'],
    ['code_does_not_count', 'it had expired.'],
    ['code_does_not_count', 'it has a limit per customer, and the store did not say who the customer is.'],
    ['code_does_not_count', 'it was paused.'],
  ]);
  expect(ofCode.map(({ facts }: Json) => facts.codes)).toEqual(
    ['ended', 'not_yet_valid', 'expired', 'no_customer_id', 'paused'].map((because) => [{ code: 'BEN10', because }]),
  );
  expect(ofCode[0].message).toMatch(/^The order of \d{4}-\d\d-\d\d \d\d:\d\d UTC had your discount code BEN10, /);
  expect((await merchant.api('PATCH', path, { status: 'active' })).status).toBe(409);
  expect(await outcome({ occurred_at: before })).toEqual(['recorded', null]);
});

test('a limit per customer holds for the customer’s orders in one batch and later', async () => {
  await createCode('ONCE', ben, { orders_per_customer: 2 });
  const orders = await Promise.all(Array.from({ length: 12 }, () => orderOf({ discount_code: 'once', customer_id: 'c-limit' })));
  const replies = await Promise.all(orders.map((order) => merchant.convert(order)));
  expect(replies.filter(({ json }) => json.reason === 'recorded')).toHaveLength(2);
  expect(replies.filter(({ json }) => json.reason === 'missing_referral_click')).toHaveLength(10);
  expect((await merchant.convert(await orderOf({ discount_code: 'once', customer_id: 'c-other' }))).json.reason).toBe('recorded');
});

test('the terms decide between a click and another creator’s code, and both creators see what was compared', async () => {
  await createCode('BEN20', ben);
  const clickFirst = await merchant.order({ discount_code: 'BEN20' });
  const byClick = await commissionOf(await merchant.convert(clickFirst));
  expect(byClick).toMatchObject({ creator_id: ada.id, attributed_by: 'click' });
  expect(byClick.explanation).toContain(`It also had the discount code BEN20 of Ben Codes; the program’s terms count the click first.`);
  expect(byClick.attribution).toMatchObject({
    rule: 'click',
    compared: { by: 'code', creator_id: ben.id, creator_name: 'Ben Codes', discount_code: 'BEN20', commission_cents: 1001 },
  });
  const { json: lost } = await merchant.api('GET', `/creators/${ben.id}/refused-orders`);
  expect(lost.data[0]).toMatchObject({ reason: 'another_creator' });
  expect(lost.data[0].message).toMatch(/had your discount code BEN20, and a click of another creator; .* count the click first/);
  expect(lost.data[0].facts).toMatchObject({ rule: 'click', clicked_at: null, codes: [] });

  await newTerms({ codes: 'before_click' });
  const click = await merchant.click();
  const byCode = await commissionOf(await merchant.convert(await merchant.order({ click_id: click, discount_code: 'BEN20' })));
  expect(byCode).toMatchObject({ creator_id: ben.id, attributed_by: 'code', clicked_at: null });
  const { json: lostByClick } = await merchant.api('GET', `/creators/${ada.id}/refused-orders`);
  expect(lostByClick.data[0].message).toMatch(/had your click of .*, and a discount code of another creator/);
  expect(lostByClick.data[0].facts).toMatchObject({ rule: 'code_before_click', clicked_at: expect.any(String) });
  const kept = await commissionOf(await merchant.convert(await merchant.order({ click_id: click })));
  expect(kept).toMatchObject({ creator_id: ada.id, attributed_by: 'click' });
});

/** Notes the table that each query reads, and how often queries wait for others. */
function recorded<Db extends Queryable>(db: Db) {
  const [tables, pending]: [string[], Set<Promise<unknown>>] = [[], new Set()];
  let roundTrips = 0;
  const note = async <Result>(query: Sql, result: Promise<Result>): Promise<Result> => {
    tables.push(/ from (\w+)/.exec(query.strings.join('?'))?.[1] ?? '');
    if (pending.size === 0) roundTrips += 1;
    pending.add(result);
    return result.finally(() => pending.delete(result));
  };
  const all: Queryable['all'] = <Row>(query: Sql) => note(query, db.all<Row>(query));
  return { db: { ...db, all }, tables, roundTrips: () => roundTrips };
}

test('an order of the creator’s click and code is decided after one round trip, which reads its customer before the orders', async () => {
  const { platform } = merchant.service;
  const ring = await openKeyRing(platform);
  const order = await merchant.order({ discount_code: 'ADA10', customer_id: 'c-reads' });
  const now = platform.clock.now();
  const integration = { storeId: merchant.storeId, postbackKeyId: newId<'pbkey'>(now) };
  const request = { requestId: '', receivedAt: now, fields: {}, origin: null, secFetchSite: null, bytes: Buffer.alloc(0), startedAt: 0 };
  const item = readOrderItem('conversion', { ...request, operation: 'conversion', integration, json: order });
  invariant(!(item instanceof FieldError), 'the order is readable');
  const { outcome, read } = await platform.database.transaction(async (tx) => {
    const recording = recorded(tx);
    return { outcome: await dryRunOrder(recording.db, { ring, now, lockWaitMs: 0 }, item), read: recording };
  });
  ring.close();
  expect(outcome).toMatchObject({ outcome: { reason: 'recorded' }, why: { rule: 'same_creator' } });
  expect(read.roundTrips()).toBe(1);
  const facts = ['click_claims', 'discount_codes', 'customer_bindings', 'customer_uses', 'orders', 'early_reversals'];
  expect(read.tables).toEqual([...facts, 'terms', 'suspended_creators', 'stores']);
});

test('the click and the code of one creator earn once, and a click that is used up leaves the order to the code', async () => {
  const click = await merchant.click();
  const both = await commissionOf(await merchant.convert(await merchant.order({ click_id: click, discount_code: 'ADA10' })));
  expect(both.explanation).toContain('so it earns once');
  expect(both).toMatchObject({ attributed_by: 'click' });
  const again = await commissionOf(await merchant.convert(await merchant.order({ click_id: click, discount_code: 'ADA10' })));
  expect(again).toMatchObject({ attributed_by: 'code', creator_id: ada.id });
});

test('a malformed list of codes fails only in a store that counts codes', async () => {
  const { status, json } = await merchant.convert(await merchant.order({ discount_codes: [{ code: 'ADA10' }] }));
  expect([status, json.reason, json.field]).toEqual([400, 'invalid_payload', '/discount_codes']);
});

test('a returning customer earns for the first creator within the limits, and a new click takes over for later orders', async () => {
  await newTerms({ codes: 'when_no_click', returning: { days: 30, orders: 2 } });
  const customer = { customer_id: 'c-returns' };
  const convert = async (fields: object) => merchant.convert(await orderOf({ ...customer, ...fields }));
  expect((await convert({})).json.reason).toBe('missing_referral_click');
  await merchant.convert(await merchant.order(customer));
  const second = await commissionOf(await convert({}));
  expect(second).toMatchObject({ creator_id: ada.id, attributed_by: 'customer', clicked_at: null });
  expect(second.explanation).toMatch(/The customer first came through .* on .*, and this is their later order 1\./);
  const rest = await Promise.all([convert({}), convert({}), convert({})]);
  expect(rest.filter(({ json }) => json.reason === 'recorded')).toHaveLength(1);
  expect((await commissionOf(await convert({ discount_code: 'BEN20' }))).creator_id).toBe(ben.id);
  expect((await commissionOf(await convert({}))).creator_id).toBe(ben.id);
  expect((await convert({ occurred_at: merchant.at(-dayMs) })).json.reason).toBe('missing_referral_click');
});

test('terms can keep a customer with the first creator', async () => {
  await newTerms({ codes: 'before_click', returning: { days: 30, new_click: 'first_partner' } });
  const customer = { customer_id: 'c-first' };
  await merchant.convert(await merchant.order(customer));
  const kept = await commissionOf(await merchant.convert(await orderOf({ ...customer, discount_code: 'BEN20' })));
  expect(kept).toMatchObject({ creator_id: ada.id, attributed_by: 'customer' });
  expect(kept.explanation).toContain('keep a customer with the creator who brought them first');
});

test('erasing a customer ends the binding and keeps the commissions', async () => {
  const erased = await merchant.api('POST', `/stores/${merchant.world.store.id}/customers/erase`, { customer_id: 'c-first' });
  expect([200, 201]).toContain(erased.status);
  const { json } = await merchant.convert(await orderOf({ customer_id: 'c-first' }));
  expect(json.reason).toBe('missing_referral_click');
  const rows = await merchant.database.all(sql`
    select 1 as one from customer_bindings where store_id = ${merchant.storeId} and customer_hash = ${hashOf('c-first')}`);
  expect(rows).toEqual([]);
});

test('the books agree with the orders of codes and returning customers', async () => {
  const { status, json } = await merchant.api('POST', '/ledger/verify');
  expect(status).toBe(200);
  expect(json.differences).toEqual([]);
});
