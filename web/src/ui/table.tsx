import { Button } from './button.tsx';
import { SelectInput } from './inputs.tsx';
import type { ComponentProps, ReactNode } from 'react';
import { ErrorAlert } from './error-alert.tsx';
import styles from './table.module.css';
import { t } from './messages.ts';

export type Column<Item> = {
  readonly title: string;
  /** Replaces the title in the header: a checkbox that selects all rows. */
  readonly head?: ReactNode;
  readonly cell: (item: Item) => ReactNode;
  /** `number`: right-aligned tabular digits. `name`: one line. `actions`: the buttons of a row. */
  readonly kind?: 'text' | 'name' | 'number' | 'actions' | 'box';
  /** The name by which the API sorts by this column. */
  readonly sort?: string;
  /** The first click sorts upward, as in a column of the kind `name`. */
  readonly sortsUpward?: boolean;
  /** One of the few columns that a card of a phone shows: its date, if it has one, and what matters most. Without any, all. */
  readonly priority?: boolean;
};

export type Sorting = {
  /** As in the API: descending with a minus in front. */
  readonly sort: string;
  /** By time; not all lists have a column for it. */
  readonly defaultSort: string;
  readonly change: (sort: string) => void;
};

const isSortedBy = (sort: string, name: string): boolean => sort === name || sort === `-${name}`;

type TableProps<Item> = {
  /** Names the table for screen readers. */
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Item>>;
  readonly rows: readonly Item[];
  readonly keyOf: (item: Item) => string;
  /** Extra attributes of a row, such as focus, keys and selection. */
  readonly rowProps?: (item: Item) => ComponentProps<'tr'>;
  readonly sorting?: Sorting | undefined;
  readonly isCompact?: boolean;
  readonly hasFullCards?: boolean;
};

/** With more columns than this the cells have less padding. */
const columnsUsualMax = 8;

/**
 * A dense table; on a narrow screen each row becomes a card with its column names. The roles are explicit because browsers drop them
 * from tables with another layout.
 */
export function Table<Item>({ caption, columns, rows, keyOf, rowProps, sorting, isCompact, hasFullCards }: TableProps<Item>) {
  const hasShortCards = hasFullCards !== true && columns.some(({ priority }) => priority === true);
  return (
    <table
      role="table"
      className={styles.table}
      data-columns={columns.length > columnsUsualMax ? 'many' : undefined}
      data-density={isCompact === true ? 'compact' : undefined}
      data-cards={hasShortCards ? 'short' : undefined}
    >
      <caption className="visually-hidden">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row">
          {columns.map((column) => (
            <HeaderCell key={column.title} column={column} sorting={sorting} />
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {rows.map((row) => (
          <tr key={keyOf(row)} role="row" {...rowProps?.(row)}>
            {columns.map(({ title, cell, kind, priority }) => (
              <td
                key={title}
                role="cell"
                data-kind={kind}
                data-priority={priority}
                data-title={kind === 'actions' || kind === 'box' ? undefined : title}
              >
                <div>{cell(row)}</div>
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

type HeaderCellProps<Item> = { readonly column: Column<Item>; readonly sorting: Sorting | undefined };

function HeaderCell<Item>({ column: { title, head, kind, sort, sortsUpward = kind === 'name' }, sorting }: HeaderCellProps<Item>) {
  if (sort !== undefined && sorting !== undefined)
    return <SortableHeaderCell title={title} kind={kind} name={sort} sortsUpward={sortsUpward} sorting={sorting} />;
  return (
    <th role="columnheader" scope="col" data-kind={kind}>
      {kind === 'actions' || head ? <span className="visually-hidden">{title}</span> : title}
      {head}
    </th>
  );
}

type SortableHeaderCellProps = {
  readonly title: string;
  readonly kind: Column<never>['kind'] | undefined;
  readonly name: string;
  readonly sortsUpward: boolean;
  readonly sorting: Sorting;
};

/** The first click sorts text upward and everything else downward; the next one reverses. */
function SortableHeaderCell({ title, kind, name, sortsUpward, sorting: { sort, change } }: SortableHeaderCellProps) {
  const isActive = isSortedBy(sort, name);
  const isDescending = sort.startsWith('-');
  const next = (isActive ? isDescending : sortsUpward) ? name : `-${name}`;
  return (
    <th role="columnheader" scope="col" data-kind={kind} aria-sort={isActive ? (isDescending ? 'descending' : 'ascending') : 'none'}>
      <button type="button" className={styles.sort} onClick={() => change(next)}>
        {title}
        <span aria-hidden="true">{isActive ? (isDescending ? ' ↓' : ' ↑') : ''}</span>
      </button>
    </th>
  );
}

export type SortField = Pick<Column<never>, 'title' | 'sort'>;

type SortSelectProps = {
  readonly columns: readonly SortField[];
  readonly sorting: Sorting;
  /** The rows have no header at any width. */
  readonly hasNoHeader: boolean;
};

/** On a narrow screen the header is hidden, so that a select sorts instead. */
export function SortSelect({ columns, sorting, hasNoHeader }: SortSelectProps) {
  const options = columns.flatMap(({ title, sort }) =>
    sort === undefined
      ? []
      : [
          { value: `-${sort}`, label: t.table.descending({ title }) },
          { value: sort, label: t.table.ascending({ title }) },
        ],
  );
  const { sort, defaultSort } = sorting;
  const usual = { value: defaultSort, label: defaultSort.startsWith('-') ? t.table.newest_first : t.table.oldest_first };
  return (
    <div className={hasNoHeader ? styles.sortSelectAlways : styles.sortSelect}>
      <SelectInput
        size="xs"
        label={t.table.sort_by}
        value={sort}
        data={options.some(({ value }) => value === defaultSort) ? options : [usual, ...options]}
        onChange={({ currentTarget }) => sorting.change(currentTarget.value)}
      />
    </div>
  );
}

/** A loading placeholder of about the right height, announced to screen readers. */
export function LoadingSkeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className={styles.padded} role="status" data-pending>
      <span className="visually-hidden">{t.table.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <div key={line} className={styles.skeleton} style={{ width: `${90 - line * 15}%` }} />
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
      {t.table.show_more}
    </Button>
  );
}
