import type { PageCheck } from './page-check.ts';
import { apiMessage } from '../messages/api-message.ts';

/** What the service has observed of an integration. Null: nothing yet. */
export type Evidence = {
  readonly key: { readonly last4: string; readonly usedAt: Date } | null;
  /** The last event of the store's Stripe account, whose reports need no key. */
  readonly stripeEventAt: Date | null;
  /** The last reported order of the store's Shopify shop, whose reports need no key. */
  readonly shopifyOrderAt: Date | null;
  readonly page: PageCheck | null;
  readonly opened: { readonly openedAt: Date } | null;
  readonly testOrder: { readonly orderId: string; readonly at: Date } | null;
  readonly trackingOnAt: Date | null;
  readonly reversal: { readonly orderId: string | null; readonly at: Date } | null;
};

export const integrationCheckNames = ['key_used', 'tag_found', 'link_opened', 'test_order', 'tracking_on', 'refund_tested'] as const;
export type IntegrationCheckName = (typeof integrationCheckNames)[number];

export type IntegrationCheck = {
  readonly light: IntegrationCheckName;
  readonly isOn: boolean;
  /** The evidence, or what is missing. */
  readonly seen: string;
  /** The time of the evidence. */
  readonly at: Date | null;
};

/** The six integration checks. A check passes only by evidence. */
export function decideIntegrationChecks(evidence: Evidence): readonly IntegrationCheck[] {
  return integrationCheckNames.map((light) => ({ light, ...judges[light](evidence) }));
}

type Judged = Omit<IntegrationCheck, 'light'>;
const on = (seen: string, at: Date): Judged => ({ isOn: true, seen, at });
const off = (seen: string, at: Date | null = null): Judged => ({ isOn: false, seen, at });

const judges: Readonly<Record<IntegrationCheckName, (evidence: Evidence) => Judged>> = {
  key_used: ({ key, stripeEventAt, shopifyOrderAt }) => {
    if (key !== null) return on(apiMessage('decide_checks.your_server_used_key_ending', { last4: key.last4 }), key.usedAt);
    if (stripeEventAt !== null) return on(apiMessage('decide_checks.stripe_delivers_events'), stripeEventAt);
    return shopifyOrderAt === null
      ? off(apiMessage('decide_checks.no_request_with_one_your'))
      : on(apiMessage('decide_checks.shopify_delivers_orders'), shopifyOrderAt);
  },
  tag_found: ({ page }) => judgePage(page),
  link_opened: ({ opened, testOrder }) => {
    if (opened !== null) return on(apiMessage('decide_checks.test_link_opened'), opened.openedAt);
    // A server can post a click ID that no browser received, which proves nothing about the store's pages.
    if (testOrder !== null) return off(apiMessage('decide_checks.no_test_link_has_been', { orderId: testOrder.orderId }));
    return off(apiMessage('decide_checks.no_test_link_has_been_2'));
  },
  test_order: ({ testOrder }) =>
    testOrder === null
      ? off(apiMessage('decide_checks.no_test_order_has_been'))
      : on(apiMessage('decide_checks.test_order_verified', { orderId: testOrder.orderId }), testOrder.at),
  tracking_on: ({ trackingOnAt }) =>
    trackingOnAt === null
      ? off(apiMessage('decide_checks.only_test_order_answered_with'))
      : on(apiMessage('decide_checks.test_order_switched_tracking_on'), trackingOnAt),
  refund_tested: ({ reversal }) => {
    if (reversal === null) return off(apiMessage('decide_checks.no_refund_has_been_accepted'));
    const of = reversal.orderId === null ? 'an order' : `the order ${reversal.orderId}`;
    return on(apiMessage('decide_checks.refund_accepted', { of }), reversal.at);
  },
};

function judgePage(page: PageCheck | null): Judged {
  if (page === null) return off(apiMessage('decide_checks.landing_page_has_not_been'));
  const { at, found, pageUrl } = page;
  const error = found.findings.find(({ level }) => level === 'error');
  if (error) return off(error.message, at);
  if (found.tag === null || !found.isWorking)
    return off(found.findings[0]?.message ?? apiMessage('decide_checks.no_script_tag_found_on', { pageUrl }), at);
  return on(apiMessage('decide_checks.tag', { element: found.tag.isInHead ? 'head' : 'body', pageUrl }), at);
}
