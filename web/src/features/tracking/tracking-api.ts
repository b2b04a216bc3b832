import { apiPath } from '../../api/operations.ts';
import { curlCommand } from '../integration/curl-command.ts';
import type { LogFilter } from '../stores/store-search-params.ts';

export const logPath = (store: string) => apiPath('/stores/{store}/tracking-log', { store });
export const logListPath = (store: string, filter: LogFilter, place: { readonly cursor?: string; readonly limit?: number }) =>
  apiPath('/stores/{store}/tracking-log', { store }, { ...filter, ...place });
export const logTotalsPath = (store: string, filter: LogFilter) => apiPath('/stores/{store}/tracking-log/totals', { store }, filter);

/** The six operations of a store's server and their paths. */
const operations = [
  ['conversion', 'Order', 'conversions'],
  ['reversal', 'Refund of an order', 'reversals'],
  ['relationship', 'Subscription begun', 'v2/recurring/relationships'],
  ['billing_event', 'Invoice', 'v2/recurring/billing-events'],
  ['invoice_reversal', 'Refund of an invoice', 'v2/recurring/reversals'],
  ['relationship_end', 'Subscription ended', 'v2/recurring/relationships/end'],
] as const;

export const operationLabels: Readonly<Record<string, string>> = Object.fromEntries(operations.map(([name, words]) => [name, words]));
export const operationOptions = operations.map(([name, words]) => [name, words] as const);
export const operationPaths: Readonly<Record<string, string>> = Object.fromEntries(operations.map(([name, , path]) => [name, path]));

type LoggedRequest = { readonly origin: string; readonly trackingKey: string; readonly operation: string; readonly body: string };

/** Repeats a request on the command line. The key is a placeholder, because only its owner has it. */
export const logLineCurl = ({ origin, trackingKey, operation, body }: LoggedRequest): string =>
  curlCommand({
    url: `${origin}/api/partner-network/postbacks/${trackingKey}/${operationPaths[operation] ?? operation}`,
    authorization: '"Authorization: Bearer $POSTBACK_KEY"',
    body,
  });
