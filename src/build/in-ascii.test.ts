import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { inAscii } from './in-ascii.ts';

test.each([
  ['a string', `'Größe – “quoted” \u2028'`],
  ['a character of two code units', `'😀'`],
  ['an escaped character', `'\\é' + '\\\\é' + '\\\\\\é'`],
  ['a template', '`a${1}…\\`–`'],
  ['a property and a variable', '(() => { const größe = { é: 1 }; return Object.keys({ größe, é: größe.é }).join() })()'],
  ['a comment', '/* é */ 1 // –'],
  ['a regular expression', `'Xß–\u2028é😀'.replace(/[é–]|\\ß/g, '_')`],
  ['a regular expression of code points', `'Xß–é😀😁'.replace(/[é😀]|–|\u{1f601}/gu, '_')`],
  ['ASCII only', `'\\u00e9' + "\\n" + /\\d/.source`],
])('%s means the same in ASCII', (_what, code) => {
  const ascii = inAscii(code);
  expect(ascii).toMatch(/^[\0-\x7f]*$/);
  expect(runInNewContext(ascii)).toEqual(runInNewContext(code));
});

test('a raw template cannot be written in ASCII', () => {
  expect(() => inAscii('String.raw`é`')).toThrow('String.raw');
  expect(inAscii("String.raw`e` + 'é'")).toBe(String.raw`String.raw${'`e`'} + '\u00e9'`);
});
