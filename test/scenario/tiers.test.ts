import { afterAll, beforeAll, expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { expectStatementsToAgree } from '../support/statements.ts';

/** A creator reaches two tiers in a month, one of the orders is refunded in part, and the next month begins without a tier. */
let merchant: Merchant;
let store: string;
let month: string;
const commissionIds: Record<string, string> = {};

/** The first moment of the next month in Berlin, which has summer time then, and an hour before it. */
const nextMonth = (at: string): number => Date.UTC(Number(at.slice(0, 4)), Number(at.slice(5, 7)), 1) - 2 * 3_600_000;
const moveTo = (time: number) => merchant.moveClock(`${Math.ceil((time - Date.parse(merchant.at())) / 60_000)}m`);

const sell = async (order_id: string): Promise<void> => {
  const { json } = await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 10_005 }));
  commissionIds[order_id] = json.conversion_id;
};
const approve = async (...orders: readonly string[]): Promise<void> => {
  expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { ids: orders.map((order) => commissionIds[order]) }));
};

beforeAll(async () => {
  merchant = await openMerchant();
  await merchant.moveToSpring();
  const { world } = merchant;
  store = `/stores/${world.store.id}`;
  await merchant.api('PUT', '/billing-settings', { fee_basis_points: 500, minimum_cents: 0, early_cents: 100_000_000 });
  const tiers = { measure: 'approved_commissions', period: 'month', time_zone: 'Europe/Berlin' };
  const rules = [1_500, 2_000].map((basis_points, index) => ({ threshold: index + 2, order_rules: [{ basis_points }] }));
  const terms = { order_rules: [{ basis_points: 1_000 }], tiers: { ...tiers, tiers: rules } };
  expectSuccess(await merchant.api('POST', `${store}/programs/${world.program.id}/terms`, terms));
  for (const order of ['first', 'second', 'third']) await sell(order);
  await approve('first', 'second');
  await sell('fourth');
  await moveTo(nextMonth(merchant.at()) - 3_600_000);
  await approve('third');
  await sell('last-of-month');
  await moveTo(nextMonth(merchant.at()));
  await sell('first-of-month');
  const refund = { refund_id: 'r-1', order_id: 'last-of-month', amount_cents: 5_005, occurred_at: merchant.at(), reason: 'returned' };
  expectSuccess(await merchant.post('v2/orders/refunds', refund));
  await approve('fourth', 'last-of-month', 'first-of-month');
  await merchant.moveClock('31d');
  await merchant.api('PUT', `${store}/payment-method`, { sandbox: 'ok' });
  await merchant.api('POST', '/billing-runs', { store_id: world.store.id, minimum_cents: 0 });
  month = merchant.at().slice(0, 7);
  const next = new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1, 12));
  await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 3_600_000)}h`);
});
afterAll(() => merchant.service.stop());

/** 100.05 USD at 10%, 15%, and 20% of what is left, and at 10% again. */
const earned = { first: 1_001, second: 1_001, third: 1_001, fourth: 1_501, 'last-of-month': 1_000, 'first-of-month': 1_001 } as const;

test('each order earns by the tier of its time in its month, and its explanation says why', async () => {
  const explanations: Record<string, string> = {};
  for (const [order, amount] of Object.entries(earned)) {
    const { json } = await merchant.api('GET', `${store}/commissions/${commissionIds[order]}`);
    expect([order, json.amount_cents]).toEqual([order, amount]);
    explanations[order] = json.explanation;
  }
  expect(explanations['first']).toContain('(the program’s rate)');
  expect(explanations['fourth']).toMatch(/\(tier 1 since \d{4}-\d\d-\d\d: 2 approved commissions in the month\)/);
  expect(explanations['last-of-month']).toMatch(/\(tier 2 since \d{4}-\d\d-\d\d: 3 approved commissions in the month\)/);
  expect(explanations['first-of-month']).toContain('(the program’s rate)');
});

test('page, CSV, PDF, API, and ledger of the month agree to the cent, for the store and for the creator', async () => {
  const { creator } = await expectStatementsToAgree(merchant, month);
  const all = Object.values(earned).reduce((sum, amount) => sum + amount, 0);
  expect(creator.closing.available_cents + creator.closing.paid_cents + creator.closing.in_payout_cents).toBe(all);
});

test('the books agree, and every copied tier is what its facts give', async () => {
  expect((await merchant.api('POST', '/ledger/verify')).json).toMatchObject({ ok: true, differences: [] });
});
