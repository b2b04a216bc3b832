import { emailMessage } from '../messages/format-message.ts';
import { listEmailRecipients } from '../merchants/store-emails.ts';
import type { StoreEmailKind } from '../merchants/store-emails-sql.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Queryable } from '../db/database.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

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
  const { storeName: store, amount, first, url } = facts;
  const count = Number(facts.count);
  return {
    subject: emailMessage('auto_approval.subject', { store, count }),
    paragraphs: [emailMessage('auto_approval.body', { store, count, amount, first }), emailMessage('auto_approval.action')],
    button: { label: emailMessage('auto_approval.button'), url },
    footnotes: [emailMessage('auto_approval.footnote')],
  };
}

type DisputeFacts = { readonly storeName: string; readonly words: string; readonly url: string };

/** To the reviewers of a store. */
export const disputeOpenedEmail = ({ storeName: store, words, url }: DisputeFacts): EmailContent => ({
  subject: emailMessage('dispute_opened.subject', { store }),
  paragraphs: [emailMessage('dispute_opened.body', { store }), emailMessage('common.their_words', { words })],
  button: { label: emailMessage('dispute_opened.button'), url },
  footnotes: [emailMessage('dispute_opened.footnote')],
});

/** The result of a dispute for the creator. An accepted dispute may come too late to reopen the commission. */
export type DisputeOutcome = 'reopened' | 'approved' | 'reversed' | 'declined';

type DisputeAnswer = { readonly storeName: string; readonly answered: DisputeOutcome; readonly note: string | null };

/** To the creator. */
export const disputeAnsweredEmail = ({ storeName: store, answered, note }: DisputeAnswer): EmailContent => ({
  subject: emailMessage('dispute_answered.subject', { store }),
  paragraphs: [
    emailMessage(`dispute_answered.${answered}`, { store }),
    ...(note === null || note === '' ? [] : [emailMessage('common.their_words', { words: note })]),
  ],
  button: null,
  footnotes: [],
});

/** To the reviewers of a store: an approved bonus of a goal stays, although an order of the goal was rejected or refunded. */
export const goalLostEmail = ({
  store,
  program,
  url,
}: {
  readonly store: string;
  readonly program: string;
  readonly url: string;
}): EmailContent => ({
  subject: emailMessage('goal_lost.subject', { store }),
  paragraphs: [emailMessage('goal_lost.body', { program }), emailMessage('goal_lost.action')],
  button: { label: emailMessage('goal_lost.button'), url },
  footnotes: [],
});
