import { reading } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import type { OverviewSearch } from './list-search.ts';
import type { Cents } from '../parts/amounts.ts';

export type Figures = {
  readonly clicks: number;
  readonly filtered_arrivals: number;
  readonly orders: number;
  readonly revenue_cents: Cents;
  readonly commission_cents: Cents;
  readonly earned_cents: Cents;
  readonly refunds: number;
  readonly refunded_cents: Cents;
  readonly approved: number;
  readonly approved_cents: Cents;
  readonly paid: number;
  readonly paid_cents: Cents;
};

export type TopCreator = {
  readonly creator_id: string;
  readonly name: string;
  readonly clicks: number;
  readonly orders: number;
  readonly revenue_cents: Cents;
  readonly commission_cents: Cents;
  readonly earned_cents: Cents;
};

export type Overview = {
  readonly from: string;
  readonly to: string;
  readonly waiting: {
    readonly to_review: number;
    readonly to_review_cents: Cents;
    readonly approving_themselves: number;
    readonly held: number;
    readonly held_subscriptions: number;
    readonly unpaid_invoices: number;
    readonly applications: number;
    readonly open_disputes: number;
  };
  readonly tracking: {
    readonly status: 'active' | 'past_due' | 'archived';
    readonly tracking_on: boolean;
    readonly last_postback_at: string | null;
    readonly refused: ReadonlyArray<{ readonly reason: string; readonly count: number }>;
  };
  readonly totals: Figures & { readonly effective_rate_basis_points: number | null };
  readonly days: ReadonlyArray<Figures & { readonly day: string }>;
  readonly top_creators: readonly TopCreator[];
};

export const usualDays = '30d';

/** Days that are named go before a number of them, written `90d`; without either it is the usual number. */
export const overviewReading = (store: string, { last = usualDays, from, to }: OverviewSearch) =>
  reading<Overview>(`/stores/${store}/overview${queryOf(from === undefined ? { days: last.replace(/d$/, ''), to } : { from, to })}`);
