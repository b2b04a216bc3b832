import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';

/** A creator reaches two tiers in a month, one of the orders is refunded in part, and the next month begins without a tier. */
const { merchant, store, program } = await openMerchantInSpring();
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

const tiers = { measure: 'approved_commissions', period: 'month', time_zone: 'Europe/Berlin' };
const rules = [1_500, 2_000].map((basis_points, index) => ({ threshold: index + 2, order_rules: [{ basis_points }] }));
const terms = { order_rules: [{ basis_points: 1_000 }], tiers: { ...tiers, tiers: rules } };
expectSuccess(await merchant.api('POST', `${program}/terms`, terms));
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
const month = await payMonth(merchant);

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

testStatementsAndBooks(merchant, month, Object.values(earned));
