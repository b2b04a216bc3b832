import { useRouteContext } from '@tanstack/react-router';
import { apiQuery, apiListQuery } from '../../ui/queries.ts';
import { queryString } from '../../ui/search-params.ts';
import type { Terms } from '../programs/programs-api.ts';
import type { Cents } from '../../api/parse-json.ts';

export type Creator = {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly status: 'active' | 'suspended';
  readonly suspension_reason: string | null;
  readonly payout_method: PayoutMethod | null;
  readonly payout_minimum_cents: Cents | null;
  readonly created_at: string;
};
export type PayoutMethod = {
  readonly provider: 'sandbox' | 'stripe' | 'manual';
  readonly sandbox: string | null;
  readonly last4: string | null;
  readonly since: string;
  readonly usable_from: string;
  readonly came_back_at: string | null;
};

export type PayoutMethodResponse = {
  readonly payout_method: PayoutMethod | null;
  /** The providers that this installation supports. */
  readonly options: ReadonlyArray<PayoutMethod['provider']>;
};

export type Balance = {
  readonly available_cents: Cents;
  readonly in_payout_cents: Cents;
  readonly paid_cents: Cents;
  readonly in_hold_cents: Cents;
  readonly waiting_for_merchant_cents: Cents;
  readonly held_cents: Cents;
  readonly reserved_cents: Cents;
  readonly next_payout: { readonly at: string; readonly amount_cents: Cents; readonly minimum_cents: Cents };
  readonly blocks: ReadonlyArray<{
    readonly reason: string;
    readonly amount_cents: Cents;
    readonly until: string | null;
    readonly message: string;
  }>;
};

export type MemberStatus = 'applied' | 'approved' | 'paused' | 'removed';
export type Membership = {
  readonly id: string;
  readonly program_id: string;
  readonly program_name: string;
  readonly program_status: 'draft' | 'published' | 'paused';
  readonly store_id: string;
  readonly store_name: string;
  readonly store_status: 'active' | 'past_due' | 'archived';
  readonly status: MemberStatus;
  readonly since: string;
  readonly left_at: string | null;
};

export type PublicProgram = {
  readonly id: string;
  readonly name: string;
  readonly store_name: string;
  readonly site_url: string;
  readonly landing_url: string;
  readonly terms: Terms;
  readonly next_terms: Terms | null;
  readonly record: {
    readonly decided: number;
    readonly median_approval_hours: number | null;
    readonly refused_basis_points: number | null;
  };
  readonly is_open: boolean;
  readonly my_membership: MemberStatus | null;
};

export type CreatorLink = {
  readonly code: string;
  readonly url: string;
  readonly program_id: string;
  readonly program_name: string;
  readonly store_name: string;
  readonly leads_to: string;
  readonly earns: boolean;
  readonly arrivals: number;
  readonly clicks: number;
  readonly orders: number;
  readonly earned_cents: Cents;
  readonly refused: number;
};

export type RefusedOrderTotals = { readonly days: number; readonly refused: number; readonly is_exact: boolean };

export type CreatorSubscription = {
  readonly id: string;
  readonly state: 'active' | 'ended';
  readonly held: { readonly reason: string; readonly since: string } | null;
  readonly store_name: string;
  readonly program_name: string;
  readonly rule: {
    readonly basis_points: number | null;
    readonly flat_cents: number | null;
    readonly max_invoices: number | null;
    readonly max_months: number | null;
  } | null;
  readonly paid_invoices: number;
  readonly earned_cents: Cents;
  readonly bound_at: string;
  readonly ended_at: string | null;
};

export type TaxDetails = {
  readonly country: string;
  readonly legal_name: string;
  readonly tax_id_last4: string;
  readonly changed_at: string;
};
export type PaidYear = { readonly year: number; readonly paid_cents: Cents; readonly payouts: number };

/** The creator area renders its pages for creators only. */
export function useCreatorId(): string {
  const { session } = useRouteContext({ from: '/signed-in' });
  return session.creator_id ?? '';
}

const creatorSubpath = (creator: string, what: string) => `/creators/${creator}/${what}`;
export const creatorQuery = (creator: string) => apiQuery<Creator>(`/creators/${creator}`);
export const balanceQuery = (creator: string) => apiQuery<Balance>(creatorSubpath(creator, 'balance'));
export const membershipsQuery = (creator: string) => apiListQuery<Membership>(creatorSubpath(creator, 'memberships'));
export const membershipsPath = (creator: string) => creatorSubpath(creator, 'memberships');
export const payoutMethodQuery = (creator: string) => apiQuery<PayoutMethodResponse>(creatorSubpath(creator, 'payout-method'));
export const refusedOrderTotalsQuery = (creator: string) => apiQuery<RefusedOrderTotals>(creatorSubpath(creator, 'refused-orders/totals'));
export const creatorLinksPath = (creator: string) => creatorSubpath(creator, 'links');
export type SubIds = {
  readonly from: string;
  readonly to: string;
  readonly is_complete: boolean;
  readonly next_cursor: string | null;
  readonly data: ReadonlyArray<{
    readonly sub_id: string | null;
    readonly clicks: number;
    readonly orders: number;
    readonly earned_cents: Cents;
  }>;
};
export const subIdsPath = (creator: string, days: { readonly from?: string | undefined; readonly to?: string | undefined }) =>
  `${creatorSubpath(creator, 'sub-ids')}${queryString(days)}`;
export const creatorLinksQuery = (creator: string, program: string | undefined) =>
  apiListQuery<CreatorLink>(`${creatorLinksPath(creator)}${queryString({ program_id: program })}`);
export const publicProgramPath = (program: string) => `/programs/${program}`;
export const taxPath = (creator: string) => creatorSubpath(creator, 'tax-details');
export const notificationsPath = (creator: string) => creatorSubpath(creator, 'notifications');
export const paidYearsQuery = (creator: string) => apiQuery<{ readonly data: readonly PaidYear[] }>(creatorSubpath(creator, 'paid-years'));

/**
 * The current month by the service's clock, which in the sandbox may be far ahead of the viewer's. Payouts are on the 1st and the 15th:
 * a next payout on the 15th is in the current month, one on the 1st in the following month.
 */
export function currentMonth({ next_payout: { at } }: Balance): string {
  const next = new Date(at);
  return new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - (next.getUTCDate() === 1 ? 1 : 0), 1)).toISOString().slice(0, 7);
}
