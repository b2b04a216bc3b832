import type { CommissionFilter } from '../commissions/filter.ts';
import { lockMatching, nextMatching } from '../commissions/review-sql.ts';
import { positionOf } from '../commissions/position.ts';
import type { Database } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import {
  countsOf,
  countsTogether,
  reviewedPerTransactionMax,
  reviewLocked,
  type DecidedStretch,
  type Review,
  type Reviewed,
  type WordCounts,
} from './review.ts';

/** Where a call ended: the next one goes on behind it, and neither of them sees what was recorded after the first began. */
export type ReviewPlace = { readonly before: Id<'com'>; readonly after: readonly string[] };

export type FilteredReview = {
  readonly counts: WordCounts;
  /** One of each transaction that changed something. */
  readonly decided: readonly DecidedStretch[];
  readonly next: ReviewPlace | null;
};

/** What one call does of it: from where, how many at most; and who hears of each transaction. */
export type ReviewPart = {
  readonly place?: ReviewPlace | null;
  readonly most?: number;
  readonly onProgress?: (soFar: WordCounts) => void;
};

/** Of one call. What matches beyond is left for the next one. */
export const reviewedByFilterMax = 100_000;

/**
 * Decides on what matches and was recorded before now, the latest first as the list shows them, transaction by transaction, until all or
 * as many as wanted are decided. What was done stays done if a later one fails; `onProgress` hears of each, and asking again goes on
 * where it ended.
 */
export async function reviewByFilter(
  database: Database,
  review: Review,
  filter: CommissionFilter,
  { place = null, most = reviewedByFilterMax, onProgress = () => {} }: ReviewPart = {},
): Promise<FilteredReview> {
  const { storeId } = review;
  const before = place?.before ?? newId<'com'>(new Date(review.now().getTime() + 1));
  let counts = countsOf([]);
  const stretches: DecidedStretch[] = [];
  let after: readonly string[] | null = place?.after ?? null;
  for (let left = most; left > 0; left -= reviewedPerTransactionMax) {
    const limit = Math.min(left, reviewedPerTransactionMax);
    const next = await nextMatching(database, storeId, filter, { after, before, limit });
    const commissionIds = next.map(({ commissionId }) => commissionId);
    const { words, decided }: Reviewed = await database.transaction(async (tx) =>
      reviewLocked(tx, review, await lockMatching(tx, filter, { storeId, commissionIds })),
    );
    counts = countsTogether(counts, countsOf(words.values()));
    if (decided !== null) stretches.push(decided);
    onProgress(counts);
    const last = next.at(-1);
    if (next.length < limit || !last) return { counts, decided: stretches, next: null };
    after = positionOf(last);
  }
  return { counts, decided: stretches, next: after && { before, after } };
}
