import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { clicksOnly } from '../merchants/terms.ts';
import { lintAttribution, type ProgramAttribution, type SeenOrders } from './lint-attribution.ts';

const program: ProgramAttribution = {
  programId: 'prog_a',
  name: 'Friends',
  attribution: { codes: 'when_no_click', returning: { days: 90, ordersMax: null, newClick: 'last_click' }, leads: [] },
  codes: 3,
  limitedCodes: 1,
  leadKinds: [],
};
const seen: SeenOrders = { orders: 200, withCustomer: 100, withCode: 5 };
const off = clicksOnly;
const other: ProgramAttribution = { ...program, programId: 'prog_b', attribution: off, codes: 0, limitedCodes: 0 };
const warningsOf = (programs: readonly ProgramAttribution[], orders: Partial<SeenOrders> = {}) =>
  lintAttribution(programs, { ...seen, ...orders }).map(({ warning, programId }) => `${programId} ${warning}`);

test('consistent settings have no warnings', () => {
  expect(warningsOf([program, other])).toEqual([]);
  expect(warningsOf([{ ...program, attribution: { ...program.attribution, codes: 'before_click' } }])).toEqual([]);
});

test('codes that exist and do not earn, or earn and do not exist, are contradictory', () => {
  expect(warningsOf([{ ...program, attribution: off }])).toEqual(['prog_a codes_off_with_codes']);
  expect(warningsOf([{ ...program, codes: 0, limitedCodes: 0 }])).toEqual(['prog_a codes_on_without_codes']);
});

test('settings that need what no order names are contradictory, once there are enough orders', () => {
  expect(warningsOf([program], { withCode: 0 })).toEqual(['prog_a codes_never_named']);
  expect(warningsOf([program], { withCustomer: 0 })).toEqual([
    'prog_a limit_without_customer_ids',
    'prog_a returning_without_customer_ids',
  ]);
  expect(warningsOf([program], { orders: 9, withCode: 0, withCustomer: 0 })).toEqual([]);
  expect(warningsOf([{ ...program, attribution: off, codes: 0 }], { withCode: 0, withCustomer: 0 })).toEqual([]);
});

test('a code before clicks needs the other programs to agree', () => {
  const before = { ...program, attribution: { ...program.attribution, codes: 'before_click' as const } };
  expect(warningsOf([before, other])).toEqual(['prog_a before_click_in_one_program']);
  expect(warningsOf([before, { ...before, programId: 'prog_b' }])).toEqual([]);
});

test('leads that are paid and not reported, or reported and not paid, are contradictory', () => {
  const rule = { kind: 'sign_up', amount: cents(200), perMonthMax: null };
  const pays = { ...program, attribution: { ...program.attribution, leads: [rule] } };
  expect(warningsOf([pays])).toEqual(['prog_a leads_never_reported']);
  expect(warningsOf([pays], { orders: 9 })).toEqual([]);
  expect(warningsOf([{ ...pays, leadKinds: ['sign_up'] }])).toEqual([]);
  expect(warningsOf([{ ...pays, leadKinds: ['sign_up', 'Sign_up'] }])).toEqual(['prog_a lead_kind_not_paid']);
  expect(warningsOf([{ ...program, leadKinds: ['sign_up'] }])).toEqual([]);
});
