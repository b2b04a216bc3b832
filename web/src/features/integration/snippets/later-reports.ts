import { reportCurl } from './curl.ts';
import { clickIdOf, type SnippetValues } from './snippet-values.ts';

export type LaterReport = {
  readonly name: string;
  readonly note: string;
  readonly snippet: (values: SnippetValues, now: Date) => string;
};

/** Reports after the first order: refunds, subscriptions from start to end, and leads. */
export const laterReports: readonly LaterReport[] = [
  {
    name: 'Refund',
    note: 'A full refund or a cancellation, by the order’s own id. A refund of your test order completes the last check.',
    snippet: (values) => reportSnippet(values, 'reversals', { order_id: 'the-same-as-in-the-order', reason: 'refunded' }),
  },
  {
    name: 'Partial refund',
    note: 'The refunded part of the eligible amount, with an ID of its own. If the program pays per product, send line_items instead of the amount.',
    snippet: (values, now) =>
      reportSnippet(values, 'v2/orders/refunds', {
        refund_id: 'refund-1',
        order_id: 'the-same-as-in-the-order',
        amount_cents: 500,
        occurred_at: now.toISOString(),
      }),
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
    name: 'Part of an invoice refunded',
    note: 'The refunded part of the eligible amount, with an ID of its own.',
    snippet: (values) =>
      reportSnippet(values, 'v2/recurring/invoices/refunds', {
        refund_id: 'refund-2',
        relationship_id: 'sub-1',
        environment: 'test',
        invoice_id: 'in-1',
        amount_minor_units: 500,
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
  {
    name: 'Lead',
    note: 'A sign-up, a trial, or a booked call, with a click of a creator link: there are no test leads. Your terms say what each kind earns. A lead that was not real is reversed with v2/leads/reversals.',
    snippet: (values, now) =>
      reportSnippet(values, 'v2/leads', {
        lead_id: 'lead-1',
        kind: 'sign_up',
        click_id: values.clickId?.startsWith('rmc_') ? values.clickId : 'rmc_…',
        customer_id: 'customer-1',
        occurred_at: now.toISOString(),
      }),
  },
];

const eventFields = (eventId: string) => ({ event_id: eventId, relationship_id: 'sub-1', environment: 'test' });

const reportSnippet = (values: SnippetValues, path: string, body: object): string =>
  reportCurl(values, path, JSON.stringify(body, null, 2));
