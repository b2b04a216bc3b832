import { expect, test } from 'vitest';
import { decideIntegrationChecks, integrationCheckNames, type Evidence, type IntegrationCheckName } from './decide-checks.ts';
import type { PageResult } from './page-check.ts';

const at = new Date('2026-03-01T12:00:00.000Z');
const nothing: Evidence = {
  key: null,
  stripeEventAt: null,
  shopifyOrderAt: null,
  page: null,
  opened: null,
  testOrder: null,
  trackingOnAt: null,
  reversal: null,
};
const tag = { src: 'x', isInHead: true, loads: 'defer', consentMode: 'granted', maxAgeDays: 30, attributes: {} } as const;
const good: PageResult = { isWorking: true, status: 200, endedAt: 'x', tag, contentSecurityPolicy: null, findings: [] };
const page = (found: Partial<PageResult>) => ({ page: { at, pageUrl: 'https://shop.example', found: { ...good, ...found } } });
const error = { level: 'error', code: 'tag_missing', message: 'The page has none.' } as const;
const warning = { level: 'warning', code: 'not_in_head', message: 'It is late.' } as const;

const lit = (evidence: Partial<Evidence>): readonly IntegrationCheckName[] =>
  decideIntegrationChecks({ ...nothing, ...evidence }).flatMap(({ light, isOn }) => (isOn ? [light] : []));

test('no check passes without evidence, and each says what is missing', () => {
  const checks = decideIntegrationChecks(nothing);
  expect(checks.map(({ light }) => light)).toEqual(integrationCheckNames);
  expect(checks.filter(({ isOn, at: when, seen }) => isOn || when !== null || seen === '')).toEqual([]);
});

test.each<[what: string, evidence: Partial<Evidence>, on: readonly IntegrationCheckName[]]>([
  ['a key that was used', { key: { last4: 'ab12', usedAt: at } }, ['key_used']],
  ['an event of the Stripe account, which needs no key', { stripeEventAt: at }, ['key_used']],
  ['an order of the Shopify shop, which needs no key', { shopifyOrderAt: at }, ['key_used']],
  ['a page with a working tag', page({}), ['tag_found']],
  ['a page with a warning only', page({ findings: [warning] }), ['tag_found']],
  ['a page with an error, whatever else was found', page({ findings: [warning, error] }), []],
  ['a page without a tag, where perhaps a tag manager puts one', page({ tag: null, isWorking: false, findings: [warning] }), []],
  ['a page that does not work, for no reason that we know', page({ isWorking: false }), []],
  ['a test link that was opened', { opened: { openedAt: at } }, ['link_opened']],
  ['a test order, whose click may have been copied', { testOrder: { orderId: 'T', at } }, ['test_order']],
  ['tracking', { trackingOnAt: at }, ['tracking_on']],
  ['a refund', { reversal: { orderId: 'T', at } }, ['refund_tested']],
  ['a refund whose order is not known any more', { reversal: { orderId: null, at } }, ['refund_tested']],
])('%s passes its own check and no other', (_what, evidence, on) => expect(lit(evidence)).toEqual(on));

test('a failed page check shows the first error of the page, and its time', () => {
  const checks = decideIntegrationChecks({ ...nothing, ...page({ findings: [warning, error] }) });
  expect(checks.find(({ light }) => light === 'tag_found')).toEqual({ light: 'tag_found', isOn: false, seen: 'The page has none.', at });
});
