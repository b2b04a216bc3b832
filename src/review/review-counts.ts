import { Type as T } from 'typebox';
import { publicId, type Id } from '../core/ids.ts';
import type { ReviewResult } from './decide-review.ts';
import { namedObject } from '../http/fields.ts';

/** How many commissions of a request had each result. */
export type ReviewCounts = Readonly<Record<ReviewResult, number>>;

export function countResults(results: Iterable<ReviewResult>): ReviewCounts {
  const counts = new Map<ReviewResult, number>();
  for (const result of results) counts.set(result, (counts.get(result) ?? 0) + 1);
  return countEachResult((result) => counts.get(result) ?? 0);
}

export const addCounts = (one: ReviewCounts, other: ReviewCounts): ReviewCounts => countEachResult((result) => one[result] + other[result]);

const countEachResult = (count: (result: ReviewResult) => number): ReviewCounts => ({
  ok: count('ok'),
  not_found: count('not_found'),
  held: count('held'),
  not_held: count('not_held'),
  rejected: count('rejected'),
  reversed: count('reversed'),
  billed: count('billed'),
  conflict: count('conflict'),
});

const count = T.Integer();

export const reviewCountsJson = namedObject('ReviewCounts', {
  ok: count,
  not_found: count,
  held: count,
  not_held: count,
  rejected: count,
  reversed: count,
  billed: count,
  conflict: count,
});

/** The decisions of one transaction, from the first to the last; no other decision of the store lies between them. */
export type DecisionRange = { readonly first: Id<'dec'>; readonly last: Id<'dec'> };

export const showDecisionRange = ({ first, last }: DecisionRange) => ({ first: publicId('dec', first), last: publicId('dec', last) });
