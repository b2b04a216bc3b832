import { expect, test } from 'vitest';
import { countryCodes } from '../../src/core/countries.ts';
import { countryCodes as codesOnScreen, countryOptionsIn } from '../../web/src/ui/countries.ts';

test('the country select offers exactly the codes that the API accepts, by name', () => {
  const countryOptions = countryOptionsIn('en');
  expect(codesOnScreen).toEqual(countryCodes);
  expect(countryOptions.map(({ value }) => value).toSorted()).toEqual(countryCodes);
  expect(countryOptions.find(({ value }) => value === 'DE')).toEqual({ value: 'DE', label: 'Germany' });
});
