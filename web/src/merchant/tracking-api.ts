import { queryOf } from '../parts/search.ts';
import { curlCommand } from './curl-command.ts';
import type { LogFilter } from './list-search.ts';

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
export const logList = (store: string, filter: LogFilter, place: { readonly cursor?: string; readonly limit?: number }) =>
  `${logPath(store)}${queryOf({ ...filter, ...place })}`;
export const logTotals = (store: string, filter: LogFilter) => `${logPath(store)}/totals${queryOf(filter)}`;

/** The six things that a merchant's server reports, and where it sends them. */
const operations = [
  ['conversion', 'Order', 'conversions'],
  ['reversal', 'Refund of an order', 'reversals'],
  ['relationship', 'Subscription begun', 'v2/recurring/relationships'],
  ['billing_event', 'Invoice', 'v2/recurring/billing-events'],
  ['invoice_reversal', 'Refund of an invoice', 'v2/recurring/reversals'],
  ['relationship_end', 'Subscription ended', 'v2/recurring/relationships/end'],
] as const;

export const operationWords: Readonly<Record<string, string>> = Object.fromEntries(operations.map(([name, words]) => [name, words]));
export const operationChoices = operations.map(([name, words]) => [name, words] as const);
export const operationPaths: Readonly<Record<string, string>> = Object.fromEntries(operations.map(([name, , path]) => [name, path]));

type Sent = { readonly origin: string; readonly trackingKey: string; readonly operation: string; readonly body: string };

/** The same request again, for a command line. The key is a placeholder: nobody but its owner has it. */
export const curlOf = ({ origin, trackingKey, operation, body }: Sent): string =>
  curlCommand({
    url: `${origin}/api/partner-network/postbacks/${trackingKey}/${operationPaths[operation] ?? operation}`,
    authorization: '"Authorization: Bearer $POSTBACK_KEY"',
    body,
  });
