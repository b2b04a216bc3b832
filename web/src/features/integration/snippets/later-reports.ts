import { reportCurl } from './curl.ts';
import { clickIdOf, type SnippetValues } from './snippet-values.ts';

export type LaterReport = {
  readonly name: string;
  readonly note: string;
  readonly snippet: (values: SnippetValues, now: Date) => string;
};

/** Reports after the first order: refunds, and subscriptions from start to end. */
export const laterReports: readonly LaterReport[] = [
  {
    name: 'Refund',
    note: 'A full refund or a cancellation, by the order’s own id. There are no partial refunds. A refund of your test order completes the last check.',
    snippet: (values) => reportSnippet(values, 'reversals', { order_id: 'the-same-as-in-the-order', reason: 'refunded' }),
  },
  {
    name: 'Subscription begins',
    note: 'Once, with the click. Make the rule of your terms first: a subscription that no rule fits earns nothing for good. "environment": "test" goes with the click of a test link.',
    snippet: (values, now) =>
      reportSnippet(values, 'v2/recurring/relationships', {
        ...eventFields('sub-1-begin'),
        click_id: clickIdOf(values),
        product_id: 'plan-basic',
        currency: 'USD',
        occurred_at: now.toISOString(),
      }),
  },
  {
    name: 'Invoice',
    note: 'Each invoice, paid or not, without a click. Only the first "paid" of an invoice earns.',
    snippet: (values, now) =>
      reportSnippet(values, 'v2/recurring/billing-events', {
        ...eventFields('in-1-paid'),
        invoice_id: 'in-1',
        payment_state: 'paid',
        amount_paid_minor_units: 1_000,
        product_id: 'plan-basic',
        currency: 'USD',
        occurred_at: now.toISOString(),
      }),
  },
  {
    name: 'Invoice refunded',
    note: 'The full refund of one invoice.',
    snippet: (values) =>
      reportSnippet(values, 'v2/recurring/reversals', { ...eventFields('in-1-refund'), invoice_id: 'in-1', reason: 'refunded' }),
  },
  {
    name: 'Subscription ends',
    note: 'The first end date remains; later invoices are rejected.',
    snippet: (values) => reportSnippet(values, 'v2/recurring/relationships/end', eventFields('sub-1-end')),
  },
];

const eventFields = (eventId: string) => ({ event_id: eventId, relationship_id: 'sub-1', environment: 'test' });

const reportSnippet = (values: SnippetValues, path: string, body: object): string =>
  reportCurl(values, path, JSON.stringify(body, null, 2));
