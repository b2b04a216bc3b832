import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Count } from './list-totals.tsx';
import styles from './pager.module.css';
import type { ObjectQuery } from './queries.ts';
import { t } from './messages.ts';

type RowRangeProps = {
  /** The number of the page's first row; null far from the first page, whose distance is not known. */
  readonly first: number | null;
  readonly rows: number;
  readonly hasNext: boolean;
};

/** Which rows a page shows. Without a count, the number of all rows is known on the last page only. */
export function RowRange({ first, rows, hasNext }: RowRangeProps) {
  if (first === null) return null;
  const last = first + rows - 1;
  return <RangeText text={hasNext ? t.row_range.of_unknown({ first, last }) : t.row_range.of({ first, last, count: last })} />;
}

/** The same with the number of matching rows, which is read in a separate request. */
export function CountedRowRange<Totals extends Count>({ count: query, ...range }: RowRangeProps & { readonly count: ObjectQuery<Totals> }) {
  const { data } = useQuery({ ...query, placeholderData: keepPreviousData });
  const { first, rows, hasNext } = range;
  if (data === undefined || !hasNext) return <RowRange {...range} />;
  const { count, has_more: hasMore = false } = data;
  if (first === null) return <RangeText text={hasMore ? t.row_range.more_than({ count }) : t.row_range.rows({ count })} />;
  const last = first + rows - 1;
  return <RangeText text={hasMore ? t.row_range.of_more_than({ first, last, count }) : t.row_range.of({ first, last, count })} />;
}

const RangeText = ({ text }: { readonly text: string }) => <span className={styles.range}>{text}</span>;
