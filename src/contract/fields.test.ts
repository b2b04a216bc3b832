import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import * as fields from './fields.ts';
import {
  amount,
  clickId,
  currency,
  environment,
  FieldError,
  flag,
  isTooDeep,
  lineItems,
  metadata,
  optional,
  quantity,
  readFields,
  required,
  text,
  time,
} from './fields.ts';

/** Reads one field of a body: null if it counts as absent, and the pointer of an error. */
function read(field: fields.Field<unknown>, json: string): unknown {
  const known = { given: field };
  const result = readFields(known, JSON.parse(json));
  return result instanceof FieldError ? `error ${result.field}` : result.values.given;
}
const error = 'error /given';
const wrong = ['1', 'true', '[]', '["a"]', '{}'];

type Row = readonly [json: string, value: unknown];
function table(title: string, field: fields.Field<unknown>, rows: readonly Row[]): void {
  for (const [json, value] of rows) {
    const body = json === 'absent' ? '{}' : `{"given":${json}}`;
    test(`${title}: ${json.length > 60 ? `${json.slice(0, 60)}… (${json.length})` : json}`, () => expect(read(field, body)).toEqual(value));
  }
}

const long = (character: string, count: number): string => JSON.stringify(character.repeat(count));
const storable: readonly Row[] = [
  ['"A-1"', 'A-1'],
  ['" A\\u0301 "', ' A\u0301 '],
  ['"\\u0001"', '\u0001'],
  [long('x', 500), 'x'.repeat(500)],
  [long('😀', 500), '😀'.repeat(500)],
  [long('x', 501), error],
  [long('😀', 501), error],
  ['"a\\u0000b"', error],
  ['"\\ud800"', error],
  ['"\\ude00\\ud83d"', error],
  ...wrong.map((json): Row => [json, error]),
];
table('optional text', optional(text), [...storable, ['""', null], ['null', null], ['absent', null]]);
table('required text', required(text), [...storable, ['""', error], ['null', error], ['absent', error]]);

table('click_id', optional(clickId), [
  ['"rmc_x"', 'rmc_x'],
  ['""', null],
  ['null', null],
  [long('x', 200), 'x'.repeat(200)],
  [long('x', 201), error],
  [long('😀', 200), '😀'.repeat(200)],
  ...wrong.map((json): Row => [json, error]),
]);

table('amount', required(amount), [
  ['0', cents(0)],
  ['-0', cents(0)],
  ['1e3', cents(1_000)],
  ['10.0', cents(10)],
  ['1E+2', cents(100)],
  ['9007199254740991', cents(9_007_199_254_740_991)],
  ['9007199254740992', error],
  ['9007199254740993', error],
  ['1e400', error],
  ['-1', error],
  ['1.5', error],
  ['1e-1', error],
  ['"10"', error],
  ['""', error],
  ['true', error],
  ['[10]', error],
  ['null', error],
  ['absent', error],
]);

table('quantity', required(quantity), [
  ['1', 1n],
  ['2.0', 2n],
  ['9007199254740991', 9_007_199_254_740_991n],
  ['0', error],
  ['-1', error],
  ['1.5', error],
  ['"1"', error],
]);
table('test', optional(flag), [
  ['true', true],
  ['false', null],
  ['null', null],
  ['absent', null],
  ['"true"', error],
  ['1', error],
  ['0', error],
  ['""', error],
]);
table('currency', required(currency), [
  ['"USD"', 'USD'],
  ['"usd"', 'usd'],
  ['"EUR"', 'EUR'],
  ['"US"', error],
  ['"USDT"', error],
  ['"US1"', error],
  ['"ＵＳＤ"', error],
  ['"USD\\n"', error],
  ['""', error],
  ['840', error],
  ['["USD"]', error],
  ['absent', error],
]);
table('environment', required(environment), [
  ['"live"', 'live'],
  ['"test"', 'test'],
  ['"Live"', error],
  ['"production"', error],
  ['""', error],
  ['true', error],
  ['null', error],
]);
table('payment_state', required(fields.paymentState), [
  ...['paid', 'failed', 'open', 'void', 'uncollectible'].map((word): Row => [`"${word}"`, word]),
  ['"PAID"', error],
  ['"refunded"', error],
  ['1', error],
]);

