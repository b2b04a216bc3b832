import { expect, test } from 'vitest';
import { cents, noCents } from '../core/money.ts';
import type { Budget } from '../merchants/terms.ts';
import { budgetNotices, decideBudget, type BudgetUse } from './decide-budget.ts';

const none: Budget = { programMonth: null, programTotal: null, creatorMonth: null, creatorTotal: null };
const unused: BudgetUse = { programMonth: noCents, programTotal: noCents, creatorMonth: noCents, creatorTotal: noCents };
const limit = cents(1_000);

const all: Budget = { programMonth: limit, programTotal: limit, creatorMonth: limit, creatorTotal: limit };

// Earlier limits win: each row also exceeds the limits of the rows below it.
test.each<[limit: string, used: Partial<BudgetUse>]>([
  ['program_month', { programMonth: limit, programTotal: limit, creatorMonth: limit, creatorTotal: limit }],
  ['program_total', { programTotal: limit, creatorMonth: limit, creatorTotal: limit }],
  ['creator_month', { creatorMonth: limit, creatorTotal: limit }],
  ['creator_total', { creatorTotal: limit }],
])('%s is named first', (expected, used) => {
  expect(decideBudget(all, { ...unused, ...used }, cents(1))?.limit).toBe(expected);
});

test.each<[what: string, budget: Partial<Budget>, used: Partial<BudgetUse>, amount: number, expected: string | null]>([
  ['no limit', {}, { programMonth: cents(999_999) }, 1_000, null],
  ['exactly what is left', { programMonth: limit }, { programMonth: cents(900) }, 100, null],
  ['a cent more than what is left', { programMonth: limit }, { programMonth: cents(900) }, 101, 'program_month'],
  ['nothing, with a budget that is used up', { programMonth: limit }, { programMonth: cents(1_000) }, 0, null],
  ['a limit in all', { programTotal: limit }, { programTotal: cents(1_000) }, 1, 'program_total'],
  [
    'a limit of a creator in a month',
    { creatorMonth: limit },
    { creatorMonth: cents(999), programMonth: cents(9_999) },
    2,
    'creator_month',
  ],
  ['a limit of a creator in all', { creatorTotal: limit }, { creatorTotal: cents(999) }, 2, 'creator_total'],
  ['a budget of 0', { creatorTotal: cents(0) }, {}, 1, 'creator_total'],
])('%s', (_what, budget, used, amount, expected) => {
  expect(decideBudget({ ...none, ...budget }, { ...unused, ...used }, cents(amount))?.limit ?? null).toBe(expected);
});

test('says how much of the limit was used', () => {
  expect(decideBudget({ ...none, programMonth: limit }, { ...unused, programMonth: cents(900) }, cents(101))).toEqual({
    limit: 'program_month',
    limit_cents: 1_000,
    used_cents: 900,
    commission_cents: 101,
  });
});

const at = new Date('2026-11-30T23:59:59.999Z');
const exceeding = (name: 'program_month' | 'creator_month') => ({ limit: name, limit_cents: 1_000, used_cents: 990, commission_cents: 11 });

test.each<[what: string, used: Partial<BudgetUse>, exceeded: Parameters<typeof budgetNotices>[1]['exceeded'], expected: readonly string[]]>(
  [
    ['less than 80 percent', { programMonth: cents(799) }, null, []],
    ['80 percent of a month', { programMonth: cents(800) }, null, ['program_month 2026-11 80']],
    ['80 percent in all', { programTotal: cents(1_600) }, null, ['program_total  80']],
    ['all of it', { programMonth: cents(1_000) }, null, ['program_month 2026-11 100']],
    ['more than all of it', { programTotal: cents(2_001) }, null, ['program_total  100']],
    ['an order that does not fit', { programMonth: cents(990) }, exceeding('program_month'), ['program_month 2026-11 100']],
    ['the limit of a creator', { creatorMonth: cents(990) }, exceeding('creator_month'), []],
  ],
)('notifies the team of %s', (_what, used, exceeded, expected) => {
  const budget = { ...none, programMonth: limit, programTotal: cents(2_000), creatorMonth: limit };
  const notices = budgetNotices(budget, { used: { ...unused, ...used }, exceeded, at });
  expect(notices.map(({ limit: name, month, percent }) => `${name} ${month} ${percent}`)).toEqual(expected);
  expect(budgetNotices(undefined, { used: { ...unused, ...used }, exceeded, at })).toEqual([]);
});
