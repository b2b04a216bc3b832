import { Skeleton, Button } from '@mantine/core';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import styles from './table.module.css';

export type Column<Item> = {
  readonly title: string;
  /** Replaces the title in the header: a checkbox that selects all rows. */
  readonly head?: ReactNode;
  readonly cell: (item: Item) => ReactNode;
  /** `number`: right-aligned tabular digits. `name`: one line. `actions`: the buttons of a row. */
  readonly kind?: 'text' | 'name' | 'number' | 'actions' | 'box';
};

type TableProps<Item> = {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Item>>;
  readonly rows: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Extra attributes of a row, such as focus, keys and selection. */
  readonly rowProps?: (item: Item) => ComponentProps<'tr'>;
};

/** With more columns than this the cells have less padding. */
const columnsUsualMax = 8;

/**
 * A dense table; on a narrow screen each row becomes a card with its column names. The roles are explicit because browsers drop them
 * from tables with another layout.
 */
export function Table<Item>({ caption, columns, rows, keyOf, rowProps }: TableProps<Item>) {
  return (
    <table role="table" className={styles.table} data-columns={columns.length > columnsUsualMax ? 'many' : undefined}>
      <caption className={styles.visuallyHidden}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, head, kind }) => (
            <th key={title} role="columnheader" scope="col" data-kind={kind}>
              {kind === 'actions' || head ? <span className={styles.visuallyHidden}>{title}</span> : title}
              {head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" {...rowProps?.(row)}>
            {columns.map(({ title, cell, kind }) => (
              <td key={title} role="cell" data-kind={kind} data-title={kind === 'actions' || kind === 'box' ? undefined : title}>
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A loading placeholder of about the right height, announced to screen readers. */
export function LoadingSkeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.padded} role="status" data-pending>
      <span className={styles.visuallyHidden}>Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} mb={12} width={`${90 - line * 15}%`} />
      ))}
    </div>
  );
}

type ShowMoreProps = {
  /** The pages read so far. */
  readonly list: {
    readonly isFetchingNextPage: boolean;
    readonly isFetchNextPageError: boolean;
    readonly error: Error | null;
    readonly fetchNextPage: () => Promise<unknown>;
  };
};

/** Loads the next page of a list; shows the error and a retry when that fails. */
export function ShowMore({ list }: ShowMoreProps) {
  const more = () => void list.fetchNextPage();
  if (list.isFetchNextPageError && !list.isFetchingNextPage && list.error !== null) return <ErrorAlert error={list.error} onRetry={more} />;
  return (
    <Button variant="default" size="xs" loading={list.isFetchingNextPage} onClick={more}>
      Show more
    </Button>
  );
}
