import { expect, test } from 'vitest';
import { expectRefused } from '../../support/expect-response.ts';
import { openSharedMerchantAlone } from '../../support/merchant.ts';
import { rowsWritten } from '../../support/rows.ts';

/** The brackets in a title name the section of the interface that the test verifies, and the row or rule in it. */
const merchant = await openSharedMerchantAlone();
const click = await merchant.click();

type InvalidField = readonly [what: string, fields: Readonly<Record<string, unknown>>, field: string, message: string];
const whole = 'must be a whole number of cents from 0 to 9007199254740991.';
const code = 'must be a three-letter currency code, such as USD.';
const line = { product_id: 'sku-a', amount_minor_units: 10_005, quantity: 1 };
const invalidFields: readonly InvalidField[] = [
  ['no order_id', { order_id: undefined }, '/order_id', 'order_id is required.'],
  ['an order_id of null', { order_id: null }, '/order_id', 'order_id is required.'],
  ['an empty order_id', { order_id: '' }, '/order_id', 'order_id is required.'],
  ['a number as order_id', { order_id: 1001 }, '/order_id', 'order_id must be a string.'],
  ['an order_id of 501 characters', { order_id: 'x'.repeat(501) }, '/order_id', 'order_id must have at most 500 characters.'],
  ['an order_id that no database holds', { order_id: 'a\0b' }, '/order_id', 'order_id must not contain U+0000 or an unpaired surrogate.'],
  ['a click_id that is no text', { click_id: 7 }, '/click_id', 'click_id must be a string.'],
  ['a click_id of 201 characters', { click_id: 'r'.repeat(201) }, '/click_id', 'click_id must have at most 200 characters.'],
  ['no currency', { currency: undefined }, '/currency', 'currency is required.'],
  ['a currency of four characters', { currency: 'USDT' }, '/currency', `currency ${code}`],
  ['no subtotal', { order_subtotal_cents: undefined }, '/order_subtotal_cents', 'order_subtotal_cents is required.'],
  ['a subtotal below 0', { order_subtotal_cents: -1 }, '/order_subtotal_cents', `order_subtotal_cents ${whole}`],
  ['half a cent', { order_subtotal_cents: 10.5 }, '/order_subtotal_cents', `order_subtotal_cents ${whole}`],
  ['a subtotal as text', { order_subtotal_cents: '10005' }, '/order_subtotal_cents', `order_subtotal_cents ${whole}`],
  ['no occurred_at', { occurred_at: undefined }, '/occurred_at', 'occurred_at is required.'],
  ['a number as time', { occurred_at: 1_700_000_000 }, '/occurred_at', 'occurred_at must be a string such as 2026-03-01T12:00:00.000Z.'],
  [
    'an eligible amount above the subtotal',
    { eligible_amount_cents: 10_006 },
    '/eligible_amount_cents',
    'eligible_amount_cents is 10006, which is more than the total of 10005.',
  ],
  ['lines that are no list', { line_items: {} }, '/line_items', 'line_items must be an array.'],
  [
    'lines that sum to something else',
    { line_items: [{ ...line, amount_minor_units: 10_004 }] },
    '/line_items',
    'line_items must add up to the eligible amount of 10005. They add up to 10004.',
  ],
  ['a line without a quantity', { line_items: [line, { ...line, quantity: null }] }, '/line_items/1/quantity', 'quantity is required.'],
  ['201 lines', { line_items: Array.from({ length: 201 }, () => line) }, '/line_items', 'line_items must have at most 200 items.'],
  ['an order_name that is no text', { order_name: [] }, '/order_name', 'order_name must be a string.'],
  ['metadata that is no object', { metadata: 'web' }, '/metadata', 'metadata must be an object.'],
  ['metadata of 4,097 bytes', { metadata: { a: 'x'.repeat(4_089) } }, '/metadata', 'metadata must have at most 4096 bytes; it has 4097.'],
  ['a test that is neither true nor false', { test: 'yes' }, '/test', 'test must be true or false.'],
];
test.each(invalidFields)(
  'rejects %s with invalid_payload and the field, and stores only the log entry [Conversion request]',
  async (_what, fields, field, message) => {
    const order = await merchant.order({ click_id: click, ...fields });
    const rows = await rowsWritten(merchant.database, async () => {
      expectRefused(await merchant.convert(order), 400, 'invalid_payload', { retry: 'never', field, message });
    });
    expect(rows).toEqual({ postback_log: '1 new' });
  },
);

test('rejects a body that is not JSON or not an object, and logs its bytes [Errors, 400]', async () => {
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.convert('order_id=1'), 400, 'json_required', 'never');
    expectRefused(await merchant.convert(''), 400, 'json_required', 'never');
    const message = 'The body must be a JSON object.';
    expectRefused(await merchant.convert('[]'), 400, 'invalid_payload', { retry: 'never', message });
  });
  expect(rows).toEqual({ postback_log: '3 new' });
  const { json } = await merchant.api('GET', `/stores/${merchant.world.store.id}/tracking-log?limit=3`);
  expect(json.data.map(({ body }: { body: unknown }) => body)).toEqual(['[]', '', 'order_id=1']);
});

test('rejects a missing line_items if the program pays per product [Conversion request, line_items]', async () => {
  const click_id = await merchant.click(merchant.world.per_product.link_url);
  const order = await merchant.order({ click_id });
  const rows = await rowsWritten(merchant.database, async () => {
    expectRefused(await merchant.convert(order), 400, 'invalid_payload', { retry: 'never', field: '/line_items' });
  });
  expect(rows).toEqual({ postback_log: '1 new' });
  const corrected = { ...order, line_items: [line] };
  expect((await merchant.convert(corrected)).json.reason).toBe('recorded');
});

test('a 400 uses up neither the order_id nor the click [Errors, 400]', async () => {
  const order = await merchant.order();
  expect((await merchant.convert({ ...order, currency: 5 })).status).toBe(400);
  expect((await merchant.convert(order)).json.reason).toBe('recorded');
});
