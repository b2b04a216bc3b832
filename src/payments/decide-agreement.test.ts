import { expect, test } from 'vitest';
import { decideAgreement, payableCountries } from './decide-agreement.ts';

test.each([
  ['US', 'US', 'full'],
  ['US', 'DE', 'full'],
  ['DE', 'US', 'full'],
  ['GB', 'CA', 'full'],
  ['DE', 'FR', 'full'],
  ['US', 'IN', 'recipient'],
  ['US', 'MX', 'recipient'],
  // Only platforms in the United States can pay recipients elsewhere.
  ['DE', 'IN', null],
  ['GB', 'AU', null],
  // A platform outside the region can pay only in its own country.
  ['AU', 'AU', 'full'],
  ['AU', 'US', null],
  ['US', 'KP', null],
  ['US', 'RU', null],
  ['US', 'EU', null],
] as const)('a platform in %s pays creators in %s under the agreement %s', (platform, creator, agreement) => {
  expect(decideAgreement({ platform, creator })).toBe(agreement);
});

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

test('lists only existing countries, each once', () => {
  for (const platform of ['US', 'DE', 'AU', 'JP']) {
    const countries = payableCountries(platform);
    expect(countries.filter((country) => regions.of(country) === undefined)).toEqual([]);
    expect(new Set(countries).size).toBe(countries.length);
    expect(countries).toContain(platform);
    expect(countries).toEqual(countries.toSorted());
  }
  expect(payableCountries('US').length).toBeGreaterThan(100);
  expect(payableCountries('AU')).toEqual(['AU']);
});
