import { isGoalLost } from '../bonuses/bonus-reason.ts';
import { emailMessage, type EmailMessage } from '../messages/format-message.ts';
import type { EmailContent } from '../notify/render-email.ts';
import type { Cents } from '../core/money.ts';
import type { RejectedSale } from './digest-sql.ts';

/** A store's activity since the last digest. What the creator turned off is 0 or empty. */
export type StoreActivity = {
  readonly storeName: string;
  readonly opened: { readonly count: bigint; readonly amount: Cents };
  readonly approved: { readonly count: bigint; readonly amount: Cents };
  readonly refused: readonly RejectedSale[];
  /** More sales were rejected than the email lists. */
  readonly hasMoreRefused: boolean;
};

export const hasActivity = ({ opened, approved, refused }: StoreActivity): boolean =>
  opened.count + approved.count > 0n || refused.length > 0;

/** At most one email a day. */
export const digestEmail = (activity: readonly StoreActivity[], url: string): EmailContent => ({
  subject: digestSubject(activity),
  paragraphs: activity.flatMap(storeSentences),
  button: { label: emailMessage('digest.button'), url },
  footnotes: [emailMessage('digest.footnote')],
});

function digestSubject(activity: readonly StoreActivity[]): EmailMessage {
  const sum = (of: (store: StoreActivity) => bigint) => Number(activity.reduce((total, store) => total + of(store), 0n));
  return emailMessage('digest.subject', {
    opened: sum(({ opened }) => opened.count),
    approved: sum(({ approved }) => approved.count),
    rejected: sum(({ refused }) => BigInt(refused.length)),
  });
}

function storeSentences({ storeName: store, opened, approved, refused, hasMoreRefused }: StoreActivity): readonly EmailMessage[] {
  const countOf = ({ count, amount }: StoreActivity['opened']) => ({ store, count: Number(count), amount });
  return [
    ...(opened.count === 0n ? [] : [emailMessage('digest.opened', countOf(opened))]),
    ...(approved.count === 0n ? [] : [emailMessage('digest.approved', countOf(approved))]),
    ...refused.map((sale) => rejectedSentence(store, sale)),
    ...(hasMoreRefused ? [emailMessage('digest.more_rejected', { store })] : []),
  ];
}

function rejectedSentence(store: string, { sourceText: source, amount, rejectedReason: reason, isGoalBonus }: RejectedSale): EmailMessage {
  if (isGoalLost(reason)) return emailMessage('digest.goal_lost', { store, amount });
  return isGoalBonus
    ? emailMessage('digest.goal_rejected', { store, amount, reason })
    : emailMessage('digest.rejected', { store, source, amount, reason });
}
