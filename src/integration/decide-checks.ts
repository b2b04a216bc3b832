import type { PageCheck } from './page-check.ts';

/** What the service has observed of an integration. Null: nothing yet. */
export type Evidence = {
  readonly key: { readonly last4: string; readonly usedAt: Date } | null;
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
  key_used: ({ key }) =>
    key === null
      ? off('No request with one of your keys has arrived.')
      : on(`Your server used the key ending in ${key.last4}.`, key.usedAt),
  tag_found: ({ page }) => judgePage(page),
  link_opened: ({ opened, testOrder }) => {
    if (opened !== null) return on('A test link was opened.', opened.openedAt);
    // A server can post a click ID that no browser received, which proves nothing about the store's pages.
    if (testOrder !== null)
      return off(`No test link has been opened: the test order ${testOrder.orderId} carried a click that was copied.`);
    return off('No test link has been opened.');
  },
  test_order: ({ testOrder }) =>
    testOrder === null ? off('No test order has been verified.') : on(`The test order ${testOrder.orderId} was verified.`, testOrder.at),
  tracking_on: ({ trackingOnAt }) =>
    trackingOnAt === null
      ? off('Only a test order that is answered with test_verified switches it on.')
      : on('A test order switched tracking on.', trackingOnAt),
  refund_tested: ({ reversal }) => {
    if (reversal === null) return off('No refund has been accepted; report one of your test order.');
    const of = reversal.orderId === null ? 'an order' : `the order ${reversal.orderId}`;
    return on(`The refund of ${of} was accepted.`, reversal.at);
  },
};

function judgePage(page: PageCheck | null): Judged {
  if (page === null) return off('The landing page has not been looked at.');
  const { at, found, pageUrl } = page;
  const error = found.findings.find(({ level }) => level === 'error');
  if (error) return off(error.message, at);
  if (found.tag === null || !found.isWorking) return off(found.findings[0]?.message ?? `No script tag was found on ${pageUrl}.`, at);
  return on(`The tag is in the ${found.tag.isInHead ? 'head' : 'body'} of ${pageUrl}.`, at);
}
