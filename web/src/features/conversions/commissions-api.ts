import { api } from '../../api/client.ts';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import type { Commission, HoldReason, ReviewCounts, ReviewSummary } from '../../../../sdk/src/api-schema.ts';
import { localizeTimes } from '../../ui/localize-times.ts';
import { apiPath, type RequestBody } from '../../api/operations.ts';

export const commissionsPath = (store: string) => apiPath('/stores/{store}/commissions', { store });
export const totalsPath = (store: string, filter: ConversionFilter) => apiPath('/stores/{store}/commissions/totals', { store }, filter);

/** The merchant's own ID of the order or subscription invoice, or the reason of a bonus. */
export const subjectOf = ({ order_id: order, invoice_id: invoice, lead_id: lead, bonus, id }: Commission): string =>
  order ?? invoice ?? lead ?? (bonus === null ? id : localizeTimes(bonus.reason));

/** The API names no person as the author of a bonus that the service added for a goal. */
export const goalAuthor = 'goal of the terms';

export type ReviewAction =
  | { readonly do: 'approve' | 'release' | 'reopen' }
  | { readonly do: 'reject'; readonly reason: string; readonly note: string | null }
  | { readonly do: 'hold'; readonly reason: HoldReason; readonly note: string | null };

export const reviewResults = ['ok', 'not_found', 'held', 'not_held', 'rejected', 'reversed', 'billed', 'conflict'] as const;
export type ReviewResult = (typeof reviewResults)[number];
/** The decisions of one transaction, as first and last ID: enough to undo a thousand of them. */
export type DecisionRange = { readonly first: string; readonly last: string };
/** The result of a decision and what is needed to undo it. */
export type ReviewTotals = Pick<ReviewSummary, 'counts' | 'decided'>;

/**
 * Decisions per request when all matching rows are decided: few enough to show progress, many enough to write one audit log entry each.
 */
const reviewBatchSize = 2_000;
/** Ten million commissions; for more, the person repeats the action. */
const batchesMax = 5_000;

type Selection = Pick<RequestBody<'/stores/{store}/commissions/approve', 'post'>, 'ids' | 'filter' | 'limit' | 'cursor'>;

const sendReview = (store: string, { do: word, ...fields }: ReviewAction, selection: Selection): Promise<ReviewSummary> =>
  api.post(apiPath(`/stores/{store}/commissions/${word}`, { store }), { ...fields, ...selection });

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
  onProgress: (totals: ReviewTotals) => boolean,
): Promise<ReviewTotals> {
  let soFar = emptySummary;
  let cursor: string | null = null;
  for (let call = 0; call < batchesMax; call++) {
    const place: { readonly cursor?: string } = cursor === null ? {} : { cursor };
    const reply = await sendReview(store, action, { filter: filterBody(filter), limit: reviewBatchSize, ...place });
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
    const { counts } = await api.post(apiPath('/stores/{store}/commissions/undo', { store }), range);
    soFar = mergeSummaries(soFar, { counts, decided: [range] });
    if (!onProgress(soFar.counts, decided.slice(0, -soFar.decided.length))) break;
  }
  return soFar.counts;
}

/** URL parameters are text, which the service validates; the body needs booleans and numbers. */
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
const emptySummary: ReviewTotals = { counts: countEach(() => 0), decided: [] };
export const decidedCount = (counts: ReviewCounts): number => reviewResults.reduce((sum, word) => sum + counts[word], 0);
const mergeSummaries = (one: ReviewTotals, other: ReviewTotals): ReviewTotals => ({
  counts: countEach((word) => one.counts[word] + other.counts[word]),
  decided: [...one.decided, ...other.decided],
});
