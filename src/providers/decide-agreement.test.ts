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
  // Only platforms in the United States pay to recipients elsewhere.
  ['DE', 'IN', null],
  ['GB', 'AU', null],
  // A platform outside of the region pays at home.
  ['AU', 'AU', 'full'],
  ['AU', 'US', null],
  ['US', 'KP', null],
  ['US', 'RU', null],
  ['US', 'EU', null],
] as const)('a platform in %s has accounts of creators in %s under the agreement %s', (platform, creator, agreement) => {
  expect(decideAgreement({ platform, creator })).toBe(agreement);
});

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' });

test('every country that is offered is one, and is offered once', () => {
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
