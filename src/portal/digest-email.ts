import type { EmailContent } from '../notify/render-email.ts';
import { dollars, type Cents } from '../core/money.ts';

/** A store's activity since the last digest. What the creator turned off is 0 or empty. */
export type StoreActivity = {
  readonly storeName: string;
  readonly opened: { readonly count: bigint; readonly amount: Cents };
  readonly approved: { readonly count: bigint; readonly amount: Cents };
  readonly refused: ReadonlyArray<{ readonly sourceText: string; readonly amount: Cents; readonly rejectedReason: string }>;
  /** More sales were rejected than the email lists. */
  readonly hasMoreRefused: boolean;
};

export const hasActivity = ({ opened, approved, refused }: StoreActivity): boolean =>
  opened.count + approved.count > 0n || refused.length > 0;

/** At most one email a day. */
export function digestEmail(activity: readonly StoreActivity[], url: string): EmailContent {
  return {
    subject: digestSubject(activity),
    paragraphs: activity.flatMap(storeSentences),
    button: { label: 'See your sales', url },
    footnotes: ['Each sale says why it is what it is, and when it is paid. Which mails you get is set in your portal.'],
  };
}

function digestSubject(activity: readonly StoreActivity[]): string {
  const counted = (count: bigint, one: string, more: string) => (count === 0n ? [] : [count === 1n ? one : `${count} ${more}`]);
  const sum = (of: (store: StoreActivity) => bigint) => activity.reduce((total, store) => total + of(store), 0n);
  const parts = [
    ...counted(
      sum(({ opened }) => opened.count),
      'a new sale',
      'new sales',
    ),
    ...counted(
      sum(({ approved }) => approved.count),
      'one approved',
      'approved',
    ),
    ...counted(
      sum(({ refused }) => BigInt(refused.length)),
      'one refused',
      'refused',
    ),
  ];
  const text = parts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function storeSentences({ storeName, opened, approved, refused, hasMoreRefused }: StoreActivity): readonly string[] {
  const sales = (count: bigint) => (count === 1n ? 'one sale' : `${count} sales`);
  return [
    ...(opened.count === 0n
      ? []
      : [`${storeName}: ${sales(opened.count)} came through your links and would earn ${dollars(opened.amount)}.`]),
    ...(approved.count === 0n ? [] : [`${storeName} approved ${sales(approved.count)}: ${dollars(approved.amount)}.`]),
    ...refused.map((one) => `${storeName} refused ${one.sourceText} (${dollars(one.amount)}): ${one.rejectedReason}`),
    ...(hasMoreRefused ? [`${storeName} refused more than these; all are in your portal.`] : []),
  ];
}
