import { expect, test } from 'vitest';
import { cpuMsOf } from '../../test/support/cpu-time.ts';
import { lintPostback, type Lint } from './lint.ts';
import type { Operation } from '../contract/reasons.ts';

const now = new Date('2026-03-01T12:00:00.000Z');
const click = `rmc_${'a'.repeat(43)}`;
const order = { order_id: '1', click_id: click, currency: 'USD', order_subtotal_cents: 10_005, occurred_at: '2026-03-01T11:00:00.000Z' };
const invoice = {
  event_id: 'e',
  relationship_id: 's',
  invoice_id: 'i',
  payment_state: 'paid',
  amount_paid_minor_units: 4_900,
  product_id: 'p',
  currency: 'USD',
  environment: 'live',
  occurred_at: '2026-03-01T11:00:00.000Z',
};
const lint = (body: unknown, operation: Operation | null = null): Lint =>
  lintPostback({ operation, text: typeof body === 'string' ? body : JSON.stringify(body), now });
const errorsOf = ({ faults: found }: Lint) => found.map(({ reason, field }) => `${reason} ${field ?? ''}`.trim());

test('does not correct a number of microseconds, which would lead to a year of five digits', () => {
  const { corrected } = lint({ ...order, occurred_at: 1_772_362_800_000_000 });
  expect(corrected?.body ?? '').not.toMatch(/"occurred_at": *"\+/);
  expect(corrected?.changes.map(({ field }) => field) ?? []).not.toContain('/occurred_at');
});

test.each([
  ['objects', `{"order_id":"1","metadata":${'{"a":'.repeat(8_000)}1${'}'.repeat(8_000)}}`],
  ['arrays', `{"order_id":"1","metadata":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
])('reports %s nested deeper than the stack allows as an error', (_what, text) => {
  expect(errorsOf(lint(text, 'conversion'))).toEqual(['payload_too_large']);
});

test('validates thousands of unknown fields in linear time', () => {
  const body = `{"order_id":"1",${Array.from({ length: 600 }, (_, place) => `"${'aA'.repeat(48)}${place}":1`).join(',')}}`;
  expect(cpuMsOf(() => lint(body, 'conversion'))).toBeLessThan(1_500);
});

test('a valid report has no errors, warnings, or corrections', () => {
  expect(lint(order)).toEqual({ operation: 'conversion', faults: [], warnings: [], corrected: null, curlRead: null });
  expect(lint(invoice)).toMatchObject({ operation: 'billing_event', faults: [], warnings: [], corrected: null });
});

test.each<readonly [string, object, Operation]>([
  ['an order', order, 'conversion'],
  ['an order without its total', { order_id: '1', click_id: 'c' }, 'conversion'],
  ['a refund', { order_id: '1' }, 'reversal'],
  ['an invoice', invoice, 'billing_event'],
  ['a bind', { relationship_id: 's', event_id: 'e', click_id: 'c', product_id: 'p' }, 'relationship'],
  ["an invoice's refund", { relationship_id: 's', event_id: 'e', invoice_id: 'i' }, 'invoice_reversal'],
])('detects %s by its fields', (_what, body, operation) => expect(lint(body).operation).toBe(operation));

test('asks for the operation if a body could be several', () => {
  expect(lint({ event_id: 'e', relationship_id: 's', environment: 'live' })).toMatchObject({
    operation: null,
    faults: [{ reason: 'invalid_payload' }],
  });
  expect(lint({ event_id: 'e', relationship_id: 's', environment: 'live' }, 'relationship_end').faults).toEqual([]);
});

test.each<readonly [string, object, readonly string[]]>([
  [
    'every error is reported, not only the first one',
    { ...order, order_id: null, currency: 'US', occurred_at: 5 },
    ['invalid_payload /order_id', 'invalid_payload /currency', 'invalid_payload /occurred_at'],
  ],
  ['no click', { ...order, click_id: null }, ['missing_referral_click /click_id']],
  ['no click, and a code that may count', { ...order, click_id: null, discount_code: 'ADA10' }, []],
  ['no click, and a customer who may count', { ...order, click_id: null, customer_id: 'c-1' }, []],
  ['another currency', { ...order, currency: 'EUR' }, ['unsupported_pricing_currency /currency']],
  ['a time without an offset', { ...order, occurred_at: '2026-03-01T11:00:00' }, ['invalid_occurred_at /occurred_at']],
  ['a time ahead', { ...order, occurred_at: '2026-03-01T12:05:00.001Z' }, ['invalid_occurred_at /occurred_at']],
  ['an old refund', { order_id: '1', occurred_at: '2025-01-01T00:00:00Z' }, ['invalid_occurred_at /occurred_at']],
  [
    'lines that do not sum',
    { ...order, line_items: [{ product_id: 'a', amount_minor_units: 1, quantity: 1 }] },
    ['invalid_payload /line_items'],
  ],
  ['a partial refund', { order_id: '1', amount_cents: 5 }, ['invalid_payload /amount_cents']],
  ['a click in an invoice', { ...invoice, click_id: click }, ['unexpected_click_id /click_id']],
  ['more eligible than paid', { ...invoice, eligible_amount_minor_units: 5_000 }, ['invalid_payload /eligible_amount_minor_units']],
])('%s', (_what, body, found) => expect(errorsOf(lint(body))).toEqual(found));

test('reports the position of a JSON error, and reads the body if only a small mistake prevents it', () => {
  expect(lint('{"order_id": ')).toMatchObject({ faults: [{ reason: 'json_required', status: 400 }], corrected: null });
  expect(lint('[]')).toMatchObject({ faults: [{ reason: 'invalid_payload' }] });
  expect(lint('')).toMatchObject({ faults: [{ reason: 'json_required' }] });
  const slip = lint(`\uFEFF${JSON.stringify(order).replace(/}$/, ',}')}`);
  expect(errorsOf(slip)).toEqual(['json_required']);
  expect(JSON.parse(slip.corrected?.body ?? '')).toEqual(order);
  expect(lint(JSON.stringify({ ...order, metadata: { a: 'x'.repeat(17_000) } })).faults[0]).toMatchObject({
    reason: 'payload_too_large',
    status: 413,
  });
});

test('the warnings are those of the tracking log', () => {
  const { warnings, faults: none } = lint({ ...order, order_subtotal_cents: 50, eligible_amount: 1, click_id: 'abc' });
  expect(none).toEqual([]);
  expect(warnings.map(({ code, field }) => `${code} ${field}`)).toEqual([
    'unknown_field /eligible_amount',
    'amount_in_dollars /order_subtotal_cents',
    'click_not_bare /click_id',
  ]);
});

test.each<readonly [string, object, object]>([
  ['dollars as a number', { order_subtotal_cents: 100.05 }, { order_subtotal_cents: 10_005 }],
  ['dollars that no float can multiply', { order_subtotal_cents: 1.1 }, { order_subtotal_cents: 110 }],
  ['dollars as text', { order_subtotal_cents: '$100.05' }, { order_subtotal_cents: 10_005 }],
  ['cents as text', { order_subtotal_cents: '10005' }, { order_subtotal_cents: 10_005 }],
  ['a name of another language', { order_subtotal_cents: undefined, orderSubtotalCents: 10_005 }, {}],
  ['a misspelled name', { currency: undefined, curency: 'USD' }, {}],
  ['a lower-case currency', { currency: 'usd' }, {}],
  ['a number as an id', { order_id: 1 }, {}],
  ['a time of Python', { occurred_at: '2026-03-01 11:00:00.123456+00:00' }, { occurred_at: '2026-03-01T11:00:00.123456+00:00' }],
  ['a time without an offset', { occurred_at: '2026-03-01T11:00:00' }, { occurred_at: '2026-03-01T11:00:00Z' }],
  ['an offset without a colon', { occurred_at: '2026-03-01T11:00:00+0100' }, { occurred_at: '2026-03-01T11:00:00+01:00' }],
  [
    'a time of Go, with too many digits',
    { occurred_at: '2026-03-01 11:00:00.123456789123 UTC' },
    { occurred_at: '2026-03-01T11:00:00.123456789Z' },
  ],
  ['seconds since 1970', { occurred_at: 1_772_362_800 }, {}],
  ['milliseconds since 1970', { occurred_at: 1_772_362_800_000 }, {}],
  ['the whole address as the click', { click_id: `https://shop.example/?rm_click=${click}&a=b` }, {}],
  ['truth as text', { test: 'true' }, { test: true }],
  [
    'lines of text',
    { line_items: [{ product_id: 7, amount_minor_units: '100.05', quantity: '2' }] },
    { line_items: [{ product_id: '7', amount_minor_units: 10_005, quantity: 2 }] },
  ],
])('corrects %s, and the corrected body is valid', (_what, wrong, right) => {
  const { corrected, faults: found, warnings } = lint({ ...order, ...wrong });
  expect(found.length + warnings.length).toBeGreaterThan(0);
  expect(corrected?.changes.length).toBeGreaterThan(0);
  expect(corrected?.faults).toEqual([]);
  expect(JSON.parse(corrected?.body ?? '')).toEqual({ ...order, ...right });
});

test('a partial refund is never corrected into a full one', () => {
  expect(lint({ order_id: '1', amount_cents: 5 }).corrected).toBeNull();
  expect(lint({ order_id: 1, amount_cents: 5 }).corrected?.faults).toMatchObject([{ field: '/amount_cents' }]);
});

test('keeps two names that both mean a third, because the intent is ambiguous', () => {
  const { corrected } = lint({ ...order, currency: 'usd', order_id: undefined, orderId: '1', 'order-id': '2' });
  expect(JSON.parse(corrected?.body ?? '')).toEqual({ ...order, order_id: undefined, orderId: '1', 'order-id': '2' });
  expect(corrected?.changes.map(({ field }) => field)).toEqual(['/currency']);
  expect(corrected?.faults).toMatchObject([{ reason: 'invalid_payload', field: '/order_id' }]);
});

test('treats names such as __proto__ as ordinary names', () => {
  const text = `{"__proto__":{"order_id":"1"},${JSON.stringify({ ...order, order_id: 1 }).slice(1)}`;
  expect(Object.hasOwn(JSON.parse(lint(text).corrected?.body ?? ''), '__proto__')).toBe(true);
  const names = { constructor: 'Name', toString: 'LENGTH', order_id: 1 };
  expect(JSON.parse(lint({ ...order, ...names }).corrected?.body ?? '')).toMatchObject({ ...names, order_id: '1' });
  expect(JSON.parse(lint({ ...invoice, environment: 'constructor', invoice_id: 1 }).corrected?.body ?? '')).toMatchObject({
    environment: 'constructor',
  });
});

test.each(['order_subtotal_cents', 'occurred_at', 'currency', 'click_id', 'order_id', 'test'])(
  'a %s of nothing but spaces, as long as a text may be, is judged at once',
  (name) => {
    const judge = () => {
      expect(lint({ ...order, [name]: `1${' '.repeat(60_000)}x` }).faults.length).toBeGreaterThan(0);
      expect(lint({ ...order, [name]: `${' '.repeat(60_000)}x` }).faults.length).toBeGreaterThan(0);
    };
    expect(cpuMsOf(judge)).toBeLessThan(2_000);
  },
);

const url = 'https://partners.example/api/partner-network/postbacks/trk_1';
const good = `curl -X POST "${url}/conversions" \\\n  -H 'Authorization: Bearer pbk_secret' \\\n  -H 'Content-Type: application/json' \\\n  -d '${JSON.stringify(order)}'`;

test('parses a curl command like a shell', () => {
  const { faults: none, operation, curlRead } = lint(good);
  expect([none, operation]).toEqual([[], 'conversion']);
  expect(curlRead).toEqual({
    url: `${url}/conversions`,
    method: 'POST',
    operation: 'conversion',
    hasKey: true,
    contentType: 'application/json',
    body: JSON.stringify(order),
    bodyFile: null,
  });
  const other = `curl --json $'{"order_id": "it\\'s 1"}' --header "X-Service-Postback-Key: $KEY" -s --max-time 5 ${url}/reversals`;
  expect(lint(other)).toMatchObject({
    operation: 'reversal',
    faults: [],
    curlRead: { body: `{"order_id": "it's 1"}`, method: 'POST', hasKey: true },
  });
  const joined = `curl ${url}/v2/recurring/relationships/end -XPOST --request=POST -HContent-Type:application/json -H"X-Service-Postback-Key: k" -d "{\\"event_id\\":\\"e\\",\\"relationship_id\\":\\"s\\",\\"environment\\":\\"live\\"}"`;
  expect(lint(joined)).toMatchObject({ operation: 'relationship_end', faults: [] });
});

test('never repeats the key of a curl command', () => {
  expect(JSON.stringify(lint(good))).not.toContain('secret');
});

test.each<readonly [string, string, readonly string[]]>([
  ['a form, as curl sends it unasked', good.replace(/ *-H 'Content-Type.*\n/, ''), ['json_required']],
  ['no key', good.replace(/ *-H 'Authorization.*\n/, ''), ['missing_postback_key']],
  ['another method', good.replace('-X POST', '-X PUT'), ['method_not_allowed']],
  ['a slash at the end', good.replace('conversions"', 'conversions/"'), ['not_found']],
  ['a body that is elsewhere', good.replace(/-d '.*'$/s, '-d @order.json'), ['json_required']],
  ['no body', good.replace(/ \\\n {2}-d '.*'$/s, ''), ['json_required']],
])('reports %s', (_what, text, found) => expect(errorsOf(lint(text))).toEqual(found));
