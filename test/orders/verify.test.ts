import { afterAll, beforeAll, expect, test } from 'vitest';
import { sql, type Sql } from '../../src/db/sql.ts';
import { openMerchant, type Json, type Merchant } from '../support/merchant.ts';
import { movedBy } from '../support/rows.ts';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
  const [kept, refunded, early] = [await merchant.order(), await merchant.order(), await merchant.order()];
  await merchant.convert(kept);
  await merchant.convert(refunded);
  await merchant.reverse({ order_id: refunded.order_id });
  await merchant.reverse({ order_id: early.order_id });
  await merchant.convert(early);
  await merchant.convert(await merchant.order({ order_subtotal_cents: 0 }));
  const perProduct = await merchant.click(merchant.world.per_product.link_url);
  const lines = [
    { product_id: 'sku-a', amount_minor_units: 1_010, quantity: 2 },
    { product_id: 'sku-b', amount_minor_units: 100, quantity: 3 },
    { product_id: 'sku-c', amount_minor_units: 8_895, quantity: 1 },
  ];
  await merchant.convert(await merchant.order({ click_id: perProduct, line_items: lines }));
  const { json: link } = await merchant.api('POST', `/stores/${merchant.world.store.id}/test-links`, {});
  await merchant.convert(await merchant.order({ click_id: link.click_id, test: true }));
});
afterAll(() => merchant.service.stop());

const verified = async (): Promise<Json> => (await merchant.api('POST', '/ledger/verify')).json;

test('verification finds no difference after orders, refunds, tests, and orders that earn nothing', async () => {
  const result = await verified();
  expect(result).toMatchObject({ ok: true, differences: [] });
  expect(result.checked).toBeGreaterThan(10);
  const looked = result.checks
    .filter(({ checked }: { readonly checked: number }) => checked > 0)
    .map(({ what }: { readonly what: string }) => what);
  for (const [what] of wrongs) expect(looked).toContain(what);
});

test('a balance is the sum of its transfers after any number of consecutive transactions', async () => {
  // Each transaction adds to one of a few rows of the balance in turn, so each row is updated several times.
  for (let count = 0; count < 40; count += 1) {
    const order = await merchant.order({ click_id: await merchant.clickAt(new Date(merchant.at())) });
    expect((await merchant.convert(order)).json.reason).toBe('recorded');
  }
  expect(await verified()).toMatchObject({ ok: true, differences: [] });
});

test('allows operators only', async () => {
  const { json: key } = await merchant.api('POST', `/stores/${merchant.world.store.id}/api-keys`, {
    name: 'Reader',
    scopes: ['store:read'],
  });
  const response = await fetch(`${merchant.service.url}/api/v1/ledger/verify`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key.key}` },
  });
  expect([response.status, await response.json()]).toMatchObject([403, { reason: 'operator_only' }]);
});

/** One inconsistency, the check that must find it, and the statement that repairs it. */
const wrongs: ReadonlyArray<readonly [what: string, breaks: Sql, mends: Sql]> = [
  [
    "every balance of a store's book is the sum of its transfers",
    sql`update balances set debit_cents = debit_cents + 1 where account = 'expected'`,
    sql`update balances set debit_cents = debit_cents - 1 where account = 'expected'`,
  ],
  [
    'a commission is what its copy of the terms gives',
    sql`update commissions set hold_until = ${movedBy(sql`hold_until`, 1)}`,
    sql`update commissions set hold_until = ${movedBy(sql`hold_until`, -1)}`,
  ],
  [
    'a commission is what its copy of the terms gives',
    sql`update commissions set earned = jsonb_set(earned, '{0,basis_points}', '999') where earned->0->>'basis_points' = '1000'`,
    sql`update commissions set earned = jsonb_set(earned, '{0,basis_points}', '1000') where earned->0->>'basis_points' = '999'`,
  ],
  [
    'a rate that applied is that of the first rule that may apply',
    sql`update terms set order_rules = jsonb_set(order_rules, '{0,basis_points}', '999') where order_rules #>> '{0,basis_points}' = '1000'`,
    sql`update terms set order_rules = jsonb_set(order_rules, '{0,basis_points}', '1000') where order_rules #>> '{0,basis_points}' = '999'`,
  ],
  [
    'what a creator may expect is the sum of the open commissions',
    sql`update commissions set state = 'rejected', rejected_at = recorded_at where state = 'pending'`,
    sql`update commissions set state = 'pending', rejected_at = null where state = 'rejected'`,
  ],
  [
    'an order has its commission and its transfer',
    sql`update orders set eligible_cents = eligible_cents - 1 where eligible_cents > 0`,
    sql`update orders set eligible_cents = eligible_cents + 1 where eligible_cents > 0`,
  ],
  [
    'an order has its click, and a claimed click its order',
    sql`update click_claims set order_hash = order_hash || '\\x00'::bytea`,
    sql`update click_claims set order_hash = substring(order_hash for 32)`,
  ],
  [
    'a reversed order has a reversed commission',
    sql`update order_reversals set order_hash = order_hash || '\\x00'::bytea`,
    sql`update order_reversals set order_hash = substring(order_hash for 32)`,
  ],
  [
    'a test order has no money',
    sql`insert into transfers (store_id, source_kind, source_id, debit, credit, amount_cents, creator_id, at)
        select store_id, 'order', transaction_id, 'expected', 'to_creators', 1, transaction_id, recorded_at from test_orders`,
    sql`delete from transfers where source_id in (select transaction_id from test_orders)`,
  ],
];
test.each(wrongs)('%s: verification reports the difference', async (what, breaks, mends) => {
  expect(await merchant.database.run(breaks)).toBeGreaterThan(0);
  const { ok, differences } = await verified();
  await merchant.database.run(mends);
  expect(ok).toBe(false);
  expect(differences).toContainEqual({ what, store_id: merchant.world.store.id, detail: expect.any(String) });
  expect(await verified()).toMatchObject({ ok: true });
});
