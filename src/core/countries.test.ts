import { expect, test } from 'vitest';
import { countryCodes, isCountryCode } from './countries.ts';

test('lists the 249 assigned codes, each once and each with a name', () => {
  expect(countryCodes).toHaveLength(249);
  expect(new Set(countryCodes).size).toBe(249);
  const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });
  expect(countryCodes.filter((code) => names.of(code) === undefined)).toEqual([]);
});

test.each(['EU', 'UK', 'SU', 'AN', 'XK', 'ZZ', 'de', '', 'DEU'])('rejects "%s" as a country code', (code) => {
  expect(isCountryCode(code)).toBe(false);
});
