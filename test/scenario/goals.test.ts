import { expect, test } from 'vitest';
import { expectSuccess } from '../support/billing.ts';
import type { Json } from '../support/merchant.ts';
import { openMerchantInSpring, payMonth, testStatementsAndBooks } from '../support/paid-month.ts';

/** A goal of two orders in a month is reached: its bonus is approved, invoiced, and paid like the orders. */
const { merchant, store, program } = await openMerchantInSpring();

const goals = [{ orders: 2, period: 'month', amount_cents: 2_500 }];
expectSuccess(await merchant.api('POST', `${program}/terms`, { order_rules: [{ basis_points: 1_000 }], goals }));
for (const order_id of ['first', 'second', 'third'])
  await merchant.convert(await merchant.order({ order_id, order_subtotal_cents: 10_005 }));
const approve = async () => expectSuccess(await merchant.api('POST', `${store}/commissions/approve`, { filter: { state: 'pending' } }));
await approve();
await merchant.moveClock('1d');
const [bonus] = (await merchant.api('GET', `${store}/bonuses`)).json.data;
await approve();
const month = await payMonth(merchant);

test('the bonus is paid once, beside the orders that reached the goal', async () => {
  expect((await merchant.api('GET', `${store}/bonuses`)).json.data).toHaveLength(1);
  const { json } = await merchant.api('GET', `${store}/commissions/${bonus.commission_id}`);
  expect([json.state, json.amount_cents]).toEqual(['paid', 2_500]);
  const [invoice] = (await merchant.api('GET', `${store}/invoices`)).json.data;
  const { json: shown } = await merchant.api('GET', `${store}/invoices/${invoice.id}`);
  expect(shown.lines.map(({ order_id: order, bonus_reason: reason }: Json) => order ?? reason).toSorted()).toEqual(
    [bonus.reason, 'first', 'second', 'third'].toSorted(),
  );
});

testStatementsAndBooks(merchant, month, [1_001, 1_001, 1_001, 2_500]);
