import type { Page } from '../../api/client.ts';
import type { Payout } from '../portal/creator-payouts-api.ts';
import type { CommissionState, HoldReason } from '../conversions/commissions-api.ts';
import { apiListQuery, apiQuery } from '../../ui/queries.ts';
import { queryString } from '../../ui/search-params.ts';
import type { Cents } from '../../api/parse-json.ts';

export type InFlight = { readonly count: number; readonly amount_cents: Cents };

export type OperatorOverviewData = {
  readonly stores: { readonly count: number; readonly past_due: number; readonly archived: number };
  readonly past_due_stores: ReadonlyArray<{ readonly id: string; readonly name: string; readonly since: string }>;
  readonly creators: { readonly count: number; readonly suspended: number };
  readonly sold: {
    readonly since: string;
    readonly clicks: number;
    readonly orders: number;
    readonly revenue_cents: Cents;
    readonly commission_cents: Cents;
  };
  readonly payouts: { readonly awaiting_second: InFlight; readonly sending: InFlight; readonly unknown: InFlight };
  readonly charges: { readonly sending: InFlight; readonly unknown: InFlight };
  readonly open_disputes: number;
  readonly last_verification: {
    readonly at: string;
    readonly by_name: string;
    readonly took_ms: number | null;
    readonly checked: number;
    readonly differences: number;
  } | null;
  readonly queue_waiting: number;
  readonly failed_jobs: { readonly night: readonly string[]; readonly queue: number };
};

/** The fields that billing runs and payout runs share. */
export type Run = {
  readonly id: string;
  readonly dry_run: boolean;
  readonly by_name: string;
  readonly started_at: string;
  readonly ended_at: string | null;
};
export type RunPayout = Pick<OperatorPayout, 'creator_id' | 'amount_cents' | 'state'> & {
  /** Null in a dry run. */
  readonly id: string | null;
};
export type ListedRun = Run & { readonly count: number | null };

export type OperatorPayout = Payout & {
  readonly creator_id: string;
  readonly payout_run_id: string;
  readonly started_by: string;
  readonly confirmations_needed: number;
  readonly confirmations_missing: number;
  readonly confirmations: ReadonlyArray<{
    readonly user_id: string;
    readonly name: string;
    readonly at: string;
    readonly counts: boolean;
    readonly why_not: string | null;
  }>;
  readonly you_may_confirm: boolean;
  readonly why_not: string | null;
  readonly contradicted_at: string | null;
  readonly contradiction_decided_at: string | null;
};
/** A failed payout that its provider later reported as paid; no operator has confirmed that the money came back. */
export const isReportedPaid = ({ state, contradicted_at: contradictedAt, contradiction_decided_at: decidedAt }: OperatorPayout): boolean =>
  state === 'failed' && contradictedAt !== null && decidedAt === null;
export const payoutsPath = (filter: { readonly state?: string | undefined; readonly provider?: string | undefined }) =>
  `/payouts${queryString(filter)}`;
export const payoutsQuery = (path: string) => apiListQuery<OperatorPayout>(path);

export type Ledger = {
  readonly accounts: ReadonlyArray<{
    readonly book: 'stores' | 'creators';
    readonly account: string;
    readonly debit_cents: Cents;
    readonly credit_cents: Cents;
  }>;
  readonly is_balanced: boolean;
};
export type VerificationResult = {
  readonly ok: boolean;
  readonly checked: number;
  readonly checks: ReadonlyArray<{ readonly what: string; readonly checked: number; readonly differences: number }>;
  readonly differences: ReadonlyArray<{ readonly what: string; readonly store_id: string; readonly detail: string }>;
};

/** One verification run with the first of its differences. */
export type Verification = {
  readonly id: string;
  readonly at: string;
  readonly by: string;
  readonly by_name: string;
  readonly took_ms: number | null;
  readonly checked: number;
  readonly differences: number;
  readonly checks: VerificationResult['checks'] | null;
  readonly found: VerificationResult['differences'] | null;
};
export const verificationsQuery = apiQuery<Page<Verification>>('/ledger/verifications?limit=10');

export type OpenCharge = {
  readonly id: string;
  readonly store_id: string;
  readonly state: 'ready' | 'sending' | 'pending' | 'unknown';
  readonly amount_cents: Cents;
  readonly provider: string;
  readonly description: string;
  readonly provider_id: string | null;
  readonly message: string | null;
  readonly made_at: string;
  readonly called_at: string | null;
  readonly surely_never_made_at: string;
};

