import { expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

test('what JSON.stringify would write is written so', () => {
  const value = { a: [1, { b: [], c: {} }, 'x"\\,{}[]:'], d: null, e: true, '': '' };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(indentJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2));
});

test('numbers and escapes stay as they were sent, and a name that stands twice stays twice', () => {
  expect(indentJson('{"a":1.00,"b":12345678901234567890,"a":"\\u00e9"}')).toBe(
    '{\n  "a": 1.00,\n  "b": 12345678901234567890,\n  "a": "\\u00e9"\n}',
  );
});

test.each(['', '{', 'a=1&b=2', '{"a":1}}', '"', '{a: 1}'])('%j is no JSON, and stays as it is', (text) => {
  expect(indentJson(text)).toBe(text);
});
