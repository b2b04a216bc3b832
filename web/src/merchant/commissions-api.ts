import { api, type Page } from '../api.ts';
import { queryOf } from '../parts/search.ts';
import type { Charge, Invoice } from './billing-api.ts';
import type { ConversionFilter } from './list-search.ts';

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
  readonly amount_cents: number;
  readonly eligible_cents: number;
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
  readonly amount_cents: number;
  readonly eligible_cents: number;
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
    readonly amount_cents: number;
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
type Reviewed = {
  readonly results: Readonly<Record<string, ReviewWord>> | null;
  readonly counts: ReviewCounts;
  readonly next_cursor: string | null;
};

/** What one call decides by ids, in one transaction. */
export const reviewedByIdsMax = 1_000;
const idsPerPage = 200;
/** Of all that match so many are decided a call: few enough to see it go on, many enough to write one line each into the audit log. */
const reviewedPerCall = 2_000;
/** Ten million; who has more presses again. */
const callsMax = 5_000;

const send = (store: string, { do: word, ...fields }: ReviewAction, which: object): Promise<Reviewed> =>
  api.post<Reviewed>(`${commissionsPath(store)}/${word}`, { ...fields, ...which });

export type ByIds = { readonly counts: ReviewCounts; readonly words: ReadonlyMap<string, ReviewWord> };

/** A thousand at a time. */
export async function reviewIds(store: string, action: ReviewAction, ids: readonly string[]): Promise<ByIds> {
  let counts = noCounts;
  const words = new Map<string, ReviewWord>();
  for (let from = 0; from < ids.length; from += reviewedByIdsMax) {
    const reply = await send(store, action, { ids: ids.slice(from, from + reviewedByIdsMax) });
    counts = together(counts, reply.counts);
    for (const [id, word] of Object.entries(reply.results ?? {})) words.set(id, word);
  }
  return { counts, words };
}

/**
 * All that match, however many, part by part: each goes on behind the one before, and nothing that came in meanwhile is decided.
 * `goOn` hears what was done so far, and may say that it is enough.
 */
export async function reviewAll(
  store: string,
  action: ReviewAction,
  filter: ConversionFilter,
  goOn: (soFar: ReviewCounts) => boolean,
): Promise<ReviewCounts> {
  let counts = noCounts;
  let cursor: string | null = null;
  for (let call = 0; call < callsMax; call++) {
    const place: object = cursor === null ? {} : { cursor };
    const reply = await send(store, action, { filter: inBody(filter), limit: reviewedPerCall, ...place });
    counts = together(counts, reply.counts);
    cursor = reply.next_cursor;
    if (!goOn(counts) || cursor === null) break;
  }
  return counts;
}

/** In an address all is text; in a body a claim is a claim, and a number a number. */
const inBody = ({ held, approves_itself_within_days: days, ...filter }: ConversionFilter): object => ({
  ...filter,
  ...(held !== undefined && { held: held === 'true' || held === 'false' ? held === 'true' : held }),
  ...(days !== undefined && { approves_itself_within_days: Number(days) }),
});

/** The rows themselves, where they are few enough to be taken back by their ids. */
export async function everyMatch(store: string, filter: ConversionFilter): Promise<readonly Commission[]> {
  const found: Commission[] = [];
  let cursor: string | undefined;
  while (found.length < reviewedByIdsMax) {
    const page: Page<Commission> = await api.get(
      commissionList(store, filter, { limit: idsPerPage, ...(cursor !== undefined && { cursor }) }),
    );
    found.push(...page.data);
    if (page.next_cursor === null) break;
    cursor = page.next_cursor;
  }
  return found.slice(0, reviewedByIdsMax);
}

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
const noCounts: ReviewCounts = counted(() => 0);
export const decidedCount = (counts: ReviewCounts): number => reviewWords.reduce((sum, word) => sum + counts[word], 0);
const together = (one: ReviewCounts, other: ReviewCounts): ReviewCounts => counted((word) => one[word] + other[word]);
