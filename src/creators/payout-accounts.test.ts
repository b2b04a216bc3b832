import { expect, test } from 'vitest';
import { comparableAccount } from './payout-accounts.ts';

test('an account is compared without its spaces, dashes and case', () => {
  expect(comparableAccount('de89 3704-0044 0532 0130 00')).toBe(comparableAccount('DE89370400440532013000'));
});
