import { Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import { ProblemNote } from './problem-note.tsx';
import type { listing } from './reading.ts';
import { ShowMore } from './show-more.tsx';
import styles from './table.module.css';

export type Column<Item> = {
  readonly title: string;
  /** What stands above the column instead of its title: a box that ticks all of them. */
  readonly head?: ReactNode;
  readonly cell: (item: Item) => ReactNode;
  /** `number`: to the right, in figures of one width. `name`: whose row it is, in one line. `actions`: the buttons of a row. */
  readonly kind?: 'text' | 'name' | 'number' | 'actions' | 'box';
};

type TableProps<Item> = {
  /** Says to a screen reader what the table holds. */
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Item>>;
  readonly rows: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Where a row takes part in more than being read: focus, keys, a mark. */
  readonly rowProps?: (item: Item) => ComponentProps<'tr'>;
};

/** With more columns than these a table needs its room more than its air. */
const columnsUsualMax = 8;

/**
 * A dense table; on a narrow screen each row becomes a small card with its columns' names. The roles are written out
 * because a browser takes them away from tables that are laid out otherwise.
 */
export function Table<Item>({ caption, columns, rows, keyOf, rowProps }: TableProps<Item>) {
  return (
    <table role="table" className={styles.table} data-columns={columns.length > columnsUsualMax ? 'many' : undefined}>
      <caption className={styles.aloud}>{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map(({ title, head, kind }) => (
            <th key={title} role="columnheader" scope="col" data-kind={kind}>
              {kind === 'actions' || head ? <span className={styles.aloud}>{title}</span> : title}
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

type PagedTableProps<Item> = Omit<TableProps<Item>, 'rows'> & {
  readonly list: ReturnType<typeof listing<Item>>;
  readonly empty: ReactNode;
};

/** A list of the service, read page by page. */
export function PagedTable<Item>({ list, empty, ...table }: PagedTableProps<Item>) {
  const pages = useInfiniteQuery(list);
  if (pages.isPending) return <Waiting />;
  if (pages.isError && !pages.data)
    return (
      <Padded>
        <ProblemNote problem={pages.error} onRetry={() => void pages.refetch()} />
      </Padded>
    );
  const rows = pages.data.pages.flatMap(({ data }) => data);
  if (rows.length === 0) return empty;
  return (
    <>
      <Table {...table} rows={rows} />
      {pages.hasNextPage && (
        <Padded>
          <ShowMore of={pages} />
        </Padded>
      )}
    </>
  );
}

const Padded = ({ children }: { readonly children: ReactNode }) => <div className={styles.padded}>{children}</div>;

/** Something is being read: said aloud, and shown as grey lines of about the right height. */
export function Waiting({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.padded} role="status" data-waiting>
      <span className={styles.aloud}>Loading…</span>
      {Array.from({ length: lines }, (_, line) => (
        <Skeleton key={line} height={14} mb={12} width={`${90 - line * 15}%`} />
      ))}
    </div>
  );
}
