import { expect, test } from 'vitest';
import { newId } from '../core/ids.ts';
import { alternativeOf, differencesOf, type ComparedOrders } from './attribution-alternatives.ts';

const [ada, ben] = [newId<'crt'>(new Date(0)), newId<'crt'>(new Date(1))];
const compared: ComparedOrders = {
  rule: 'click',
  comparedBy: 'code',
  creatorId: ada,
  otherId: ben,
  orders: 2n,
  earnedCents: 300n,
  otherCents: 500n,
};

test.each([
  ['click', 'code', 'code_before_click'],
  ['code_before_click', 'click', 'click_before_code'],
  ['click', 'customer', 'first_partner'],
  ['code', 'customer', 'first_partner'],
  ['same_creator', 'customer', 'first_partner'],
  ['code_before_click', 'customer', 'first_partner'],
  ['first_partner', 'click', 'last_click'],
  ['first_partner', 'code', 'last_click'],
  ['click', 'click', null],
] as const)('an order of the rule %s that was compared with a %s changes under %s', (rule, by, alternative) => {
  expect(alternativeOf(rule, by)).toBe(alternative);
});

test('what one creator would lose, the other would gain at their own rate', () => {
  const lost = { ordersLost: 2n, ordersGained: 0n, lostCents: 300n, gainedCents: 0n };
  const gained = { ordersLost: 0n, ordersGained: 2n, lostCents: 0n, gainedCents: 500n };
  expect(differencesOf([compared])).toEqual([
    { creatorId: ben, alternative: 'code_before_click', ...gained },
    { creatorId: ada, alternative: 'code_before_click', ...lost },
  ]);
});

test('the orders of a creator are summed for each alternative', () => {
  const sums = differencesOf([
    compared,
    { ...compared, creatorId: ben, otherId: ada, orders: 1n, earnedCents: 50n, otherCents: 40n },
    { ...compared, rule: 'first_partner', comparedBy: 'click' },
  ]);
  expect(sums.filter(({ creatorId }) => creatorId === ada)).toEqual([
    { creatorId: ada, alternative: 'last_click', ordersLost: 2n, ordersGained: 0n, lostCents: 300n, gainedCents: 0n },
    { creatorId: ada, alternative: 'code_before_click', ordersLost: 2n, ordersGained: 1n, lostCents: 300n, gainedCents: 40n },
  ]);
});
