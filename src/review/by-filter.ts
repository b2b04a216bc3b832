import type { CommissionFilter } from '../commissions/filter.ts';
import { lockMatching, type Stretch } from '../commissions/review-sql.ts';
import type { Database } from '../platform/database/database.ts';
import { newId, type Id } from '../platform/ids.ts';
import {
  countsOf,
  countsTogether,
  reviewedPerTransactionMax,
  reviewLocked,
  type Review,
  type ReviewedWords,
  type WordCounts,
} from './review.ts';

export type FilteredReview = { readonly counts: WordCounts; readonly hasMore: boolean };

/** Of one call. What matches beyond is left for the next one. */
const reviewedByFilterMax = 100_000;

/**
 * Decides on all that matches and was recorded before now, in the order of their ids, transaction by transaction. What was
 * done stays done if a later one fails; `onProgress` hears of each, and asking again goes on where it ended.
 */
export async function reviewByFilter(
  database: Database,
  review: Review,
  filter: CommissionFilter,
  onProgress: (soFar: WordCounts) => void,
): Promise<FilteredReview> {
  const before = newId<'com'>(new Date(review.now().getTime() + 1));
  let counts = countsOf([]);
  let after: Id<'com'> | null = null;
  for (let reviewed = 0; reviewed < reviewedByFilterMax; reviewed += reviewedPerTransactionMax) {
    const stretch: Stretch & { readonly before: Id<'com'> } = { after, before, limit: reviewedPerTransactionMax };
    const words: ReviewedWords = await database.transaction(async (tx) =>
      reviewLocked(tx, review, await lockMatching(tx, review.storeId, filter, stretch)),
    );
    counts = countsTogether(counts, countsOf(words.values()));
    onProgress(counts);
    if (words.size < reviewedPerTransactionMax) return { counts, hasMore: false };
    after = [...words.keys()].at(-1) ?? null;
  }
  return { counts, hasMore: true };
}
