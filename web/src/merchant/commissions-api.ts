import { api } from '../api.ts';
import { queryOf } from '../parts/search.ts';
import type { Charge, Invoice } from './billing-api.ts';
import type { ConversionFilter } from './list-search.ts';
import type { Cents } from '../parts/amounts.ts';

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

export type Totals = {
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

/** What became of it after its review. */
export type Story = {
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
export const commissionList = (store: string, filter: ConversionFilter, place: { readonly cursor?: string; readonly limit?: number }) =>
  `${commissionsPath(store)}${queryOf({ ...filter, ...place })}`;
export const totalsPath = (store: string, filter: ConversionFilter) => `${commissionsPath(store)}/totals${queryOf(filter)}`;

/** The merchant's own id of what it is about: an order, or an invoice of a subscription. */
export const subjectOf = ({ order_id: order, invoice_id: invoice, id }: Commission): string => order ?? invoice ?? id;

export type ReviewAction =
  | { readonly do: 'approve' | 'release' | 'reopen' }
  | { readonly do: 'reject'; readonly reason: string; readonly note: string | null }
  | { readonly do: 'hold'; readonly reason: string; readonly note: string | null };

export const reviewWords = ['ok', 'not_found', 'held', 'not_held', 'rejected', 'reversed', 'billed', 'conflict'] as const;
export type ReviewWord = (typeof reviewWords)[number];
export type ReviewCounts = Readonly<Record<ReviewWord, number>>;
/** What one transaction decided, from its first decision to its last: so much has to be remembered for taking a thousand back. */
export type Decided = { readonly first: string; readonly last: string };
/** How a decision ended, and what takes it back. */
export type Reviewed = { readonly counts: ReviewCounts; readonly decided: readonly Decided[] };
type Reply = Reviewed & { readonly next_cursor: string | null };

/** Of all that match so many are decided a call: few enough to see it go on, many enough to write one line each into the audit log. */
const reviewedPerCall = 2_000;
/** Ten million; who has more presses again. */
const callsMax = 5_000;

const send = (store: string, { do: word, ...fields }: ReviewAction, which: object): Promise<Reply> =>
  api.post<Reply>(`${commissionsPath(store)}/${word}`, { ...fields, ...which });

/** The rows of a page. */
export const reviewIds = (store: string, action: ReviewAction, ids: readonly string[]): Promise<Reviewed> => send(store, action, { ids });

/**
 * All that match, however many, part by part: each goes on behind the one before, and nothing that came in meanwhile is decided.
 * `goOn` hears what was done so far, and may say that it is enough.
 */
export async function reviewAll(
  store: string,
  action: ReviewAction,
  filter: ConversionFilter,
  goOn: (soFar: Reviewed) => boolean,
): Promise<Reviewed> {
  let soFar = nothingYet;
  let cursor: string | null = null;
  for (let call = 0; call < callsMax; call++) {
    const place: object = cursor === null ? {} : { cursor };
    const reply = await send(store, action, { filter: inBody(filter), limit: reviewedPerCall, ...place });
    soFar = together(soFar, reply);
    cursor = reply.next_cursor;
    if (!goOn(soFar) || cursor === null) break;
  }
  return soFar;
}

/** Takes back what was decided, a transaction at a time, the latest first. `goOn` hears of each, and may say that it is enough. */
export async function undoAll(
  store: string,
  decided: readonly Decided[],
  goOn: (soFar: ReviewCounts, left: readonly Decided[]) => boolean,
): Promise<ReviewCounts> {
  let soFar = nothingYet;
  for (const stretch of decided.toReversed()) {
    const { counts } = await api.post<Pick<Reviewed, 'counts'>>(`${commissionsPath(store)}/undo`, stretch);
    soFar = together(soFar, { counts, decided: [stretch] });
    if (!goOn(soFar.counts, decided.slice(0, -soFar.decided.length))) break;
  }
  return soFar.counts;
}

/** In an address all is text; in a body a claim is a claim, and a number a number. */
const inBody = ({ held, approves_itself_within_days: days, ...filter }: ConversionFilter): object => ({
  ...filter,
  ...(held !== undefined && { held: held === 'true' || held === 'false' ? held === 'true' : held }),
  ...(days !== undefined && { approves_itself_within_days: Number(days) }),
});

const counted = (count: (word: ReviewWord) => number): ReviewCounts => ({
  ok: count('ok'),
  not_found: count('not_found'),
  held: count('held'),
  not_held: count('not_held'),
  rejected: count('rejected'),
  reversed: count('reversed'),
  billed: count('billed'),
  conflict: count('conflict'),
});
const nothingYet: Reviewed = { counts: counted(() => 0), decided: [] };
export const decidedCount = (counts: ReviewCounts): number => reviewWords.reduce((sum, word) => sum + counts[word], 0);
const together = (one: Reviewed, other: Reviewed): Reviewed => ({
  counts: counted((word) => one.counts[word] + other.counts[word]),
  decided: [...one.decided, ...other.decided],
});
