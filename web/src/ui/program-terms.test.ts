import { expect, test } from 'vitest';
import {
  attributionTexts,
  bonusTexts,
  noticeTexts,
  orderRuleText,
  orderRuleTexts,
  settingsTexts,
  subscriptionRuleText,
} from './program-terms.ts';

const nothing = { product_id: null, basis_points: null, flat_cents: null };
const endless = { ...nothing, price_id: null, max_invoices: null, max_months: null };
const settings = { attribution_days: 30, hold_days: 30, approval: 'manual', auto_approve_days: null } as const;

test('an order rule is a sentence with its rate and its base', () => {
  expect(orderRuleText({ ...nothing, basis_points: 1_250 }, { pays: 'order' })).toBe('12.5% of each order');
  expect(orderRuleText({ ...nothing, flat_cents: 250 }, { pays: 'product' })).toBe('2.50 USD for each other product');
  expect(orderRuleText({ ...nothing, product_id: 'sku-a', basis_points: 500 }, { pays: 'product' })).toBe('5% of product sku-a');
});

test('a rule beside one with conditions is for each other order', () => {
  const large = { ...nothing, basis_points: 1_200, conditions: { min_order_cents: 7_500 } };
  const all = { ...nothing, basis_points: 1_000 };
  expect(orderRuleTexts([large, all], { pays: 'order' })).toEqual([
    '12% of each order, for orders of at least 75.00 USD',
    '10% of each other order',
  ]);
  expect(orderRuleTexts([all], { pays: 'order' })).toEqual(['10% of each order']);
});

test('a subscription rule says when it ends', () => {
  const words = (rule: object) => subscriptionRuleText({ ...endless, basis_points: 1_000, ...rule });
  expect(words({})).toBe('10% of each paid invoice of any subscription, no time limit');
  expect(words({ max_months: 12 })).toBe('10% of each paid invoice of any subscription, for 12 months');
  expect(words({ product_id: 'plan', price_id: 'monthly', max_invoices: 1, max_months: 1 })).toBe(
    '10% of each paid invoice of product plan at price monthly, up to 1 invoice and for 1 month',
  );
});

test('the bonus of a goal names its sales and its period', () => {
  expect(bonusTexts(undefined)).toEqual([]);
  expect(bonusTexts([{ orders: 1, period: 'total', amount_cents: 1_000 }])).toEqual(['Bonus of 10.00 USD for the first approved sale']);
});

test('the conditions name the window, hold and approval', () => {
  expect(settingsTexts({ ...settings, hold_days: 0, approval: 'auto', auto_approve_days: 14 })).toEqual([
    'Attribution window: 30 days',
    'No refund hold',
    'Auto-approval after 14 days',
  ]);
});

test('the notice of worse terms is named only if it is promised', () => {
  expect(noticeTexts({})).toEqual([]);
  expect(noticeTexts({ notice_days: 14 })).toEqual(['Notice of worse terms: 14 days before they take effect']);
});

test('codes and returning customers are conditions only if they earn', () => {
  expect(attributionTexts({ codes: 'off', returning: null })).toEqual([]);
  expect(attributionTexts({ codes: 'before_click', returning: { days: 90, orders: null, new_click: 'first_partner' } })).toEqual([
    'Discount codes earn before a click of another creator',
    'Returning customers earn for 90 days, without a limit of orders',
    'A returning customer stays with the first creator',
  ]);
  expect(attributionTexts({ codes: 'when_no_click', returning: { days: 1, orders: 1, new_click: 'last_click' } })).toEqual([
    'Discount codes earn for orders without a click',
    'Returning customers earn for 1 day, up to 1 later order',
    'A new click or code of another creator takes over a returning customer',
  ]);
});
