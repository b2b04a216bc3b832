import { curlCommand, shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

/** Shared by all reports: only the path and the body differ. */
export const reportCurl = (facts: SnippetValues, path: string, body: string): string =>
  curlCommand({
    url: `${facts.postbacksUrl}/${path}`,
    authorization: shellQuote(`Authorization: Bearer ${keyOf(facts)}`),
    body,
  });

export const curlSnippet = (facts: SnippetValues, now: Date): string => `${reportCurl(facts, 'conversions', testOrder(facts, now))}

# Without the Content-Type curl calls it a form, and a form is refused.
# A command stays in the history of your shell, and the key with it: on a server read it from the environment.
# Sent twice with another time it is another report: 409. Send the very same body again.`;

const testOrder = (facts: SnippetValues, now: Date): string => `{
    "order_id": "test-${now.getTime()}",
    "click_id": "${clickIdOf(facts)}",
    "currency": "USD",
    "order_subtotal_cents": 1000,
    "occurred_at": "${now.toISOString()}",
    "test": true
  }`;
