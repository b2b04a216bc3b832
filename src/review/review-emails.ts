import { listEmailRecipients } from '../merchants/store-emails.ts';
import type { StoreEmailKind } from '../merchants/store-emails-sql.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import { dollars, type Cents } from '../core/money.ts';

/** The people of a store who may review commissions and want this kind of email. */
export const listReviewers = (db: Queryable, storeId: Id<'store'>, kind: StoreEmailKind) =>
  listEmailRecipients(db, { storeId, kind, permission: 'commissions:review' });

/** To the reviewers of a store, at most once a day: commissions that will be approved automatically. */
export function autoApprovalEmail(facts: {
  readonly storeName: string;
  readonly count: bigint;
  readonly amount: Cents;
  readonly first: Date;
  readonly url: string;
}): EmailContent {
  const { storeName, count, amount, first, url } = facts;
  const isOne = count === 1n;
  const what = isOne ? 'One commission approves itself' : `${count} commissions approve themselves`;
  return {
    subject: `${storeName}: ${isOne ? 'one commission approves itself' : `${count} commissions approve themselves`} soon`,
    paragraphs: [
      `${what} at ${storeName}, ${isOne ? '' : 'together '}${dollars(amount)}, from ${timeText(first)} on, as the program says.`,
      'Until then you can reject or hold what is not right. What is right needs nothing of you.',
    ],
    button: { label: isOne ? 'Look at it' : 'Look at them', url },
    footnotes: ['This mail is sent at least two days before. An approval can be taken back until it is billed.'],
  };
}

/** To the reviewers of a store. */
export function disputeOpenedEmail({
  storeName,
  words,
  url,
}: {
  readonly storeName: string;
  readonly words: string;
  readonly url: string;
}): EmailContent {
  return {
    subject: `${storeName}: a creator objects to a rejection`,
    paragraphs: [`A creator objects to a commission that ${storeName} rejected. They write:`, `“${words}”`],
    button: { label: 'Look at it', url },
    footnotes: ['If you agree, the commission is pending again. If not, say why: the creator is told.'],
  };
}

/** The result of a dispute for the creator. An accepted dispute may come too late to reopen the commission. */
export type DisputeOutcome = 'reopened' | 'approved' | 'reversed' | 'declined';

/** To the creator. */
export function disputeAnsweredEmail(facts: {
  readonly storeName: string;
  readonly answered: DisputeOutcome;
  readonly note: string | null;
}): EmailContent {
  const { storeName, answered, note } = facts;
  const what = `${storeName} ${outcomeTexts[answered]}`;
  return {
    subject: `${storeName} answered your objection`,
    paragraphs: note === null || note === '' ? [what] : [what, `They write: “${note}”`],
    button: null,
    footnotes: [],
  };
}

const outcomeTexts: Readonly<Record<DisputeOutcome, string>> = {
  reopened: 'agreed with you: the commission is looked at once more.',
  approved: 'agreed with you: the commission was approved meanwhile.',
  reversed: 'agreed with you. The sale was refunded meanwhile, so that there is nothing to pay for it.',
  declined: 'looked at your objection and keeps the rejection.',
};

/** `2026-03-04 12:00 UTC` */
const timeText = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
