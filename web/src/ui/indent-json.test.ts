import { expect, test } from 'vitest';
import { indentJson } from './indent-json.ts';

test('the output equals that of JSON.stringify', () => {
  const value = { a: [1, { b: [], c: {} }, 'x"\\,{}[]:'], d: null, e: true, '': '' };
  expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, null, 2));
  expect(indentJson(JSON.stringify(value, null, 7))).toBe(JSON.stringify(value, null, 2));
});

test('numbers, escapes and duplicate names stay as they were sent', () => {
  expect(indentJson('{"a":1.00,"b":12345678901234567890,"a":"\\u00e9"}')).toBe(
    '{\n  "a": 1.00,\n  "b": 12345678901234567890,\n  "a": "\\u00e9"\n}',
  );
});

test.each(['', '{', 'a=1&b=2', '{"a":1}}', '"', '{a: 1}'])('%j is not JSON, and stays unchanged', (text) => {
  expect(indentJson(text)).toBe(text);
});
