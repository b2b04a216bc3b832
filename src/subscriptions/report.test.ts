import { expect, test } from 'vitest';
import { FieldError } from '../contract/fields.ts';
import { contentHash, isSameContent, type Content } from '../contract/content-hash.ts';
import { eventLists, namesPartnerFields, readBilling, readBind, readEnd, readInvoiceReversal } from './report.ts';

const common = { event_id: 'e-1', relationship_id: 'sub-1', environment: 'live', occurred_at: '2026-03-01T12:00:00.000Z' };
const product = { product_id: 'basic', price_id: 'monthly', currency: 'USD' };
const paid = { invoice_id: 'in-1', payment_state: 'paid', amount_paid_minor_units: 4_900, eligible_amount_minor_units: 4_503 };
const reason = 'refunded';

function contentOf(report: { readonly content: Content } | FieldError): Content {
  if (report instanceof FieldError) throw new Error(report.message);
  return report.content;
}
const kinds = [
  [
    'relationship',
    contentOf(readBind({ ...common, ...product, click_id: 'rmc_x', discount_code: 'A', discount_codes: ['B'], customer_id: 'c' }, true)),
    '01d47736cdf5a1f80de18f9541b8551ec03a943c4284e6bc35f8aa5be863bc3724',
  ],
  [
    'billing_event',
    contentOf(readBilling({ ...common, ...product, ...paid })),
    '014da81faddd0b13ef09e505bd9fecc1ed5cded3dfff137a0bc61fd226d55fb5a5',
  ],
  [
    'invoice_reversal',
    contentOf(readInvoiceReversal({ ...common, invoice_id: 'in-1', reason })),
    '01cfdd5628d223adcfa18174f793b06a44073d5b81dd5c23aa868e4c5692d6ac76',
  ],
  ['relationship_end', contentOf(readEnd({ ...common, reason })), '015c836254bc554b0abc8e1fb31e701d749935f30c5234b580e05b008230c8e2a8'],
] as const;

test.each(kinds)('all that is read of a %s is compared: its newest list leaves no field out', (operation, content) => {
  const said = Object.keys(content).filter((name) => content[name] !== null);
  expect([...(eventLists[operation].at(-1)?.names ?? [])].sort()).toEqual(said.sort());
});

test.each(kinds)('what was kept of a %s before an upgrade is the same after it: a list never changes', (operation, content, kept) => {
  const [first] = eventLists[operation];
  expect(first && contentHash(first, content).toString('hex')).toBe(kept);
  expect(isSameContent(Buffer.from(kept, 'hex'), eventLists[operation], content)).toBe(true);
});

const bind = { ...common, ...product, click_id: 'rmc_x' };
const partners = { discount_code: 'A', discount_codes: ['B'], customer_id: 'c' };

test('a store that counts only clicks ignores codes and customers of a bind, even invalid ones, and needs the click', () => {
  expect(readBind({ ...bind, ...partners }, false)).toMatchObject({ clickId: 'rmc_x', partners: null });
  expect(readBind({ ...bind, discount_code: 5, discount_codes: 'B', customer_id: {} }, false)).toEqual(readBind(bind, false));
  expect(readBind({ ...bind, ...partners, click_id: null }, false)).toMatchObject({ reason: 'invalid_payload', field: '/click_id' });
});

test.each<readonly [string, object, string | null]>([
  ['a code', { discount_code: 'A' }, null],
  ['a list of codes', { discount_codes: ['A'] }, null],
  ['a customer', { customer_id: 'c' }, null],
  ['an empty list, for which the answer is that nothing earns', { discount_codes: [] }, null],
  ['nothing', {}, '/click_id'],
  ['a code in a test, which needs the click of a test link', { discount_code: 'A', environment: 'test' }, '/click_id'],
  ['an invalid code', { discount_code: 5 }, '/discount_code'],
  ['an invalid list', { discount_codes: 'A' }, '/discount_codes'],
  ['an invalid customer', { customer_id: 5 }, '/customer_id'],
])('reads a bind without a click in a store that counts codes: %s', (_what, fields, field) => {
  const read = readBind({ ...bind, click_id: null, ...fields }, true);
  expect(read instanceof FieldError ? read.field : null).toBe(field);
});

test('only a bind that names a code or a customer can need more than a click', () => {
  expect(namesPartnerFields(bind)).toBe(false);
  expect(namesPartnerFields({ ...bind, discount_code: null })).toBe(false);
  for (const [name, value] of Object.entries(partners)) expect(namesPartnerFields({ ...bind, [name]: value })).toBe(true);
});
