import { curlCommand, quoted } from '../curl-command.ts';
import { clickIn, keyIn, type SnippetFacts } from './facts.ts';

/** The same for every report: only the path and the body differ. */
export const curlOf = (facts: SnippetFacts, path: string, body: string): string =>
  curlCommand({ url: `${facts.postbacksUrl}/${path}`, authorization: quoted(`Authorization: Bearer ${keyIn(facts)}`), body });

export const curlSnippet = (facts: SnippetFacts, now: Date): string => `${curlOf(facts, 'conversions', testOrder(facts, now))}

# Without the Content-Type curl calls it a form, and a form is refused.
# A command stays in the history of your shell, and the key with it: on a server read it from the environment.
# Sent twice with another time it is another report: 409. Send the very same body again.`;

const testOrder = (facts: SnippetFacts, now: Date): string => `{
    "order_id": "test-${now.getTime()}",
    "click_id": "${clickIn(facts)}",
    "currency": "USD",
    "order_subtotal_cents": 1000,
    "occurred_at": "${now.toISOString()}",
    "test": true
  }`;
