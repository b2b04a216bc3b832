import { expect, test } from 'vitest';
import { ensureUsableLanguage, usableLocale } from './locale.ts';

test.each([
  ['de-AT', 'de-AT'],
  ['en-US@posix', 'en-US'],
  ['C', 'en-US'],
  ['', 'en-US'],
  [undefined, 'en-US'],
])('%s is used as %s, which Intl accepts', (tag, locale) => {
  expect(usableLocale(tag)).toBe(locale);
  expect(() => new Intl.NumberFormat(usableLocale(tag))).not.toThrow();
});

test('a language that Intl rejects is replaced before a library reads it, and any other stays', () => {
  const odd = { language: 'en-US@posix' } as Navigator;
  ensureUsableLanguage(odd);
  expect(odd.language).toBe('en-US');
  const usual = { language: 'pt-BR' } as Navigator;
  ensureUsableLanguage(usual);
  expect(Object.getOwnPropertyDescriptor(usual, 'language')?.get).toBeUndefined();
});
