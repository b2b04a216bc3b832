import { afterAll, beforeAll, expect, test } from 'vitest';
import { publicId } from '../../src/platform/ids.ts';
import { verify } from '../../src/verify.ts';
import { openMerchant, type Merchant } from '../support/merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';

let merchant: Merchant;
beforeAll(async () => {
  merchant = await openMerchant();
});
afterAll(() => merchant.service.stop());

test('a year of monthly invoices with a refund, a change of plan and an end: each month says what it earned, and the ledger agrees', async () => {
  const subscriber = subscriberOf(merchant);
  await subscriber.bind();
  const relationship = publicId('bind', (await subscriber.relationship()).bindingId);
  const path = `/stores/${merchant.world.store.id}/relationships/${relationship}`;
  const expected: bigint[] = [];
  const pay = async (invoice_id: string, fields: Readonly<Record<string, unknown>> = {}) => {
    const came = await subscriber.bill({ invoice_id, ...fields });
    expect([came.status, came.json.reason]).toEqual([200, 'recorded']);
    expected.push(await subscriber.expected());
    return came.json.conversion_id;
  };
  const pro = { product_id: 'plan-pro', price_id: 'price-pro', amount_paid_minor_units: 9_900 };

  // Three months as they should be: 20 % of 49.00.
  for (const month of ['jan', 'feb', 'mar']) {
    expect(await pay(month)).toMatch(/^com_/);
    await merchant.moveClock('30d');
  }
  expect(expected).toEqual([980n, 1_960n, 2_940n]);

  // April's invoice fails twice before it is paid. In May it is refunded, ten days after it was paid.
  await subscriber.bill({ invoice_id: 'apr', payment_state: 'open' });
  await subscriber.bill({ invoice_id: 'apr', payment_state: 'failed' });
  await merchant.moveClock('3d');
  expect(await pay('apr')).toMatch(/^com_/);
  await merchant.moveClock('10d');
  expect((await subscriber.refund({ invoice_id: 'apr', reason: 'refunded' })).status).toBe(200);
  expect(await subscriber.expected()).toBe(2_940n);
  await merchant.moveClock('17d');

  // In May the customer changes the plan: two months wait for the merchant, who then accepts.
  expect(await pay('may', pro)).toBeUndefined();
  await merchant.moveClock('30d');
  expect(await pay('jun', pro)).toBeUndefined();
  expect(await subscriber.expected()).toBe(2_940n);
  const { json: held } = await merchant.api('GET', path);
  expect(held).toMatchObject({ held: { reason: 'product_mismatch', product_id: 'plan-pro' }, earning_invoices: 4 });
  expect((await merchant.api('POST', `${path}/review`, { decision: 'accept' })).status).toBe(200);
  expect(await subscriber.expected()).toBe(2_940n + 2n * 1_980n);
  await merchant.moveClock('30d');

  // The terms are cut in half; what was bound keeps its copy.
  const halved = { pays: 'order', order_rules: [{ basis_points: 500 }], subscription_rules: [{ basis_points: 1_000 }] };
  expect(
    (await merchant.api('POST', `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}/terms`, halved)).status,
  ).toBe(201);
  for (const month of ['jul', 'aug', 'sep', 'oct']) {
    expect(await pay(month, pro)).toMatch(/^com_/);
    await merchant.moveClock('30d');
  }
  expect(await subscriber.expected()).toBe(2_940n + 6n * 1_980n);

  // It ends with an invoice open; that one still counts, a new one does not. The first of January is long past its refund hold.
  await subscriber.bill({ invoice_id: 'nov', payment_state: 'open', ...pro });
  expect((await subscriber.end({ reason: 'cancelled' })).status).toBe(200);
  await merchant.moveClock('5d');
  expect(await pay('nov', pro)).toMatch(/^com_/);
  expect((await subscriber.bill({ invoice_id: 'dec', ...pro })).json.reason).toBe('relationship_ended');
  expect(await subscriber.expected()).toBe(2_940n + 7n * 1_980n);

  const { json } = await merchant.api('GET', path);
  expect(json).toMatchObject({
    state: 'ended',
    end_reason: 'cancelled',
    held: null,
    paid_invoices: 11,
    earning_invoices: 11,
    product_id: 'plan-pro',
  });
  expect(json.invoices.map(({ invoice_id, earns }: { invoice_id: string; earns: string }) => `${invoice_id} ${earns}`)).toEqual(
    ['nov', 'oct', 'sep', 'aug', 'jul', 'jun', 'may', 'apr', 'mar', 'feb', 'jan'].map((month) => `${month} commission`),
  );
  expect(json.invoices.find(({ invoice_id }: { invoice_id: string }) => invoice_id === 'apr').reversal_reason).toBe('refunded');
  const results = await verify(merchant.service.platform);
  expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
}, 120_000);
