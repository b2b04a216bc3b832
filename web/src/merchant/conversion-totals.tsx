import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { dollarsOf } from '../parts/amounts.ts';
import { reading } from '../parts/reading.ts';
import { totalsPath, type Totals } from './commissions-api.ts';
import styles from './conversions.module.css';
import type { ConversionFilter } from './list-search.ts';
import { countWords } from './review-dialogs.tsx';

/** A question of its own, so that the list never waits for its sums. */
export function ConversionTotals({ store, filter }: { readonly store: string; readonly filter: ConversionFilter }) {
  const totals = useQuery({ ...reading<Totals>(totalsPath(store, filter)), placeholderData: keepPreviousData });
  if (totals.isError) return null;
  if (totals.isPending)
    return (
      <p className={styles.totals} data-waiting>
        Adding up…
      </p>
    );
  const { amount_cents: amount, eligible_cents: eligible, has_more: hasMore, count } = totals.data;
  if (count === 0) return null;
  return (
    <p className={styles.totals} role="status">
      <strong>{countWords(totals.data)}</strong>
      <span>
        {hasMore && 'more than '}
        {dollarsOf(amount)} USD commission on {dollarsOf(eligible)} USD
      </span>
    </p>
  );
}
