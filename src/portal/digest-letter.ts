import type { Letter } from '../notify/letter.ts';
import { dollars, type Cents } from '../platform/money.ts';

/** Of one store, since the creator was told the last time. What they do not want to hear of is 0 or empty. */
export type StoreNews = {
  readonly storeName: string;
  readonly opened: { readonly count: bigint; readonly amount: Cents };
  readonly approved: { readonly count: bigint; readonly amount: Cents };
  readonly refused: ReadonlyArray<{ readonly sourceText: string; readonly amount: Cents; readonly rejectedReason: string }>;
  /** There are more refused ones than are named. */
  readonly hasMoreRefused: boolean;
};

export const isNews = ({ opened, approved, refused }: StoreNews): boolean => opened.count + approved.count > 0n || refused.length > 0;

/** At most one mail a day, however much was sold. */
export function digestLetter(news: readonly StoreNews[], url: string): Letter {
  return {
    subject: subjectOf(news),
    sentences: news.flatMap(sentencesOf),
    button: { label: 'See your sales', url },
    afterwards: ['Each sale says why it is what it is, and when it is paid. Which mails you get is set in your portal.'],
  };
}

function subjectOf(news: readonly StoreNews[]): string {
  const counted = (count: bigint, one: string, more: string) => (count === 0n ? [] : [count === 1n ? one : `${count} ${more}`]);
  const sum = (of: (store: StoreNews) => bigint) => news.reduce((total, store) => total + of(store), 0n);
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

function sentencesOf({ storeName, opened, approved, refused, hasMoreRefused }: StoreNews): readonly string[] {
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
