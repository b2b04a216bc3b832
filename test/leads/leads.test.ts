import { afterAll, expect, test } from 'vitest';
import { verify } from '../../src/app/verify.ts';
import { dayMs, hourMs } from '../../src/core/time.ts';
import { sql } from '../../src/db/sql.ts';
import { rebuildRollups } from '../../src/reports/rebuild-rollups.ts';
import { expectSuccess } from '../support/billing.ts';
import { holdCommission, openMerchantAlone, putCommission, type ApiResponse, type Json } from '../support/merchant.ts';
import { rowsWritten } from '../support/rows.ts';

const rules = { order_rules: [{ basis_points: 1_000 }], subscription_rules: [] };
const leads = [
  { kind: 'sign_up', flat_cents: 200 },
  { kind: 'trial', flat_cents: 500, max_per_month: 2 },
  { kind: 'free', flat_cents: 0 },
];

const merchant = await openMerchantAlone();
afterAll(() => merchant.service.stop());
const store = `/stores/${merchant.world.store.id}`;
const program = `${store}/programs/${merchant.world.program.id}`;
const ada = merchant.world.creator.id;
const ben = (await merchant.api('POST', '/creators', { name: 'Ben Leads', email: 'ben-leads@example.com' })).json.id;
expectSuccess(await merchant.api('POST', `${program}/members`, { creator_id: ben }));

let count = 0;
const leadOf = async (fields: Json = {}) => ({
  lead_id: `lead ${(count += 1)}`,
  kind: 'sign_up',
  ...('click_id' in fields ? {} : { click_id: await merchant.click() }),
  occurred_at: merchant.at(),
  ...fields,
});
const send = (body: unknown): Promise<ApiResponse> => merchant.post('v2/leads', body);
const reverse = (body: unknown): Promise<ApiResponse> => merchant.post('v2/leads/reversals', body);
const commissionOf = async ({ json }: ApiResponse): Promise<Json> =>
  (await merchant.api('GET', `${store}/commissions/${json.conversion_id}`)).json;
const newTerms = async (terms: object) => expectSuccess(await merchant.api('POST', `${program}/terms`, { ...rules, ...terms }));

test('a lead of a program that pays for none is recorded with a commission of 0', async () => {
  const reply = await send(await leadOf());
  expect(reply).toMatchObject({ status: 200, json: { ok: true, reason: 'recorded' } });
  const commission = await commissionOf(reply);
  expect(commission).toMatchObject({ amount_cents: 0, eligible_cents: 0, lead_kind: 'sign_up', order_id: null, invoice_id: null });
  expect(commission.explanation).toContain('The terms pay nothing for leads of the kind sign_up');
});

test('the terms show what leads earn, and reject rules that contradict each other', async () => {
  await newTerms({ leads });
  const { json } = await merchant.api('GET', `${program}/terms`);
  expect(json.data[0].leads).toEqual(leads.map((rule) => ({ max_per_month: null, ...rule })));
  expect(json.data.at(-1).leads).toEqual([]);
  const refused = await merchant.api('POST', `${program}/terms`, { ...rules, leads: [leads[0], leads[0]] });
  expect([refused.status, refused.json.errors]).toEqual([422, [{ field: 'leads.1.kind', message: 'is the same as in an earlier rule' }]]);
});

test('a lead earns the amount of its kind, writes exactly its rows, and is replayed forever', async () => {
  const lead = await leadOf({ customer_id: 'c-1', metadata: { plan: 'pro' } });
  let first: Json;
  const rows = await rowsWritten(merchant.database, async () => {
    first = (await send(lead)).json;
  });
  expect(rows).toEqual({
    leads: '1 new',
    commissions: '1 new',
    transfers: '1 new',
    balances: expect.any(String),
    postback_log: '1 new',
    link_days: '1 new',
    store_days: '1 new',
  });
  expect(Object.keys(first)).toEqual(['ok', 'reason', 'conversion_id', 'lead_id', 'message']);
  const commission = (await merchant.api('GET', `${store}/commissions/${first.conversion_id}`)).json;
  expect(commission).toMatchObject({
    lead_id: lead.lead_id,
    lead_kind: 'sign_up',
    amount_cents: 200,
    creator_id: ada,
    customer_id: 'c-1',
    metadata: { plan: 'pro' },
    attributed_by: 'click',
  });
  expect(commission.explanation).toMatch(/^This lead \(sign_up\) earns 2\.00 USD\. It occurred within the 30 days after the click on /);
  const again = await rowsWritten(merchant.database, async () => {
    const spelled = { ...lead, discount_code: null, unknown: 1, occurred_at: lead.occurred_at.replace('Z', '+00:00') };
    const { status, json, headers } = await send(spelled);
    expect([status, json.reason, json.lead_id, headers.get('idempotent-replayed')]).toEqual([200, 'duplicate_lead', first.lead_id, 'true']);
    expect((await send({ ...lead, kind: 'trial' })).json).toMatchObject({ reason: 'duplicate_lead_conflict', retry: 'never' });
  });
  expect(again).toEqual({ postback_log: '2 new' });
});

