import { figuresOfApproved, figuresOfLost, figuresOfUnapproved } from '../commissions/figures.ts';
import { platformHold } from '../commissions/commission.ts';
import { keepDecisions } from '../commissions/decisions-sql.ts';
import {
  approveCommissions,
  holdCommissions,
  lockForReview,
  rejectCommissions,
  releaseCommissions,
  reopenCommissions,
  type ReviewedCommission,
} from '../commissions/review-sql.ts';
import { addLinkFigures, addStoreFigures } from '../figures/sql.ts';
import { post } from '../ledger/sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { idsInRow, type Id } from '../platform/ids.ts';
import { must, never } from '../platform/must.ts';
import { decideReview, type ReviewAction, type ReviewWord } from './decide-review.ts';

/** One decision on any number of commissions of a store, by one person, program, or the house itself. */
export type Review = {
  readonly storeId: Id<'store'>;
  readonly action: ReviewAction;
  readonly by: { readonly actor: string; readonly name: string };
  /** Asked under the lock: of two decisions on one commission, the one that waited is the later one. */
  readonly now: () => Date;
};

/** What one transaction touches: nobody waits long for them. */
export const reviewedPerTransactionMax = 1_000;

export type ReviewedWords = ReadonlyMap<Id<'com'>, ReviewWord>;

/** All that one transaction decided: the decisions from the first to the last, and no other lies between them. */
export type DecidedStretch = { readonly first: Id<'dec'>; readonly last: Id<'dec'> };

export type Reviewed = { readonly words: ReviewedWords; readonly decided: DecidedStretch | null };

/** Decides on those that are named; one that is missing in what comes back is not there. */
export async function reviewByIds(tx: Transaction, review: Review, commissionIds: ReadonlyArray<Id<'com'>>): Promise<Reviewed> {
  must(commissionIds.length <= reviewedPerTransactionMax, 'who asks has limited how many');
  return reviewLocked(tx, review, await lockForReview(tx, review.storeId, commissionIds));
}

/** Decides one by one in memory and carries all of it out set by set: commissions, their history, then money. */
export async function reviewLocked(tx: Transaction, review: Review, locked: readonly ReviewedCommission[]): Promise<Reviewed> {
  const { storeId, action, by } = review;
  const now = review.now();
  const idAt = idsInRow<'dec'>(now);
  const decided = locked.map((reviewed, place) => {
    const { commissionId, creatorId, amountCents, state, heldReason, isInPayout } = reviewed;
    const isHeldByPlatform = heldReason === platformHold.reason && reviewed.heldBy === platformHold.by;
    const decisionId = idAt(place);
    const commission = { state, heldReason, isHeldByPlatform, isInPayout, money: { storeId, creatorId, amount: amountCents } };
    return {
      commissionId,
      reviewed,
      decisionId,
      decision: decideReview(action, { now, isByPlatform: by.actor === platformHold.by, commission, decisionId }),
    };
  });
  const changed = decided.filter(({ decision }) => decision.do === 'change');
  if (changed.length > 0) {
    await carryOut(tx, review, { commissionIds: changed.map(({ commissionId }) => commissionId), now });
    const reason = 'reason' in action ? action.reason : null;
    const { do: word, note } = action;
    await keepDecisions(tx, { storeId, decided: changed, action: word, reason, note, by: by.actor, byName: by.name, at: now });
    await post(
      tx,
      changed.flatMap(({ decision }) => (decision.do === 'change' ? decision.postings : [])),
    );
    await keepFigures(
      tx,
      action,
      changed.map(({ reviewed }) => reviewed),
      now,
    );
  }
  const words = new Map(decided.map(({ commissionId, decision }) => [commissionId, decision.do === 'change' ? 'ok' : decision.word]));
  const [first, last] = [changed[0], changed.at(-1)];
  return { words, decided: first && last ? { first: first.decisionId, last: last.decisionId } : null };
}

/** By what each was before: rejecting takes an approval back, and what leaves the rejected is earned again. */
async function keepFigures(tx: Transaction, action: ReviewAction, changed: readonly ReviewedCommission[], now: Date): Promise<void> {
  const wereRejected = changed.filter(({ state }) => state === 'rejected');
  switch (action.do) {
    case 'approve':
      await addStoreFigures(tx, figuresOfApproved(changed, now));
      return addLinkFigures(tx, figuresOfLost(wereRejected, -1n));
    case 'reject':
      await addStoreFigures(tx, figuresOfUnapproved(changed));
      return addLinkFigures(tx, figuresOfLost(changed, 1n));
    case 'reopen':
      await addStoreFigures(tx, figuresOfUnapproved(changed));
      return addLinkFigures(tx, figuresOfLost(wereRejected, -1n));
    case 'hold':
    case 'release':
      return;
    default:
      return never(action);
  }
}

type Changed = { readonly commissionIds: ReadonlyArray<Id<'com'>>; readonly now: Date };

function carryOut(tx: Transaction, { storeId, action, by }: Review, { commissionIds, now }: Changed): Promise<void> {
  const rows = { storeId, commissionIds };
  switch (action.do) {
    case 'approve':
      return approveCommissions(tx, rows, now);
    case 'reject':
      return rejectCommissions(tx, rows, { at: now, reason: action.reason, note: action.note });
    case 'hold':
      return holdCommissions(tx, rows, { reason: action.reason, by: by.actor, since: now });
    case 'release':
      return releaseCommissions(tx, rows);
    case 'reopen':
      return reopenCommissions(tx, rows);
    default:
      return never(action);
  }
}

export type WordCounts = Readonly<Record<ReviewWord, number>>;

export function countsOf(words: Iterable<ReviewWord>): WordCounts {
  const counts = new Map<ReviewWord, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return eachWord((word) => counts.get(word) ?? 0);
}

export const countsTogether = (one: WordCounts, other: WordCounts): WordCounts => eachWord((word) => one[word] + other[word]);

const eachWord = (count: (word: ReviewWord) => number): WordCounts => ({
  ok: count('ok'),
  not_found: count('not_found'),
  held: count('held'),
  not_held: count('not_held'),
  rejected: count('rejected'),
  reversed: count('reversed'),
  billed: count('billed'),
  conflict: count('conflict'),
});