const noon = new Date('2026-03-01T12:00:00Z');
table('required time', required(time), [
  ['"2026-03-01T12:00:00Z"', noon],
  ['"yesterday"', 'unreadable'],
  ['""', 'unreadable'],
  ['1772366400', error],
  ['null', error],
  ['absent', error],
]);
table('optional time', optional(time), [
  ['"2026-03-01T14:00:00+02:00"', noon],
  ['"yesterday"', 'unreadable'],
  ['1772366400', error],
  ['null', null],
  ['absent', null],
]);

const line = (change: object = {}) => JSON.stringify([{ product_id: 'a', amount_minor_units: 5, quantity: 1, ...change }]);
const lines = (count: number) =>
  JSON.stringify(Array.from({ length: count }, () => ({ product_id: 'a', amount_minor_units: 5, quantity: 1 })));
const aLine = { productId: 'a', amount: cents(5), quantity: 1n };
table('line_items', optional(lineItems), [
  [line(), [aLine]],
  [line({ sku: 'unknown fields are not looked at' }), [aLine]],
  ['[]', null],
  ['null', null],
  [lines(200), Array.from({ length: 200 }, () => aLine)],
  [lines(201), error],
  ['{}', error],
  ['"a"', error],
  ['[null]', 'error /given/0'],
  ['[[]]', 'error /given/0'],
  [line({ product_id: '' }), 'error /given/0/product_id'],
  [line({ amount_minor_units: -1 }), 'error /given/0/amount_minor_units'],
  [line({ quantity: 0 }), 'error /given/0/quantity'],
  [line({ quantity: null }), 'error /given/0/quantity'],
]);

const bytes = (count: number) => JSON.stringify({ a: 'x'.repeat(count - 8) });
table('metadata', optional(metadata), [
  ['{}', {}],
  ['[]', {}],
  ['null', null],
  ['{"a":{"b":[1,null,true]}}', { a: { b: [1, null, true] } }],
  [bytes(4_096), JSON.parse(bytes(4_096))],
  [bytes(4_097), error],
  [`{  "a" : "${'\\u0041'.repeat(4_000)}"  }`, { a: 'A'.repeat(4_000) }],
  [`{"a":"${'é'.repeat(2_045)}"}`, error],
  ['{"a":"\\u0000"}', 'error /given/a'],
  ['{"a/~b":["x","\\udc00"]}', 'error /given/a~1~0b/1'],
  ['{"\\u0000":1}', error],
  ['{"a":{"\\ud800":1}}', 'error /given/a'],
  ['[1]', error],
  ['"text"', error],
  ['1', error],
]);

test('treats names such as __proto__ as data', () => {
  expect(read(optional(metadata), '{"given":{"__proto__":{"a":1},"toJSON":"x","constructor":1}}')).toEqual(
    JSON.parse('{"__proto__":{"a":1},"toJSON":"x","constructor":1}'),
  );
  const known = { toString: optional(text), constructor: optional(text) };
  expect(readFields(known, JSON.parse('{}'))).toMatchObject({ values: { toString: null, constructor: null } });
  expect(JSON.parse(bytes(20))).toEqual({ a: 'x'.repeat(12) });
});

test('uses the last of repeated keys', () => {
  expect(read(required(text), '{"given":"first","given":"last"}')).toBe('last');
});

test('reports the first error in the order of the fields', () => {
  const known = { one: required(text), two: required(amount), three: fields.unexpectedClickId };
  const result = readFields(known, JSON.parse('{"three":"rmc_x","two":"10"}'));
  expect(result).toMatchObject({ field: '/one', reason: 'invalid_payload', message: 'one is required.' });
});

