import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import styles from './list-totals.module.css';
import type { ObjectQuery } from './queries.ts';
import { t } from './messages.ts';

/** `has_more`: the count stopped at its limit. */
export type Count = { readonly count: number; readonly has_more?: boolean };

type ListTotalsProps<Totals extends Count> = {
  readonly query: ObjectQuery<Totals>;
  /** The number with its noun, such as "2,000 orders". */
  readonly label: (values: { readonly count: number }) => string;
  /** Shown next to the count. */
  readonly beside?: (totals: Totals) => ReactNode;
};

/** The number of matching rows and their sums, read in a separate request so that the list does not wait for them. */
export function ListTotals<Totals extends Count>({ query, label, beside }: ListTotalsProps<Totals>) {
  const totals = useQuery({ ...query, placeholderData: keepPreviousData });
  if (totals.isError) return <p className={styles.totals}>{t.list_totals.couldnt_calculate_the_total}</p>;
  if (totals.isPending)
    return (
      <p className={styles.totals} data-pending>
        {t.list_totals.calculating}
      </p>
    );
  if (totals.data.count === 0) return null;
  return (
    <p className={styles.totals} role="status">
      <strong>{totalText(totals.data, label)}</strong>
      {beside?.(totals.data)}
    </p>
  );
}

export const totalText = ({ count, has_more: hasMore }: Count, label: ListTotalsProps<Count>['label']): string =>
  hasMore ? t.list_totals.more_than({ total: label({ count }) }) : label({ count });
