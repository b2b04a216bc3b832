import { shellQuote } from '../curl-command.ts';
import { clickIdOf, keyOf, type SnippetValues } from './snippet-values.ts';

export const nodeSnippet = (values: SnippetValues): string => `// POSTBACK_KEY=${shellQuote(keyOf(values))} node report-order.mjs
const url = '${values.postbacksUrl}/conversions';

export async function reportPaidOrder(order) {
  const body = JSON.stringify({
    order_id: String(order.id), // text: a number is refused
    click_id: order.clickId, // as the page gave it; without a click there is nothing to report
    currency: 'USD',
    // Whole cents. 19.99 * 100 is 1998.9999999999998: keep cents in your database, or use Math.round.
    order_subtotal_cents: order.subtotalCents,
    occurred_at: order.paidAt.toISOString(), // always UTC, with its Z
    ...(order.isTest && { test: true }),
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { authorization: \`Bearer \${process.env.POSTBACK_KEY}\`, 'content-type': 'application/json' },
        body, // the very same bytes at each attempt
        signal: AbortSignal.timeout(10_000), // fetch alone waits for minutes
      });
      // fetch throws for no status. A 4xx is final: log it, and do not send it again.
      if (answer.status < 500 || attempt === 5) return { status: answer.status, ...(await answer.json()) };
    } catch (error) {
      if (attempt === 5) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, 500 * 2 ** attempt));
  }
}

const paidAt = new Date();
const order = { id: \`test-\${paidAt.getTime()}\`, clickId: '${clickIdOf(values)}', subtotalCents: 1000, paidAt };
console.log(await reportPaidOrder({ ...order, isTest: true }));`;
