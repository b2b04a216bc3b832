import { expect, test } from 'vitest';
import { cents } from '../core/money.ts';
import { decideRiskSettings, looserIn } from './decide-risk-settings.ts';
import { riskDefaults, type RiskSettings } from '../holds/risk-settings.ts';

const { live } = riskDefaults;
const off: RiskSettings = { ...live, enforce: false };
const facts = { current: live, wanted: off, requested: null, agreement: 'ask', areRulesOn: true } as const;

test.each<[string, Partial<RiskSettings>]>([
  ['enforcement off', { enforce: false }],
  ['fewer days of reserve', { reserve: { days: 29, untilInvoices: 3 } }],
  ['fewer invoices of reserve', { reserve: { days: 30, untilInvoices: 2 } }],
  ['fewer invoices of reserve', { reserve: { days: 30, untilInvoices: null } }],
  ['a higher amount of a first payout', { largeFirstPayout: cents(50_001) }],
  ['more orders in an hour', { ordersPerHourMin: 31 }],
  ['a larger order', { orderSizeMin: cents(50_001) }],
])('the change "%s" keeps less back, and the opposite change does not', (what, change) => {
  const before = { ...live, reserve: { days: 30, untilInvoices: 3 } };
  const after = { ...before, ...change };
  expect([looserIn(before, after), looserIn(after, before), looserIn(before, before)]).toEqual([[what], [], []]);
});

test('looser settings need two people, even if other settings become stricter', () => {
  expect(decideRiskSettings(facts)).toBe('ask');
  expect(decideRiskSettings({ ...facts, wanted: { ...off, reserve: { days: 90, untilInvoices: null } } })).toBe('ask');
  expect(decideRiskSettings({ ...facts, requested: off, agreement: 'go' })).toBe('set');
  expect(decideRiskSettings({ ...facts, requested: off, agreement: 'ask' })).toBe('ask');
  expect(decideRiskSettings({ ...facts, requested: off, agreement: 'new_operator' })).toBe('new_operator');
});

test('two people who request different settings do not agree', () => {
  expect(decideRiskSettings({ ...facts, requested: { ...off, ordersPerHourMin: 99 }, agreement: 'go' })).toBe('ask');
});

test('one person may save stricter or equal settings, and any settings if the rules are off', () => {
  expect(decideRiskSettings({ ...facts, current: off, wanted: live })).toBe('set');
  expect(decideRiskSettings({ ...facts, wanted: live })).toBe('set');
  expect(decideRiskSettings({ ...facts, areRulesOn: false })).toBe('set');
});
