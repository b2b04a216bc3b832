import { expect, test } from 'vitest';
import { countryCodes, isCountryCode } from './countries.ts';

test('the list has the 249 assigned codes, each once, and each has a name', () => {
  expect(countryCodes).toHaveLength(249);
  expect(new Set(countryCodes).size).toBe(249);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([]);
});

test.each(['EU', 'UK', 'SU', 'AN', 'XK', 'ZZ', 'de', '', 'DEU'])('"%s" is not a country code', (code) => {
  expect(isCountryCode(code)).toBe(false);
});
