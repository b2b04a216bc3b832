import { expect, test } from 'vitest';
import { FieldError } from '../contract/fields.ts';
import { contentHash, isSameContent, type Content } from '../contract/content-hash.ts';
import { conversionLists, readConversion, readReversal, reversalLists } from './report.ts';

const order = {
  order_id: 'A-1',
  click_id: 'rmc_x',
  currency: 'USD',
  order_subtotal_cents: 10_005,
  occurred_at: '2026-03-01T12:00:00.000Z',
  eligible_amount_cents: 9_005,
  line_items: [{ product_id: 'sku-a', amount_minor_units: 9_005, quantity: 2 }],
  order_name: '#1',
  customer_id: 'c-1',
  discount_code: 'SPRING',
  discount_codes: ['SPRING', 'MORE'],
  country: 'de',
  metadata: { channel: 'web' },
  test: true,
};
const refund = { order_id: 'A-1', occurred_at: '2026-03-01T12:00:00.000Z', reason: 'refunded' };

function contentOf(report: { readonly content: Content } | FieldError): Content {
  if (report instanceof FieldError) throw new Error(report.message);
  return report.content;
}
const kinds = [
  ['conversion', conversionLists, contentOf(readConversion(order)), '01833b184711835ac52ff2531fc7d3bff32fc91f9fae362747616d659fc035d572'],
  ['reversal', reversalLists, contentOf(readReversal(refund)), '016ed502bebc1c0430b2b3e038705a7c7dc4fbb1a22f4cddbd49ed83ee1870d5a3'],
] as const;

test.each(kinds)('all that is read of a %s is compared: its newest list leaves no field out', (_what, lists, content) => {
  const said = Object.keys(content).filter((name) => content[name] !== null);
  expect([...(lists.at(-1)?.names ?? [])].sort()).toEqual(said.sort());
});

test('a country is read in any case, and anything else than a code counts as absent', () => {
  const countryOf = (country: unknown) => contentOf(readConversion({ ...order, country }))['country'];
  expect(['de', 'DE', 'Germany', 'XX', 5, null, ''].map(countryOf)).toEqual(['DE', 'DE', null, null, null, null, null]);
});

test('an order that was recorded before the field existed repeats with a country', () => {
  const [, second] = conversionLists;
  const content = contentOf(readConversion(order));
  expect(second && isSameContent(contentHash(second, { ...content, country: null }), conversionLists, content)).toBe(true);
});

test.each(kinds)('what was kept of a %s before an upgrade is the same after it: a list never changes', (_what, lists, content, kept) => {
  const [first] = lists;
  expect(first && contentHash(first, content).toString('hex')).toBe(kept);
  expect(isSameContent(Buffer.from(kept, 'hex'), lists, content)).toBe(true);
});