test('content has the parsed values, and the text of an unreadable time', () => {
  const known = {
    order_id: required(text),
    occurred_at: required(time),
    paid_at: optional(time),
    total: required(amount),
    note: optional(text),
  };
  const json = JSON.parse('{"order_id":"1","occurred_at":"noon","paid_at":"2026-03-01T12:00:00Z","total":1e1,"note":"","extra":1}');
  expect(readFields(known, json)).toEqual({
    values: { order_id: '1', occurred_at: 'unreadable', paid_at: noon, total: 10n, note: null },
    content: { order_id: '1', occurred_at: 'noon', paid_at: noon, total: 10n, note: null },
  });
});

test('a text that is called "unreadable" is a text', () => {
  expect(readFields({ order_id: required(text) }, { order_id: 'unreadable' })).toMatchObject({ content: { order_id: 'unreadable' } });
});

test('rejects a reversal with an amount', () => {
  for (const name of ['amount', 'amount_cents', 'amount_minor_units', 'refund_amount_cents']) {
    for (const given of [100, 0, '100', '', false]) {
      expect(readFields(fields.partialRefundFields, { [name]: given })).toMatchObject({ field: `/${name}`, reason: 'invalid_payload' });
    }
    expect(readFields(fields.partialRefundFields, { [name]: null })).not.toBeInstanceOf(FieldError);
  }
});

test('a click in a billing event has its own reason', () => {
  const known = { click_id: fields.unexpectedClickId };
  for (const given of ['rmc_x', 5, false])
    expect(readFields(known, { click_id: given })).toMatchObject({ field: '/click_id', reason: 'unexpected_click_id' });
  for (const given of [null, '']) expect(readFields(known, { click_id: given })).not.toBeInstanceOf(FieldError);
});

test('rejects an eligible amount above the total, and lines that do not sum to it', () => {
  expect(fields.checkEligible(cents(10), cents(10), '/eligible_amount_cents')).toBeNull();
  expect(fields.checkEligible(cents(11), cents(10), '/eligible_amount_cents')).toMatchObject({ field: '/eligible_amount_cents' });
  const two = [aLine, { ...aLine, amount: cents(9_007_199_254_740_991), quantity: 7n }];
  expect(fields.checkLineSum(two, cents(9_007_199_254_740_996n), '/line_items')).toBeNull();
  expect(fields.checkLineSum(two, cents(9_007_199_254_740_995n), '/line_items')).toMatchObject({ field: '/line_items' });
});

test('counts nesting in objects and arrays', () => {
  const nested = (depth: number): unknown => JSON.parse('[{"a":'.repeat(depth / 2) + '1' + '}]'.repeat(depth / 2));
  expect([isTooDeep(nested(32)), isTooDeep(nested(34)), isTooDeep(1), isTooDeep(null)]).toEqual([false, true, false, false]);
});

test('every reader returns a value or an error for any JSON, and never throws', () => {
  const readers = [
    optional(text),
    optional(clickId),
    optional(amount),
    optional(quantity),
    optional(flag),
    optional(currency),
    optional(time),
    optional(lineItems),
    optional(metadata),
  ];
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom<fields.Field<unknown>>(...readers), (given, field) => {
      const value = field(given, '/given');
      if (value instanceof FieldError) expect(value.field.startsWith('/given')).toBe(true);
      else expect(value === null || ['string', 'bigint', 'boolean', 'object'].includes(typeof value)).toBe(true);
    }),
  );
});

test('an amount is read exactly where it is a whole number that a double holds', () => {
  fc.assert(fc.property(fc.maxSafeNat(), (whole) => void expect(amount(whole, '/a')).toBe(BigInt(whole))));
  fc.assert(
    fc.property(
      fc.double().filter((number) => !Number.isSafeInteger(number) || number < 0),
      (number) => void expect(amount(number, '/a')).toBeInstanceOf(FieldError),
    ),
  );
});
