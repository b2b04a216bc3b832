import { queryString } from '../../ui/search-params.ts';
import { curlCommand } from '../integration/curl-command.ts';
import type { LogFilter } from '../stores/store-search-params.ts';

export type LogLine = {
  readonly id: string;
  readonly at: string;
  readonly operation: string;
  readonly status: number;
  readonly reason: string;
  readonly subject: string | null;
  readonly test: boolean;
  readonly replay: boolean;
  readonly request_id: string;
  readonly latency_ms: number;
  readonly explanation: string;
  readonly why: object;
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly field: string | null; readonly message: string }>;
  readonly reply: object;
  readonly body: string | null;
};

export type ReasonCounts = {
  readonly from: string;
  readonly data: ReadonlyArray<{
    readonly reason: string;
    readonly means: string;
    readonly accepted: boolean;
    readonly count: number;
    readonly has_more: boolean;
  }>;
};

export const logPath = (store: string) => `/stores/${store}/tracking-log`;
export const logListPath = (store: string, filter: LogFilter, index: { readonly cursor?: string; readonly limit?: number }) =>
  `${logPath(store)}${queryString({ ...filter, ...index })}`;
export const logTotalsPath = (store: string, filter: LogFilter) => `${logPath(store)}/totals${queryString(filter)}`;

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
