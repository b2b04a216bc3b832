import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { bonusAmountMax, bonusDayMax, bonusesPerDayMax, decideBonus, type BonusFacts } from './decide-bonus.ts';

const usual: BonusFacts = {
  isStoreActive: true,
  memberStatus: 'approved',
  hasTerms: true,
  isOwnCreator: false,
  day: { count: 0, amount: cents(0) },
};
const amount = cents(20_000);
const fullDay = { count: bonusesPerDayMax, amount: bonusDayMax };

/** Each case breaks its rule and all later ones. */
test.each([
  ['more than one bonus may have', cents(bonusAmountMax + 1n), { isStoreActive: false }, 'unprocessable'],
  ['the store is past due or archived', amount, { isStoreActive: false, memberStatus: null }, 'conflict'],
  ['the creator is no member', amount, { memberStatus: null, isOwnCreator: true }, 'unprocessable'],
  ['the creator has only applied', amount, { memberStatus: 'applied', isOwnCreator: true }, 'unprocessable'],
  ['the member is paused', amount, { memberStatus: 'paused', isOwnCreator: true }, 'unprocessable'],
  ['the member was removed', amount, { memberStatus: 'removed', isOwnCreator: true }, 'unprocessable'],
  ['the creator is on the team of the store', amount, { isOwnCreator: true, hasTerms: false }, 'conflict'],
  ['the program has no terms', amount, { hasTerms: false, day: fullDay }, 'terms_missing'],
  ['the day has as many bonuses as it may', amount, { day: fullDay }, 'limit_reached'],
  ['the amount exceeds what is left of the day', amount, { day: { count: 1, amount: cents(bonusDayMax - amount + 1n) } }, 'limit_reached'],
] satisfies ReadonlyArray<readonly [string, typeof amount, Partial<BonusFacts>, string]>)(
  'refuses a bonus if %s',
  (_case, of, facts, reason) => {
    expect(decideBonus(of, { ...usual, ...facts })).toMatchObject({ do: 'refuse', reason });
  },
);

test('adds a bonus up to the limits', () => {
  expect(decideBonus(bonusAmountMax, usual)).toEqual({ do: 'add' });
  const last = { count: bonusesPerDayMax - 1, amount: cents(bonusDayMax - amount) };
  expect(decideBonus(amount, { ...usual, day: last })).toEqual({ do: 'add' });
});

test('names what is left of the day', () => {
  const decision = decideBonus(amount, { ...usual, day: { count: 3, amount: cents(bonusDayMax - 12_345n) } });
  expect(decision).toMatchObject({ message: expect.stringContaining('123.45 USD') });
});
