import { afterAll, expect, test } from 'vitest';
import { publicId } from '../../src/core/ids.ts';
import { verify } from '../../src/app/verify.ts';
import { openMerchant, type ApiResponse } from '../support/merchant.ts';
import { subscriberOf } from '../support/subscriber.ts';

/** The tests are parts of one story and run in order: each starts from the state that the previous one left. */
const merchant = await openMerchant();
afterAll(() => merchant.service.stop());
const subscriber = subscriberOf(merchant);
await subscriber.bind();
const path = `/stores/${merchant.world.store.id}/relationships/${publicId('bind', (await subscriber.relationship()).bindingId)}`;

const month = () => merchant.moveClock('30d');
const pro = { product_id: 'plan-pro', price_id: 'price-pro', amount_paid_minor_units: 9_900 };
/** Commissions on 49.00 and on 99.00, at the bound rate of 20%. */
const basicCents = 980n;
const proCents = 1_980n;

async function pay(invoice_id: string, fields: Readonly<Record<string, unknown>> = {}): Promise<ApiResponse> {
  const response = await subscriber.reportInvoice({ invoice_id, ...fields });
  expect([response.status, response.json.reason]).toEqual([200, 'recorded']);
  return response;
}

test('three regular months each earn their share', async () => {
  for (const invoice of ['jan', 'feb', 'mar']) {
    expect((await pay(invoice)).json.conversion_id).toMatch(/^com_/);
    await month();
  }
  expect(await subscriber.expected()).toBe(3n * basicCents);
});

test("April's invoice is open, fails, is paid, and is refunded ten days later: its commission is reversed", async () => {
  await pay('apr', { payment_state: 'open' });
  await pay('apr', { payment_state: 'failed' });
  await merchant.moveClock('3d');
  await pay('apr');
  expect(await subscriber.expected()).toBe(4n * basicCents);
  await merchant.moveClock('10d');
  expect((await subscriber.refund({ invoice_id: 'apr', reason: 'refunded' })).status).toBe(200);
  expect(await subscriber.expected()).toBe(3n * basicCents);
  await merchant.moveClock('17d');
});

test('after a plan change two months wait for the merchant, and earn when the change is accepted', async () => {
  expect((await pay('may', pro)).json.conversion_id).toBeUndefined();
  await month();
  expect((await pay('jun', pro)).json.conversion_id).toBeUndefined();
  expect(await subscriber.expected()).toBe(3n * basicCents);
  expect((await merchant.api('GET', path)).json).toMatchObject({
    held: { reason: 'product_mismatch', product_id: 'plan-pro' },
    earning_invoices: 4,
  });
  expect((await merchant.api('POST', `${path}/review`, { decision: 'accept' })).status).toBe(200);
  expect(await subscriber.expected()).toBe(3n * basicCents + 2n * proCents);
  await month();
});

test('halving the rate of the terms does not change a bound subscription, which keeps its copy', async () => {
  const halved = { pays: 'order', order_rules: [{ basis_points: 500 }], subscription_rules: [{ basis_points: 1_000 }] };
  const program = `/stores/${merchant.world.store.id}/programs/${merchant.world.program.id}`;
  expect((await merchant.api('POST', `${program}/terms`, halved)).status).toBe(201);
  for (const invoice of ['jul', 'aug', 'sep', 'oct']) {
    expect((await pay(invoice, pro)).json.conversion_id).toMatch(/^com_/);
    await month();
  }
  expect(await subscriber.expected()).toBe(3n * basicCents + 6n * proCents);
});

test('when the subscription ends with an open invoice, that invoice still earns, and a new one does not', async () => {
  await pay('nov', { payment_state: 'open', ...pro });
  expect((await subscriber.end({ reason: 'cancelled' })).status).toBe(200);
  await merchant.moveClock('5d');
  expect((await pay('nov', pro)).json.conversion_id).toMatch(/^com_/);
  expect((await subscriber.reportInvoice({ invoice_id: 'dec', ...pro })).json.reason).toBe('relationship_ended');
  expect(await subscriber.expected()).toBe(3n * basicCents + 7n * proCents);
});

test('after a year the subscription shows its history, and all totals add up', async () => {
  const { json } = await merchant.api('GET', path);
  const ended = { state: 'ended', end_reason: 'cancelled', held: null, paid_invoices: 11, earning_invoices: 11, product_id: 'plan-pro' };
  expect(json).toMatchObject(ended);
  type Shown = { readonly invoice_id: string; readonly earns: string; readonly reversal_reason: string | null };
  expect(json.invoices.map(({ invoice_id, earns, reversal_reason }: Shown) => [invoice_id, earns, reversal_reason])).toEqual(
    ['nov', 'oct', 'sep', 'aug', 'jul', 'jun', 'may', 'apr', 'mar', 'feb', 'jan'].map((invoice) => [
      invoice,
      'commission',
      invoice === 'apr' ? 'refunded' : null,
    ]),
  );
  const results = await verify(merchant.service.platform);
  expect(results.filter(({ differences }) => differences.length > 0)).toEqual([]);
});
