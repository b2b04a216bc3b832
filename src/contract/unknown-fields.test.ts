import { expect, test } from 'vitest';
import { amount, lineItems, optional, text } from './fields.ts';
import { probableField, unknownFields, unknownFieldsMax } from './unknown-fields.ts';

const known = [
  'order_id',
  'click_id',
  'currency',
  'order_subtotal_cents',
  'occurred_at',
  'eligible_amount_cents',
  'line_items',
  'metadata',
  'test',
];
const meant: ReadonlyArray<readonly [name: string, meant: string | null]> = [
  ['eligible_amount', 'eligible_amount_cents'],
  ['subtotal_cents', 'order_subtotal_cents'],
  ['orderId', 'order_id'],
  ['OrderID', 'order_id'],
  ['order-id', 'order_id'],
  ['curency', 'currency'],
  ['occured_at', 'occurred_at'],
  ['lineItems', 'line_items'],
  ['id', null],
  ['cents', null],
  ['email', null],
  ['utm_source', null],
  ['', null],
  ['__proto__', null],
  ['x'.repeat(10_000), null],
];
for (const [name, field] of meant) test(`${name.slice(0, 30)} means ${field}`, () => expect(probableField(name, known)).toBe(field));

const fields = { order_id: optional(text), eligible_amount_cents: optional(amount), line_items: optional(lineItems) };

test('unknown fields are named where they stand, lines too', () => {
  const json = JSON.parse('{"order_id":"1","eligible_amount":5,"utm/~x":1,"line_items":[{"product_id":"a"},{"product":"a"},7]}');
  expect(unknownFields(fields, json)).toEqual([
    { field: '/eligible_amount', name: 'eligible_amount', meant: 'eligible_amount_cents' },
    { field: '/utm~1~0x', name: 'utm/~x', meant: null },
    { field: '/line_items/1/product', name: 'product', meant: 'product_id' },
  ]);
});

test('the list is short and storable, whatever was sent', () => {
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [`\ud800\0${'x'.repeat(200)}${index}`, index]));
  const found = unknownFields(fields, { ...many, line_items: [many, many] });
  expect(found).toHaveLength(unknownFieldsMax);
  for (const { field } of found) expect([field.isWellFormed(), field.includes('\0'), field.length < 120]).toEqual([true, false, true]);
});
