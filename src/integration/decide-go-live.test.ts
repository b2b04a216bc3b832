import { expect, test } from 'vitest';
import { decideGoLive, type GoLiveFacts, type GoLiveItem } from './decide-go-live.ts';

const at = (day: number) => new Date(Date.UTC(2026, 2, day));
const light = { light: 'key_used', isOn: true, seen: '', at: null } as const;
const key = { last4: 'ab12', createdAt: at(1), lastUsedAt: at(2) };
const ready: GoLiveFacts = {
  isStoreOpen: true,
  isIntegrationEnabled: true,
  checks: [light],
  hasPaymentMethod: true,
  isProgramOpen: true,
  hasLinkThatEarns: true,
  isStripeConnected: false,
  isShopifyConnected: false,
  keys: [key],
};

const left = (facts: Partial<GoLiveFacts>): readonly GoLiveItem['item'][] =>
  decideGoLive({ ...ready, ...facts }).flatMap(({ item, isDone }) => (isDone ? [] : [item]));

test('a complete store has no open item', () => expect(left({})).toEqual([]));
test('a store whose Shopify shop is connected needs no key', () => expect(left({ keys: [], isShopifyConnected: true })).toEqual([]));
test('a store whose Stripe account is connected needs no key', () => expect(left({ keys: [], isStripeConnected: true })).toEqual([]));

test.each<[what: string, facts: Partial<GoLiveFacts>, item: GoLiveItem['item']]>([
  ['a light that is off', { checks: [light, { ...light, isOn: false }] }, 'lights'],
  ['no key', { keys: [] }, 'one_key'],
  ['a key that was never used', { keys: [{ ...key, lastUsedAt: null }] }, 'one_key'],
  ['a younger key that was never used', { keys: [key, { last4: 'cd34', createdAt: at(3), lastUsedAt: null }] }, 'one_key'],
  ['an older key that is left over', { keys: [{ last4: 'cd34', createdAt: at(3), lastUsedAt: at(4) }, key] }, 'one_key'],
  ['a store that is closed', { isStoreOpen: false }, 'store_open'],
  ['an integration that is disabled', { isIntegrationEnabled: false }, 'store_open'],
  ['no payment method', { hasPaymentMethod: false }, 'payment_method'],
  ['no program', { isProgramOpen: false }, 'program'],
  ['no link', { hasLinkThatEarns: false }, 'link'],
])('%s leaves its own item open and no other', (_what, facts, item) => expect(left(facts)).toEqual([item]));

test('names the one of two keys that needs an action', () => {
  const younger = { last4: 'cd34', createdAt: at(3), lastUsedAt: null };
  const words = (facts: Partial<GoLiveFacts>) => decideGoLive({ ...ready, ...facts }).find(({ item }) => item === 'one_key')?.text;
  expect(words({ keys: [key, younger] })).toContain('Install the key ending in cd34');
  expect(words({ keys: [key, { ...younger, lastUsedAt: at(4) }] })).toContain('Revoke the older one, ending in ab12');
});