test.each([
  [{ click_id: null }, 422, 'missing_referral_click'],
  [{ click_id: 'rmc_forged' }, 422, 'unknown_referral_click'],
  [{ kind: null }, 400, 'invalid_payload'],
  [{ kind: 'x'.repeat(65) }, 400, 'invalid_payload'],
  [{ occurred_at: 'today' }, 422, 'invalid_occurred_at'],
  [{ metadata: [1] }, 400, 'invalid_payload'],
])('%j is answered %i %s and stores nothing', async (fields, status, reason) => {
  const lead = await leadOf(fields);
  const rows = await rowsWritten(merchant.database, async () => {
    expect(await send(lead)).toMatchObject({ status, json: { ok: false, reason, retry: 'never' } });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
});

test('a test click is rejected for a lead', async () => {
  const { json } = await merchant.api('POST', `${store}/test-links`, {});
  const reply = await send(await leadOf({ click_id: json.click_id }));
  expect(reply.json).toMatchObject({ reason: 'test_click_not_allowed', message: expect.stringContaining('cannot be used for a lead') });
});

test('a lead outside its window is shown to the creator of the click, with the compared times', async () => {
  const lead = await leadOf({ click_id: await merchant.clickAt(new Date(Date.parse(merchant.at()) - 31 * dayMs)) });
  expect((await send(lead)).json.reason).toBe('attribution_window_expired');
  expect((await send(await leadOf({ occurred_at: merchant.at(-hourMs) }))).json.reason).toBe('lead_precedes_click');
  const { json } = await merchant.api('GET', `/creators/${ada}/refused-orders`);
  expect(json.data.slice(0, 2)).toMatchObject([
    { kind: 'lead', reason: 'lead_precedes_click', message: expect.stringContaining('more than 5 minutes before its click') },
    { kind: 'lead', reason: 'attribution_window_expired', was_recorded_later: false },
  ]);
  const { click_id: fresh } = await leadOf();
  expect((await send({ ...lead, click_id: fresh })).json.reason).toBe('recorded');
  const later = await merchant.api('GET', `/creators/${ada}/refused-orders`);
  expect(later.json.data[1].was_recorded_later).toBe(true);
});

test('a creator is paid for at most as many leads of a kind in a month as the terms say, also of many at once', async () => {
  const many = await Promise.all(Array.from({ length: 8 }, () => leadOf({ kind: 'trial' })));
  const replies = await Promise.all(many.map(send));
  expect(replies.map(({ json }) => json.reason)).toEqual(Array.from({ length: 8 }, () => 'recorded'));
  const commissions = await Promise.all(replies.map(commissionOf));
  expect(commissions.map(({ amount_cents }) => amount_cents).toSorted()).toEqual([0, 0, 0, 0, 0, 0, 500, 500]);
  const unpaid = commissions.find(({ amount_cents }) => amount_cents === 0);
  expect(unpaid?.explanation).toContain('at most 2 leads of the kind trial in a month, and that limit was reached');
  const paid = replies[commissions.findIndex(({ amount_cents }) => amount_cents === 500)];
  const { merchantLeadId: paidId } = await merchant.database.one<Json>(sql`
    select merchant_lead_id from leads where store_id = ${merchant.storeId} and paid_number = 1`);
  expect((await reverse({ lead_id: paidId })).json.reason).toBe('recorded');
  expect(paid?.status).toBe(200);
  expect(await commissionOf(await send(await leadOf({ kind: 'trial' })))).toMatchObject({ amount_cents: 0 });
});

test('a reversal ends the commission, is replayed, and conflicts with other content', async () => {
  const lead = await leadOf();
  const recorded = await send(lead);
  const reversal = { lead_id: lead.lead_id, reason: 'spam' };
  const rows = await rowsWritten(merchant.database, async () => {
    expect((await reverse(reversal)).json).toMatchObject({ reason: 'recorded', conversion_id: recorded.json.conversion_id });
  });
  expect(rows).toMatchObject({ lead_reversals: '1 new', commissions: '1 changed', transfers: '1 new', postback_log: '1 new' });
  expect((await reverse(reversal)).json.reason).toBe('duplicate_lead');
  expect((await reverse({ ...reversal, reason: 'fake' })).json.reason).toBe('duplicate_lead_conflict');
  const commission = await commissionOf(recorded);
  expect(commission).toMatchObject({ state: 'reversed', reversal_reason: 'spam' });
  expect(commission.explanation).toContain('The lead was reversed, so its commission of 2.00 USD ended.');
});

test('a reversal on hold or after the invoice changes nothing', async () => {
  const [held, billed] = [await leadOf(), await leadOf()];
  await send(held);
  await send(billed);
  await holdCommission(merchant, held.lead_id, 'dispute');
  await putCommission(merchant, billed.lead_id, 'billed');
  expect(await reverse({ lead_id: held.lead_id })).toMatchObject({ status: 500, json: { reason: 'active_hold', retry: 'daily' } });
  expect((await reverse({ lead_id: billed.lead_id })).json.reason).toBe('paid_conversion_not_auto_reversed');
  await merchant.database.run(sql`
    update commissions set state = 'pending', invoice_id = null, held_reason = null, held_by = null, held_since = null, approved_at = null
    where store_id = ${merchant.storeId} and source_text in (${held.lead_id}, ${billed.lead_id})`);
});

test('a reversal before its lead puts the lead on hold, and ends it when it is sent again', async () => {
  const lead = await leadOf();
  expect(await reverse({ lead_id: lead.lead_id })).toMatchObject({ status: 404, json: { reason: 'unknown_lead' } });
  const reply = await send(lead);
  expect(await commissionOf(reply)).toMatchObject({ held: { reason: 'early_reversal' } });
  expect((await reverse({ lead_id: lead.lead_id })).json.reason).toBe('recorded');
  expect(await commissionOf(reply)).toMatchObject({ state: 'reversed', held: null });
});

test('a code earns a lead, and the lead binds its customer, whose later order earns without a click', async () => {
  await newTerms({ leads, codes: 'when_no_click', returning: { days: 90, orders: 1 } });
  expectSuccess(await merchant.api('POST', `${program}/codes`, { code: 'BENLEAD', creator_id: ben, orders_per_customer: 1 }));
  const lead = await leadOf({ click_id: null, discount_code: 'benlead', customer_id: 'c-bound' });
  const commission = await commissionOf(await send(lead));
  expect(commission).toMatchObject({ creator_id: ben, attributed_by: 'code', credited_code: 'BENLEAD', amount_cents: 200 });
  const order = await merchant.order({ click_id: null, customer_id: 'c-bound' });
  const earned = await commissionOf(await merchant.convert(order));
  expect(earned).toMatchObject({ creator_id: ben, attributed_by: 'customer' });
  const second = await merchant.order({ click_id: null, customer_id: 'c-bound' });
  expect((await merchant.convert(second)).json.reason).toBe('missing_referral_click');
});

test('the owner of a code that does not count sees the lead with the reason', async () => {
  await newTerms({ leads, codes: 'when_no_click' });
  const { json: paused } = await merchant.api('POST', `${program}/codes`, { code: 'BENPAUSED', creator_id: ben });
  expectSuccess(await merchant.api('PATCH', `/stores/${merchant.world.store.id}/codes/${paused.id}`, { status: 'paused' }));
  expect((await send(await leadOf({ click_id: null, discount_code: 'BENPAUSED' }))).json.reason).toBe('missing_referral_click');
  expect((await send(await leadOf({ discount_code: 'BENPAUSED' }))).json.reason).toBe('recorded');
  const { data } = (await merchant.api('GET', `/creators/${ben}/refused-orders`)).json;
  const seen = {
    kind: 'lead',
    reason: 'code_does_not_count',
    message: expect.stringContaining('BENPAUSED, which does not count: it was paused'),
  };
  expect(data.slice(0, 2)).toEqual([expect.objectContaining(seen), expect.objectContaining(seen)]);
});

test('a simulated lead earns what a real one would, by the terms in force or a draft, and records nothing', async () => {
  const simulate = async (fields: Json) => merchant.api('POST', `${program}/simulate-lead`, { kind: 'trial', ...fields });
  await rowsWritten(merchant.database, async () => {
    const byClick = await simulate({ click_creator_id: ada });
    expect(byClick.json).toMatchObject({ status: 200, reason: 'recorded', commission_cents: 500, creator_id: ada });
    expect(byClick.json.explanation).toContain('5.00 USD');
    expect((await simulate({ paid_in_month: 2 })).json).toMatchObject({ commission_cents: 0, creator_id: null });
    const byCode = await simulate({ clicked_at: null, discount_code: 'BENLEAD' });
    expect(byCode.json).toMatchObject({ commission_cents: 500, creator_id: ben, creator_name: 'Ben Leads' });
    expect(byCode.json.explanation).toContain('The discount code BENLEAD belongs to Ben Leads.');
    expect((await simulate({ clicked_at: null })).json).toMatchObject({
      status: 422,
      reason: 'missing_referral_click',
      commission_cents: null,
    });
    const draft = { ...rules, leads: [{ kind: 'trial', flat_cents: 900 }] };
    expect((await simulate({ terms: draft })).json.commission_cents).toBe(900);
    expect((await simulate({ terms: { ...draft, leads: [draft.leads[0], draft.leads[0]] } })).status).toBe(422);
    expect((await simulate({ clicked_at: 'yesterday' })).json.errors[0].field).toBe('clicked_at');
    expect((await simulate({ occurred_at: 'soon' })).json.reason).toBe('invalid_occurred_at');
  }).then((rows) => expect(rows).toEqual({}));
});

test('creators see what leads earn in their program', async () => {
  const { json: memberships } = await merchant.api('GET', `/creators/${ben}/memberships`);
  const { json } = await merchant.api('GET', `/creators/${ben}/memberships/${memberships.data[0].id}/rates`);
  expect(json.leads).toEqual(leads.map((rule) => ({ max_per_month: null, ...rule })));
  const page = await (await fetch(`${merchant.service.url}/p/${merchant.world.program.id}`)).text();
  expect(page).toContain('for each trial, at most 2 a month');
});

test('a click backs leads of several kinds and one order, and the funnel counts each of them', async () => {
  const overview = async () => (await merchant.api('GET', `${store}/overview`)).json.totals;
  const results = async () => (await merchant.api('GET', `/creators/${ada}/results`)).json.totals;
  const [before, ownBefore] = [await overview(), await results()];
  const click = await merchant.click();
  await send(await leadOf({ click_id: click }));
  await send(await leadOf({ click_id: click, kind: 'free' }));
  expect((await merchant.convert(await merchant.order({ click_id: click }))).json.reason).toBe('recorded');
  const [after, ownAfter] = [await overview(), await results()];
  const grown = (now: Json, then: Json) => [now.leads - then.leads, now.orders - then.orders, now.earned_cents - then.earned_cents];
  expect(grown(after, before)).toEqual([2, 1, 200 + 1_001]);
  expect(grown(ownAfter, ownBefore)).toEqual([2, 1, 200 + 1_001]);
  expect(after.revenue_cents - before.revenue_cents).toBe(10_005);
  const { json } = await merchant.api('GET', `${store}/breakdown?by=creator`);
  expect(json.rows.find(({ key }: Json) => key === ada).leads).toBe(after.leads - 1);
});

test('lists, files, and exports name the lead, and an erasure removes what the store sent about the customer', async () => {
  const lead = await leadOf({ customer_id: 'c-erased', metadata: { phone: 'n' } });
  const reply = await send(lead);
  const csv = await merchant.api('GET', `${store}/commissions?q=${encodeURIComponent(lead.lead_id)}`);
  expect(csv.json.data).toMatchObject([{ lead_id: lead.lead_id, lead_kind: 'sign_up' }]);
  const sales = await merchant.api('GET', `/creators/${ada}/commissions`);
  expect(sales.json.data[0]).toMatchObject({ lead_id: lead.lead_id, lead_kind: 'sign_up', amount_cents: 200 });
  expect(sales.json.data[0]).not.toHaveProperty('metadata');
  const statement = await merchant.api('GET', `${store}/statement?period=${merchant.at().slice(0, 7)}`);
  expect(statement.json.lines.find((line: Json) => line.lead_id === lead.lead_id)).toMatchObject({
    what: 'Lead recorded',
    source: 'lead',
    postback_id: expect.any(String),
  });
  const history = await merchant.api('GET', `${store}/commissions/${reply.json.conversion_id}/story`);
  expect(history.json.ledger).toMatchObject([{ source: 'lead', amount_cents: 200 }]);
  const exported = await merchant.api('POST', `${store}/customers/export`, { customer_id: 'c-erased' });
  expect(exported.json).toMatchObject({ orders: [], leads: [{ lead_id: lead.lead_id, metadata: { phone: 'n' } }] });
  const erased = await merchant.api('POST', `${store}/customers/erase`, { customer_id: 'c-erased' });
  expect(erased.json).toMatchObject({ orders: 0, leads: 1, bodies: 1 });
  expect((await merchant.api('POST', `${store}/customers/export`, { customer_id: 'c-erased' })).json.leads).toEqual([]);
  expect((await send(lead)).json.reason).toBe('duplicate_lead');
});

test('the books have no differences, and recounted totals are the same', async () => {
  const differences = async () => (await verify(merchant.service.platform)).filter((check) => check.differences.length > 0);
  expect(await differences()).toEqual([]);
  await rebuildRollups(merchant.service.platform);
  expect(await differences()).toEqual([]);
});
