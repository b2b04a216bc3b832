import { useRouteContext } from '@tanstack/react-router';
import { reading, listing } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import type { Terms } from '../merchant/programs-api.ts';
import type { Cents } from '../parts/amounts.ts';

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

export type PayoutMethodReply = {
  readonly payout_method: PayoutMethod | null;
  /** What this installation can pay to. */
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

export type OwnLink = {
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

export type RefusedTotals = { readonly days: number; readonly refused: number; readonly is_exact: boolean };

export type OwnSubscription = {
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

/** The area shows its pages to creators only. */
export function useCreatorId(): string {
  const { session } = useRouteContext({ from: '/inside' });
  return session.creator_id ?? '';
}

const path = (creator: string, what: string) => `/creators/${creator}/${what}`;
export const creatorReading = (creator: string) => reading<Creator>(`/creators/${creator}`);
export const balanceReading = (creator: string) => reading<Balance>(path(creator, 'balance'));
export const membershipList = (creator: string) => listing<Membership>(path(creator, 'memberships'));
export const membershipsPath = (creator: string) => path(creator, 'memberships');
export const payoutMethodReading = (creator: string) => reading<PayoutMethodReply>(path(creator, 'payout-method'));
export const refusedTotalsReading = (creator: string) => reading<RefusedTotals>(path(creator, 'refused-orders/totals'));
export const linksPath = (creator: string) => path(creator, 'links');
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
  `${path(creator, 'sub-ids')}${queryOf(days)}`;
export const linkList = (creator: string, program: string | undefined) =>
  listing<OwnLink>(`${linksPath(creator)}${queryOf({ program_id: program })}`);
export const programPath = (program: string) => `/programs/${program}`;
export const taxPath = (creator: string) => path(creator, 'tax-details');
export const notificationsPath = (creator: string) => path(creator, 'notifications');
export const paidYearsReading = (creator: string) => reading<{ readonly data: readonly PaidYear[] }>(path(creator, 'paid-years'));

/**
 * The month by the service's clock, which in the sandbox may be far ahead of the viewer's. Payouts are on the 1st and the 15th:
 * before the 15th it is the month of the next one, after it the month before.
 */
export function monthNow({ next_payout: { at } }: Balance): string {
  const next = new Date(at);
  return new Date(Date.UTC(next.getUTCFullYear(), next.getUTCMonth() - (next.getUTCDate() === 1 ? 1 : 0), 1)).toISOString().slice(0, 7);
}
