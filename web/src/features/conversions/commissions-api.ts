import { api } from '../../api/client.ts';
import { queryString } from '../../ui/search-params.ts';
import type { Charge, Invoice } from '../billing/billing-api.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import type { Cents } from '../../api/parse-json.ts';

export type CommissionState = 'pending' | 'approved' | 'billed' | 'collected' | 'paid' | 'rejected' | 'reversed';
export type HoldReason = 'dispute' | 'fraud_review' | 'early_reversal' | 'creator_suspended' | 'merchant_request';

export type Commission = {
  readonly id: string;
  readonly state: CommissionState;
  readonly held: { readonly reason: HoldReason; readonly by: string; readonly since: string } | null;
  readonly program_id: string;
  readonly creator_id: string;
  readonly creator_name: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly amount_cents: Cents;
  readonly eligible_cents: Cents;
  readonly clicked_at: string | null;
  readonly occurred_at: string;
  readonly recorded_at: string;
  readonly hold_until: string;
  readonly auto_approve_at: string | null;
  readonly approved_at: string | null;
  readonly rejected_at: string | null;
  readonly reversed_at: string | null;
  readonly terms_version: number;
  readonly explanation: string;
  readonly order_name: string | null;
  readonly customer_id: string | null;
  readonly discount_code: string | null;
  readonly rejected_reason: string | null;
  readonly rejected_note: string | null;
  readonly reversal_reason: string | null;
};

export type CommissionTotals = {
  readonly count: number;
  readonly amount_cents: Cents;
  readonly eligible_cents: Cents;
  readonly earned_cents: Cents;
  readonly has_more: boolean;
};

export type Decision = {
  readonly id: string;
  readonly action: 'approve' | 'reject' | 'hold' | 'release' | 'reopen';
  readonly reason: string | null;
  readonly note: string | null;
  readonly by: string;
  readonly by_name: string;
  readonly at: string;
};

/** What happened after the review. */
export type CommissionStory = {
  readonly invoice: Invoice | null;
  readonly charges: readonly Charge[];
  readonly credit_note: {
    readonly number: string;
    readonly kind: 'before' | 'after';
    readonly reason: string;
    readonly operator_bears: boolean;
    readonly at: string;
  } | null;
  readonly payout: {
    readonly state: 'prepared' | 'on_its_way' | 'paid';
    readonly begun_at: string;
    readonly sent_at: string | null;
    readonly ended_at: string | null;
  } | null;
  readonly ledger: ReadonlyArray<{
    readonly at: string;
    readonly what: string;
    readonly debit: string;
    readonly credit: string;
    readonly amount_cents: Cents;
  }>;
};

export const commissionsPath = (store: string) => `/stores/${store}/commissions`;
export const commissionList = (store: string, filter: ConversionFilter, index: { readonly cursor?: string; readonly limit?: number }) =>
  `${commissionsPath(store)}${queryString({ ...filter, ...index })}`;
export const totalsPath = (store: string, filter: ConversionFilter) => `${commissionsPath(store)}/totals${queryString(filter)}`;

/** The merchant's own ID of the order or subscription invoice. */
export const subjectOf = ({ order_id: order, invoice_id: invoice, id }: Commission): string => order ?? invoice ?? id;

export type ReviewAction =
  | { readonly do: 'approve' | 'release' | 'reopen' }
  | { readonly do: 'reject'; readonly reason: string; readonly note: string | null }
  | { readonly do: 'hold'; readonly reason: string; readonly note: string | null };

export const reviewResults = ['ok', 'not_found', 'held', 'not_held', 'rejected', 'reversed', 'billed', 'conflict'] as const;
export type ReviewResult = (typeof reviewResults)[number];
export type ReviewCounts = Readonly<Record<ReviewResult, number>>;
/** The decisions of one transaction, as first and last ID: enough to undo a thousand of them. */
export type DecisionRange = { readonly first: string; readonly last: string };
/** The result of a decision and what is needed to undo it. */
export type ReviewSummary = { readonly counts: ReviewCounts; readonly decided: readonly DecisionRange[] };
type ReviewReply = ReviewSummary & { readonly next_cursor: string | null };

/**
 * Decisions per request when all matching rows are decided: few enough to show progress, many enough to write one audit log entry each.
 */
const reviewBatchSize = 2_000;
/** Ten million commissions; for more, the person repeats the action. */
const batchesMax = 5_000;

const sendReview = (store: string, { do: word, ...fields }: ReviewAction, which: object): Promise<ReviewReply> =>
  api.post<ReviewReply>(`${commissionsPath(store)}/${word}`, { ...fields, ...which });

/** Decides the rows of one page. */
export const reviewIds = (store: string, action: ReviewAction, ids: readonly string[]): Promise<ReviewSummary> =>
  sendReview(store, action, { ids });

/**
 * Decides all matching rows in batches. Each batch starts after the previous one, and commissions recorded meanwhile are not decided.
 * `onProgress` gets the running result and returns whether to continue.
 */
export async function reviewAll(
  store: string,
  action: ReviewAction,
  filter: ConversionFilter,
  onProgress: (summary: ReviewSummary) => boolean,
): Promise<ReviewSummary> {
  let soFar = emptySummary;
  let cursor: string | null = null;
  for (let call = 0; call < batchesMax; call++) {
    const index: object = cursor === null ? {} : { cursor };
    const reply = await sendReview(store, action, { filter: filterBody(filter), limit: reviewBatchSize, ...index });
    soFar = mergeSummaries(soFar, reply);
    cursor = reply.next_cursor;
    if (!onProgress(soFar) || cursor === null) break;
  }
  return soFar;
}

/** Undoes decisions one transaction at a time, latest first. `onProgress` gets the running result and returns whether to continue. */
export async function undoAll(
  store: string,
  decided: readonly DecisionRange[],
  onProgress: (soFar: ReviewCounts, left: readonly DecisionRange[]) => boolean,
): Promise<ReviewCounts> {
  let soFar = emptySummary;
  for (const range of decided.toReversed()) {
    const { counts } = await api.post<Pick<ReviewSummary, 'counts'>>(`${commissionsPath(store)}/undo`, range);
    soFar = mergeSummaries(soFar, { counts, decided: [range] });
    if (!onProgress(soFar.counts, decided.slice(0, -soFar.decided.length))) break;
  }
  return soFar.counts;
}

/** URL parameters are text; the body needs booleans and numbers. */
const filterBody = ({ held, approves_itself_within_days: days, ...filter }: ConversionFilter): object => ({
  ...filter,
  ...(held !== undefined && { held: held === 'true' || held === 'false' ? held === 'true' : held }),
  ...(days !== undefined && { approves_itself_within_days: Number(days) }),
});

const countEach = (count: (word: ReviewResult) => number): ReviewCounts => ({
  ok: count('ok'),
  not_found: count('not_found'),
  held: count('held'),
  not_held: count('not_held'),
  rejected: count('rejected'),
  reversed: count('reversed'),
  billed: count('billed'),
  conflict: count('conflict'),
});
const emptySummary: ReviewSummary = { counts: countEach(() => 0), decided: [] };
export const decidedCount = (counts: ReviewCounts): number => reviewResults.reduce((sum, word) => sum + counts[word], 0);
const mergeSummaries = (one: ReviewSummary, other: ReviewSummary): ReviewSummary => ({
  counts: countEach((word) => one.counts[word] + other.counts[word]),
  decided: [...one.decided, ...other.decided],
});
