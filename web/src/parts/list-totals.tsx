import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { countOf } from './count-of.ts';
import styles from './list-totals.module.css';
import { reading } from './reading.ts';

/** `has_more`: nobody counted to the end. */
export type Count = { readonly count: number; readonly has_more?: boolean };

type ListTotalsProps<Totals extends Count> = {
  readonly path: string;
  readonly one: string;
  readonly more: string;
  /** What stands beside the number. */
  readonly beside?: (totals: Totals) => ReactNode;
};

/** How many match, and what they come to: a question of its own, so that the list never waits for its sums. */
export function ListTotals<Totals extends Count>({ path, one, more, beside }: ListTotalsProps<Totals>) {
  const totals = useQuery({ ...reading<Totals>(path), placeholderData: keepPreviousData });
  if (totals.isError) return <p className={styles.totals}>It could not be added up.</p>;
  if (totals.isPending)
    return (
      <p className={styles.totals} data-waiting>
        Adding up…
      </p>
    );
  if (totals.data.count === 0) return null;
  return (
    <p className={styles.totals} role="status">
      <strong>{totalOf(totals.data, one, more)}</strong>
      {beside?.(totals.data)}
    </p>
  );
}

export const totalOf = ({ count, has_more: hasMore }: Count, one: string, more: string): string =>
  `${hasMore ? 'more than ' : ''}${countOf(count, one, more)}`;
