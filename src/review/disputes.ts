import { lockForReview } from '../commissions/review-sql.ts';
import { findCreator } from '../creators/creators-sql.ts';
import { findStore } from '../merchants/stores-sql.ts';
import { keepMail } from '../notify/mail.ts';
import type { Transaction } from '../platform/database/database.ts';
import { notFound, refuse, type Refusal } from '../platform/http/answers.ts';
import { newId, publicId, type Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';
import type { Platform } from '../platform/platform.ts';
import { decideDispute } from './decide-dispute.ts';
import { disputesBefore, endDispute, insertDispute, lockDispute, type Dispute } from './disputes-sql.ts';
import { disputeDecidedLetter, disputeOpenedLetter, type DisputeAnswered } from './letter.ts';
import { reviewLocked } from './review.ts';
import { reviewersOf } from './reviewers.ts';

type Opening = {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly words: string;
  readonly now: Date;
};

/** Under the commission's lock: one dispute is open at a time, and a decision that comes meanwhile is the earlier one. */
export async function openDispute(
  tx: Transaction,
  platform: Platform,
  { storeId, commissionId, creatorId, words, now }: Opening,
): Promise<Dispute | Refusal> {
  const [locked] = await lockForReview(tx, storeId, [commissionId]);
  const commission = locked !== undefined && locked.creatorId === creatorId ? locked : null;
  const before = await disputesBefore(tx, { storeId, commissionId });
  const decision = decideDispute({ commission, hasOpen: before.hasOpen, declinedBefore: Number(before.declined) });
  if (decision.do === 'refuse') return refusals[decision.why];
  const dispute = await insertDispute(tx, { storeId, disputeId: newId<'disp'>(now), commissionId, creatorId, words, openedAt: now });
  const store = await findStore(tx, storeId);
  must(store, 'stores are never deleted');
  const url = `${platform.config.baseUrl}/stores/${publicId('store', storeId)}/disputes`;
  for (const { email } of await reviewersOf(tx, storeId, 'disputes'))
    await keepMail(tx, platform.secrets, { to: email, letter: disputeOpenedLetter({ storeName: store.name, words, url }), storeId });
  return dispute;
}

const refusals = {
  not_found: notFound,
  open: refuse('conflict', 'You disputed this one already; the shop has not answered yet.'),
  not_rejected: refuse('unprocessable', 'Only a rejected commission can be disputed.'),
  too_often: refuse('limit_reached', 'The shop answered this one three times; write to whoever runs this service.'),
} as const;

export type DisputeAnswer = {
  readonly storeId: Id<'store'>;
  readonly disputeId: Id<'disp'>;
  readonly end: 'accepted' | 'declined';
  readonly note: string | null;
  readonly by: { readonly actor: string; readonly name: string };
  readonly now: () => Date;
};

/** Accepted, the commission is pending again, and somebody decides on it anew; if it is not rejected any more, that stands. */
export async function answerDispute(tx: Transaction, platform: Platform, answer: DisputeAnswer): Promise<Dispute | Refusal> {
  const { storeId, end, note, by, now } = answer;
  const dispute = await lockDispute(tx, answer);
  if (dispute === null) return notFound;
  if (dispute.state !== 'open') return refuse('conflict', `This dispute was ${dispute.state} already.`);
  const answered = end === 'declined' ? end : await reopenRejected(tx, answer, dispute);
  const ended = await endDispute(tx, answer, { state: end, at: now(), by: by.actor, byName: by.name, note });
  const [store, creator] = [await findStore(tx, storeId), await findCreator(tx, dispute.creatorId)];
  must(store && creator, 'stores and creators are never deleted');
  const letter = disputeDecidedLetter({ storeName: store.name, answered, note });
  await keepMail(tx, platform.secrets, { to: creator.email, letter, storeId: null });
  return ended;
}

/** What comes of it is what the creator is told: one that was decided otherwise meanwhile is not looked at once more. */
async function reopenRejected(tx: Transaction, { storeId, note, by, now }: DisputeAnswer, dispute: Dispute): Promise<DisputeAnswered> {
  const locked = await lockForReview(tx, storeId, [dispute.commissionId]);
  const rejected = locked.filter(({ state }) => state === 'rejected');
  await reviewLocked(tx, { storeId, action: { do: 'reopen', note }, by, now }, rejected);
  if (locked.some(({ state }) => state === 'reversed')) return 'reversed';
  return locked.some(({ state }) => state === 'rejected' || state === 'pending') ? 'reopened' : 'approved';
}
