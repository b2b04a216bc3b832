import { apiPath } from '../../api/operations.ts';
import { curlCommand } from '../integration/curl-command.ts';
import type { LogFilter } from '../stores/store-search-params.ts';

export const logPath = (store: string) => apiPath('/stores/{store}/tracking-log', { store });
export const logListPath = (store: string, filter: LogFilter, place: { readonly cursor?: string; readonly limit?: number }) =>
  apiPath('/stores/{store}/tracking-log', { store }, { ...filter, ...place });
export const logTotalsPath = (store: string, filter: LogFilter) => apiPath('/stores/{store}/tracking-log/totals', { store }, filter);

/** The ten operations of a store's server. */
export const operationPaths: Readonly<Record<string, string>> = {
  conversion: 'conversions',
  reversal: 'reversals',
  order_refund: 'v2/orders/refunds',
  relationship: 'v2/recurring/relationships',
  billing_event: 'v2/recurring/billing-events',
  invoice_reversal: 'v2/recurring/reversals',
  invoice_refund: 'v2/recurring/invoices/refunds',
  relationship_end: 'v2/recurring/relationships/end',
  lead: 'v2/leads',
  lead_reversal: 'v2/leads/reversals',
};

type LoggedRequest = { readonly origin: string; readonly trackingKey: string; readonly operation: string; readonly body: string };

/** Repeats a request on the command line. The key is a placeholder, because only its owner has it. */
export const logLineCurl = ({ origin, trackingKey, operation, body }: LoggedRequest): string =>
  curlCommand({
    url: `${origin}/api/partner-network/postbacks/${trackingKey}/${operationPaths[operation] ?? operation}`,
    authorization: '"Authorization: Bearer $POSTBACK_KEY"',
    body,
  });