/** Held or pending: someone has to act at its store. */
export type OpenCommission = {
  readonly id: string;
  readonly store_id: string;
  readonly store_name: string;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly state: CommissionState;
  readonly held: { readonly reason: HoldReason; readonly by: string; readonly since: string } | null;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly amount_cents: Cents;
  readonly occurred_at: string;
  readonly auto_approve_at: string | null;
};

export type OperatorDispute = {
  readonly id: string;
  readonly store_id: string;
  readonly creator_id: string;
  readonly text: string;
  readonly opened_at: string;
  readonly state: 'open' | 'accepted' | 'declined';
  readonly note: string | null;
};

export type ScheduledJob = {
  readonly job: string;
  readonly rhythm: string;
  readonly ran_up_to: string | null;
  readonly next_at: string | null;
  readonly last_error: string | null;
  readonly failed_at: string | null;
  readonly failures: number;
};
export type FailedTask = {
  readonly id: string;
  readonly task: string;
  readonly attempts: number;
  readonly attempts_max: number;
  readonly last_error: string;
  readonly next_at: string;
  readonly is_running: boolean;
};
export type Jobs = { readonly night: readonly ScheduledJob[]; readonly queue: readonly FailedTask[] };
export type RetryResult = { readonly ended: 'done' | 'failed' | 'queued'; readonly error: string | null };

export type StoreTracking = {
  readonly store_id: string;
  readonly name: string;
  readonly tracking_on: boolean;
  readonly last: { readonly at: string; readonly reason: string; readonly accepted: boolean } | null;
  readonly refused: number;
};
export type UnauthenticatedRequests = {
  readonly from: string;
  readonly data: ReadonlyArray<{ readonly day: string; readonly reason: string; readonly means: string; readonly count: number }>;
};

export type BillingSettings = {
  readonly fee_basis_points: number;
  readonly minimum_cents: Cents;
  readonly early_cents: Cents;
  readonly fee_max_basis_points: number;
  readonly next_fee: { readonly basis_points: number; readonly from: string } | null;
  readonly fee_asked: { readonly basis_points: number; readonly by_name: string; readonly at: string } | null;
};
export type PayoutSettings = {
  readonly minimum_cents: Cents;
  readonly second_person_above_cents: Cents | null;
  readonly second_person_is_default: boolean;
  readonly live_default_cents: Cents;
  /** A higher limit, or none, that waits for a second operator. */
  readonly second_person_asked: { readonly above_cents: Cents | null; readonly by_name: string; readonly at: string } | null;
};

export type RequestRate = {
  readonly count: number;
  readonly per_second: number;
  readonly p50_ms: number | null;
  readonly p99_ms: number | null;
};

export type Health = {
  readonly traffic: { readonly postbacks: RequestRate; readonly redirects: RequestRate };
  readonly mode: 'sandbox' | 'live';
  readonly now: string;
  readonly started_at: string;
  readonly node: string;
  readonly database: { readonly version: string; readonly migrations: number; readonly newest_migration: string; readonly bytes: number };
};

export const operatorOverviewQuery = apiQuery<OperatorOverviewData>('/overview');
export const ledgerQuery = apiQuery<Ledger>('/ledger');
export const jobsQuery = apiQuery<Jobs>('/jobs');
export const unauthenticatedRequestsQuery = apiQuery<UnauthenticatedRequests>('/door-refusals');
export const healthQuery = apiQuery<Health>('/health');

/** A charge without an unpaid invoice: a person refunds it at the provider. */
export type UnmatchedCharge = {
  readonly id: string;
  readonly store_id: string;
  readonly invoice_id: string;
  readonly amount_cents: Cents;
  readonly provider: string;
  readonly provider_id: string | null;
  readonly description: string;
  readonly since: string;
};

/** A new operator who needs the approval of someone other than the inviter. */
export type OperatorApproval = {
  readonly invitation_id: string;
  readonly email: string;
  readonly name: string | null;
  readonly invited_by_name: string | null;
  readonly invited_at: string;
  readonly has_joined: boolean;
  readonly you_may_approve: boolean;
  readonly why_not: string | null;
};
export type OperatorRules = { readonly in_force: boolean; readonly wait_hours: number };
