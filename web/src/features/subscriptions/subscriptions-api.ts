import { queryString } from '../../ui/search-params.ts';
import type { SubscriptionFilter } from '../stores/store-search-params.ts';
import type { Cents } from '../../api/parse-json.ts';

export type Subscription = {
  readonly id: string;
  readonly relationship_id: string;
  readonly state: 'active' | 'ended';
  readonly held: {
    readonly reason: 'product_mismatch' | 'price_mismatch';
    readonly by: string;
    readonly since: string;
    readonly product_id: string;
    readonly price_id: string | null;
  } | null;
  readonly program_id: string;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly product_id: string;
  readonly price_id: string | null;
  readonly rule: SubscriptionTerms | null;
  readonly paid_invoices: number;
  readonly earning_invoices: number;
  readonly earned_cents: Cents;
  readonly bound_at: string;
  readonly recorded_at: string;
  readonly ended_at: string | null;
  readonly end_reason: string | null;
};

export type SubscriptionTerms = {
  readonly basis_points: number | null;
  readonly flat_cents: number | null;
  readonly max_invoices: number | null;
  readonly max_months: number | null;
  readonly terms_version: number;
};

export type SubscriptionInvoice = {
  readonly id: string;
  readonly invoice_id: string;
  readonly state: 'paid' | 'failed' | 'open' | 'void' | 'uncollectible';
  readonly first_recorded_at: string;
  readonly paid_at: string | null;
  readonly amount_paid_cents: Cents | null;
  readonly eligible_cents: Cents | null;
  readonly product_id: string | null;
  readonly price_id: string | null;
  readonly earns: 'not_paid' | 'commission' | 'waits' | 'nothing';
  readonly commission_id: string | null;
  readonly explanation: string | null;
  readonly reversed_at: string | null;
  readonly reversal_reason: string | null;
};

export type SubscriptionWithInvoices = Subscription & {
  readonly invoices: readonly SubscriptionInvoice[];
  readonly next_cursor: string | null;
};

export const subscriptionsPath = (store: string) => `/stores/${store}/relationships`;
export const subscriptionListPath = (
  store: string,
  filter: SubscriptionFilter,
  index: { readonly cursor?: string; readonly limit?: number },
) => `${subscriptionsPath(store)}${queryString({ ...filter, ...index })}`;
export const subscriptionTotalsPath = (store: string, filter: SubscriptionFilter) =>
  `${subscriptionsPath(store)}/totals${queryString(filter)}`;

/** `plan-basic, price-monthly` */
export const productText = ({ product_id: product, price_id: price }: Pick<Subscription, 'product_id' | 'price_id'>): string =>
  price === null ? product : `${product}, ${price}`;
