import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';

/** A monthly budget is used up, a reversal gives a part of it back, and the next month begins with all of it. */
const { merchant, store, program } = await openMerchantInSpring();
const commissionIds: Record<string, string> = {};

const sell = async (order_id: string): Promise<void> => {
  const { json } = await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 10_005 }));
  commissionIds[order_id] = json.conversion_id;
};

const terms = { order_rules: [{ basis_points: 1_000 }], budget: { program_month_cents: 2_500 } };
expectSuccess(await merchant.api('POST', `${program}/terms`, terms));
for (const order of ['first', 'second', 'over']) await sell(order);
const reversal = { order_id: 'second', occurred_at: merchant.at(), reason: 'refunded' };
expectSuccess(await merchant.reverse(reversal));
for (const order of ['again', 'over-again']) await sell(order);
const next = new Date(Date.UTC(Number(merchant.at().slice(0, 4)), Number(merchant.at().slice(5, 7)), 1, 0, 5));
await merchant.moveClock(`${Math.ceil((next.getTime() - Date.parse(merchant.at())) / 60_000)}m`);
await sell('next-month');
expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
const month = await payMonth(merchant);

const ends = {
  first: ['paid', 1_001],
  second: ['reversed', 1_001],
  over: ['approved', 0],
  again: ['paid', 1_001],
  'over-again': ['approved', 0],
  'next-month': ['paid', 1_001],
} as const;

test('each order earns what the budget of its month covers, and an order that earns nothing says why', async () => {
  for (const [order, [state, amount]] of Object.entries(ends)) {
    const { json } = await merchant.api('GET', `${store}/commissions/${commissionIds[order]}`);
    expect([order, json.state, json.amount_cents]).toEqual([order, state, amount]);
    expect(json.explanation.includes('would exceed the program’s budget of 25.00 USD a month, of which 20.02 USD were used')).toBe(
      order.startsWith('over'),
    );
  }
});

testStatementsAndBooks(merchant, month, [1_001, 1_001, 1_001]);
