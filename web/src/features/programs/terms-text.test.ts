import { expect, test } from 'vitest';
import type { Terms } from '../../api/api-schema.ts';
import { nowOrLastCreation, orderRuleText, settingsTexts, subscriptionRuleText, versionInForce } from './terms-text.ts';

const nothing = { product_id: null, basis_points: null, flat_cents: null };
const endless = { ...nothing, price_id: null, max_invoices: null, max_months: null };
const settings = { attribution_days: 30, hold_days: 30, approval: 'manual', auto_approve_days: null } as const;

const version = (number: number, from: string, madeAt = '2026-01-01T00:00:00.000Z'): Terms => ({
  ...settings,
  version: number,
  effective_from: from,
  made_at: madeAt,
  pays: 'order',
  order_rules: [],
  subscription_rules: [],
});

test('an order rule is a sentence with its rate and its base', () => {
  expect(orderRuleText({ ...nothing, basis_points: 1_250 }, { pays: 'order' })).toBe('12.5 % of each order');
  expect(orderRuleText({ ...nothing, flat_cents: 250 }, { pays: 'product' })).toBe('2.50 USD for each other product');
  expect(orderRuleText({ ...nothing, product_id: 'sku-a', basis_points: 500 }, { pays: 'product' })).toBe('5 % of product sku-a');
});

test('a subscription rule says when it ends', () => {
  const words = (rule: object) => subscriptionRuleText({ ...endless, basis_points: 1_000, ...rule });
  expect(words({})).toBe('10 % of each paid invoice of any subscription, without an end');
  expect(words({ max_months: 12 })).toBe('10 % of each paid invoice of any subscription, for 12 months');
  expect(words({ product_id: 'plan', price_id: 'monthly', max_invoices: 1, max_months: 1 })).toBe(
    '10 % of each paid invoice of product plan at price monthly, at most 1 invoice and for 1 month',
  );
});

test('the conditions name the window, hold and approval', () => {
  expect(settingsTexts({ ...settings, hold_days: 0, approval: 'auto', auto_approve_days: 14 })).toEqual([
    'A click counts for 30 days',
    'Billed without a hold for refunds',
    'Approves itself after 14 days',
  ]);
});

test('the version in force is the latest started one, and of two with the same start the later one', () => {
  const versions = [version(1, '2026-01-01T00:00:00.000Z'), version(2, '2026-03-01T00:00:00.000Z'), version(3, '2026-03-01T00:00:00.000Z')];
  expect(versionInForce(versions, new Date('2025-12-31T00:00:00Z'))).toBeNull();
  expect(versionInForce(versions, new Date('2026-02-01T00:00:00Z'))?.version).toBe(1);
  expect(versionInForce(versions, new Date('2026-03-01T00:00:00Z'))?.version).toBe(3);
});

test('a version that was just created has started, even when the viewer’s clock is behind', () => {
  const made = version(1, '2026-03-01T00:00:00.000Z', '2026-03-01T00:00:00.000Z');
  const now = nowOrLastCreation(new Date('2026-02-28T00:00:00Z'), [made]);
  expect(versionInForce([made], now)?.version).toBe(1);
});
