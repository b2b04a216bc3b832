import { expect, test } from 'vitest';
import { amount, clickId, country, currency, lineItems, optional, required, text, time } from '../contract/fields.ts';
import type { Reason } from '../contract/reasons.ts';
import type { Why } from '../contract/why.ts';
import { warningsOf } from './warnings.ts';

const fields = {
  order_id: required(text),
  click_id: optional(clickId),
  currency: required(currency),
  order_subtotal_cents: required(amount),
  eligible_amount_cents: optional(amount),
  occurred_at: required(time),
  line_items: optional(lineItems),
  country: optional(country),
};
const request = { fields, receivedAt: new Date('2026-03-01T12:00:00Z'), origin: null, secFetchSite: null, keysInBody: [] };
const order = { order_id: '1', currency: 'USD', order_subtotal_cents: 10_005, occurred_at: '2026-03-01T12:00:00Z' };
const judgedAs = (reason: Reason, why: Why = {}) => ({ outcome: { reason }, why });
const warned = (json: object | null, judged = judgedAs('recorded')) =>
  warningsOf({ ...request, json: json === null ? null : { ...order, ...json } }, judged).map(({ code, field }) => [code, field]);

test('an order as it should be has no warning', () => {
  expect(warned({})).toEqual([]);
  expect(warned({ eligible_amount_cents: 10_005, line_items: [{ product_id: 'a', amount_minor_units: 10_005, quantity: 1 }] })).toEqual([]);
});

const shapes: ReadonlyArray<readonly [what: string, json: object, warnings: ReadonlyArray<readonly [code: string, field: string]>]> = [
  ['a fraction', { order_subtotal_cents: 100.05 }, [['amount_in_dollars', '/order_subtotal_cents']]],
  ['an amount as text', { order_subtotal_cents: '$100.05' }, [['amount_in_dollars', '/order_subtotal_cents']]],
  ['dollars and cents as text', { order_subtotal_cents: '100.05' }, [['amount_in_dollars', '/order_subtotal_cents']]],
  ['a round amount of dollars as text', { order_subtotal_cents: '$100' }, [['amount_in_dollars', '/order_subtotal_cents']]],
  ['digits as text', { order_subtotal_cents: '10005' }, [['amount_as_text', '/order_subtotal_cents']]],
  ['text that is no amount', { order_subtotal_cents: 'ten' }, []],
  ['less than a dollar', { order_subtotal_cents: 49 }, [['amount_in_dollars', '/order_subtotal_cents']]],
  ['exactly a dollar', { order_subtotal_cents: 100 }, []],
  ['nothing', { order_subtotal_cents: 0 }, []],
  ['100,000 dollars', { order_subtotal_cents: 10_000_000 }, [['amount_very_high', '/order_subtotal_cents']]],
  ['100,000 dollars and a cent', { order_subtotal_cents: 10_000_001 }, []],
  [
    'a whole and a part in two units',
    { eligible_amount_cents: 100.05 },
    [
      ['amount_in_dollars', '/eligible_amount_cents'],
      ['amounts_in_two_units', '/eligible_amount_cents'],
    ],
  ],
  [
    'a part of a hundredth',
    { order_subtotal_cents: 10_000, eligible_amount_cents: 100 },
    [['amounts_in_two_units', '/eligible_amount_cents']],
  ],
  ['no number at all', { order_subtotal_cents: {}, eligible_amount_cents: [1] }, []],
  ['a number beyond all bounds', { order_subtotal_cents: Number.POSITIVE_INFINITY }, []],
  ['a clock two minutes ahead', { occurred_at: '2026-03-01T12:02:00Z' }, [['clock_ahead', '/occurred_at']]],
  ['a clock one minute ahead', { occurred_at: '2026-03-01T13:01:00+01:00' }, []],
  ['no time', { occurred_at: 'noon' }, []],
  ['a country by its name', { country: 'Germany' }, [['country_not_a_code', '/country']]],
  ['a country in lower case', { country: 'de' }, []],
  ['a local time without its offset', { occurred_at: '2026-03-01T14:00:00' }, []],
  [
    'unknown fields, in lines too',
    { eligible_amount: 5, line_items: [{ sku: 'a' }] },
    [
      ['unknown_field', '/eligible_amount'],
      ['unknown_field', '/line_items/0/sku'],
    ],
  ],
];
test.each(shapes)('%s', (_what, json, warnings) => {
  expect(warned(json)).toEqual(warnings);
});

test('the field that was probably meant is named', () => {
  const [warning] = warningsOf({ ...request, json: { ...order, orderId: '1' } }, judgedAs('invalid_payload'));
  expect(warning?.message).toBe('The field orderId is ignored. Did you mean order_id?');
});

test('a warning about an amount in dollars names the amount in cents', () => {
  const messages = (json: object) =>
    warningsOf({ ...request, json: { ...order, ...json } }, judgedAs('recorded')).map(({ message }) => message);
  expect(messages({ order_subtotal_cents: '19.99' })).toEqual([
    'order_subtotal_cents looks like dollars. Amounts must be whole cents: for 19.99 USD, send 1999.',
  ]);
  // As lint corrects it: bare digits are cents in quotes.
  expect(messages({ order_subtotal_cents: '10005' })).toEqual(['order_subtotal_cents must be a number, without quotes.']);
  expect(messages({ order_subtotal_cents: 49 })).toEqual(['order_subtotal_cents is 0.49 USD. If you meant 49 dollars, send 4900.']);
  expect(messages({ order_subtotal_cents: 10_005_00 * 100 })).toEqual([
    'order_subtotal_cents is 1,000,500.00 USD. If you meant 10,005.00 USD, your server converted it to cents twice.',
  ]);
});

test('a key in a browser is seen by either header, also where no body was read', () => {
  for (const seen of [{ origin: 'https://shop.example' }, { secFetchSite: 'cross-site' }])
    expect(warningsOf({ ...request, ...seen, json: null }, judgedAs('payload_too_large')).map(({ code }) => code)).toEqual([
      'key_in_browser',
    ]);
  expect(warned(null)).toEqual([]);
});

test('warns of a click older than the lifetime of the cookie, not of one exactly as old', () => {
  const why = (clicked_at: string) => ({ clicked_at, occurred_at: '2026-03-31T12:00:00.000Z' });
  expect(warned({}, judgedAs('recorded', why('2026-03-01T12:00:00.000Z')))).toEqual([['click_older_than_cookie', '/click_id']]);
  expect(warned({}, judgedAs('recorded', why('2026-03-01T12:00:00.001Z')))).toEqual([]);
});

test.each(['https://shop.example/?rm_click=rmc_1', 'rm_click=rmc_1', ' rmc_1', 'rmc_1%20', '"rmc_1"'])(
  'a click ID with more around it: %s',
  (click_id) => {
    expect(warned({ click_id }, judgedAs('unknown_referral_click'))).toEqual([['click_not_bare', '/click_id']]);
    expect(warned({ click_id: 'rmc_1' }, judgedAs('unknown_referral_click'))).toEqual([]);
  },
);

test('a body made to be warned of is warned of in bounds', () => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_none, index) => [`field ${index}`, index]));
  expect(warned(many).length).toBeLessThanOrEqual(20);
});
