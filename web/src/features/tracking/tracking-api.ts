import { paths } from '../../../../sdk/src/reports.ts';
import { apiPath } from '../../api/operations.ts';
import { curlCommand } from '../integration/curl-command.ts';
import type { LogFilter } from '../stores/store-search-params.ts';

export const logPath = (store: string) => apiPath('/stores/{store}/tracking-log', { store });
export const logListPath = (store: string, filter: LogFilter, place: { readonly cursor?: string; readonly limit?: number }) =>
  apiPath('/stores/{store}/tracking-log', { store }, { ...filter, ...place });
export const logTotalsPath = (store: string, filter: LogFilter) => apiPath('/stores/{store}/tracking-log/totals', { store }, filter);

const pathOf: Readonly<Record<string, string>> = paths;

type LoggedRequest = { readonly origin: string; readonly trackingKey: string; readonly operation: string; readonly body: string };

/** Repeats a request on the command line. The key is a placeholder, because only its owner has it. */
export const logLineCurl = ({ origin, trackingKey, operation, body }: LoggedRequest): string =>
  curlCommand({
    url: `${origin}/api/partner-network/postbacks/${trackingKey}/${pathOf[operation] ?? operation}`,
    authorization: '"Authorization: Bearer $POSTBACK_KEY"',
    body,
  });
