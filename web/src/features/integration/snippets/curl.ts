import { curlCommand, shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

/** Shared by all reports: only the path and the body differ. */
export const reportCurl = (values: SnippetValues, path: string, body: string): string =>
  curlCommand({
    url: `${values.postbacksUrl}/${path}`,
    authorization: shellQuote(`Authorization: Bearer ${keyOf(values)}`),
    body,
  });

export const curlSnippet = (values: SnippetValues, now: Date): string => `${reportCurl(values, 'conversions', testOrder(values, now))}

# Without the Content-Type curl calls it a form, and a form is refused.
# A command stays in the history of your shell, and the key with it: on a server read it from the environment.
# Sent twice with another time it is another report: 409. Send the very same body again.`;

const testOrder = (values: SnippetValues, now: Date): string => `{
    "order_id": "test-${now.getTime()}",
    "click_id": "${clickIdOf(values)}",
    "currency": "USD",
    "order_subtotal_cents": 1000,
    "occurred_at": "${now.toISOString()}",
    "test": true
  }`;
