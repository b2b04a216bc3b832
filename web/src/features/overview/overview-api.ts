import { apiQuery } from '../../ui/queries.ts';
import { queryString } from '../../ui/search-params.ts';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import type { Cents } from '../../api/parse-json.ts';

export type DailyTotals = {
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
  readonly totals: DailyTotals & { readonly effective_rate_basis_points: number | null };
  readonly days: ReadonlyArray<DailyTotals & { readonly day: string }>;
  readonly top_creators: readonly TopCreator[];
};

export const defaultRange = '30d';

/** A date range takes precedence over a number of days, written `90d`; without either the default applies. */
export const overviewQuery = (store: string, { last = defaultRange, from, to }: OverviewSearch) =>
  apiQuery<Overview>(`/stores/${store}/overview${queryString(from === undefined ? { days: last.replace(/d$/, ''), to } : { from, to })}`);
