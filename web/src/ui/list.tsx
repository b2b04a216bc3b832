import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Fragment, useState, type ReactNode } from 'react';
import { type ListPath, type PathTo, type Row, withQuery } from '../api/operations.ts';
import { ErrorAlert } from './error-alert.tsx';
import { ActiveFilter, DateFilter, DayFilter, DaysFilter, Filters, SearchFilter, SelectFilter } from './filters.tsx';
import { ListOptions } from './list-options.tsx';
import { type SavedView, useListSettings } from './list-settings.ts';
import type { ListKeyboard } from './list-keyboard.tsx';
import { type BulkActions, SelectPage, SelectionBar, selectionColumn, useSelection, type SelectionOptions } from './list-selection.tsx';
import styles from './list.module.css';
import { Pager } from './pager.tsx';
import type { Count } from './list-totals.tsx';
import { apiPageQuery, type ObjectQuery } from './queries.ts';
import { CountedRowRange, RowRange } from './row-range.tsx';
import { pagesBefore, type PagePosition, type SortParam } from './search-params.ts';
import { LoadingSkeleton, SortSelect, Table, type Column, type SortField } from './table.tsx';
import tableStyles from './table.module.css';
import { t } from './messages.ts';

type Names<Filter> = keyof Filter & string;
type SelectOptions = ReadonlyArray<readonly [value: string, label: string]>;

/** A field that filters the list. Its value is in the URL under its name. */
export type FilterField<Item, Filter> =
  | { readonly type: 'search'; readonly name: Names<Filter>; readonly label: string; readonly lengthMax: number }
  | {
      readonly type: 'select';
      readonly name: Names<Filter>;
      readonly label: string;
      readonly options: SelectOptions | ((rows: readonly Item[]) => SelectOptions);
    }
  /** The first and last day. `utc`: days as in daily totals; otherwise days in the viewer's time zone. */
  | {
      readonly type: 'days';
      readonly from: { readonly name: Names<Filter>; readonly label: string };
      readonly to: { readonly name: Names<Filter>; readonly label: string };
      readonly utc?: boolean;
    }
  /** Set by a link or a row, not by a field: shown as a button that removes it. `text` finds the name of the value in the rows. */
  | {
      readonly type: 'active';
      readonly name: Names<Filter>;
      readonly label: string;
      readonly text?: (rows: readonly Item[]) => string | undefined;
    }
  /** Without a field: the page says itself what it is filtered by. */
  | { readonly type: 'hidden'; readonly name: Names<Filter> };

/** A page of cards on a phone would otherwise be thousands of pixels long. */
const usualRowsPerPage = (): number => (matchMedia('(max-width: 37.5em)').matches ? 25 : 50);

type FilterValues<Filter> = { readonly [Name in Names<Filter>]?: string | undefined };

type ListOptions<P extends ListPath, Filter> = {
  /** The URL parameters of the page; the list reads its filters and its position. */
  readonly search: FilterValues<Filter> & PagePosition & SortParam;
  /** Changes the URL. Parameters that are not of the list, such as the opened row, are dropped. */
  readonly navigate: (to: {
    readonly search: (now: FilterValues<Filter> & PagePosition & SortParam) => FilterValues<Filter> & PagePosition & SortParam;
    readonly replace?: boolean;
  }) => unknown;
  readonly fields: ReadonlyArray<FilterField<Row<P>, Filter>>;
  /** The path of the list in the API, without a query. */
  readonly path: PathTo<P>;
  readonly rowsPerPage?: number;
  /** Has no options and no number of rows, because it is a part of a page. */
  readonly isShort?: boolean;
  /** The order of the API without the parameter `sort`, which is by time. Without it, no column sorts. */
  readonly defaultSort?: string;
  /** Reads the list again after this time, while it returns a number. */
  readonly refetchInterval?: (rows: ReadonlyArray<Row<P>>) => number | false;
  /** Rows can be selected for an action on several. */
  readonly selection?: SelectionOptions<Row<P>> | undefined;
};

/**
 * A list of the API that is filtered, sorted and paged by the service. Its filters and position are in the URL, so that a link shows
 * the same rows. A page declares the fields, the path and the columns.
 */
export function useList<P extends ListPath, Filter>(options: ListOptions<P, Filter>) {
  const [rowsUsual] = useState(usualRowsPerPage);
  const { search, navigate, fields, path, rowsPerPage = rowsUsual, defaultSort, refetchInterval, selection } = options;
  const { isShort = false } = options;
  const filter = pickFilter(search, fields);
  const { cursor, back, sort } = search;
  const page = useQuery({
    ...apiPageQuery<P>(withQuery(path, { ...filter, sort, limit: rowsPerPage, cursor })),
    placeholderData: keepPreviousData,
    refetchInterval: ({ state }) => refetchInterval?.(state.data?.data ?? []) ?? false,
  });
  const rows = page.data?.data ?? [];
  const pageKey = JSON.stringify([filter, sort, cursor]);
  const before = pagesBefore({ cursor, back });
  return {
    fields,
    selection: useSelection(rows, pageKey, selection),
    /** Changes with the filter, the order, and the page. */
    pageKey,
    page,
    rows,
    filter,
    isFiltered: Object.keys(filter).length > 0,
    isFirstPage: cursor === undefined,
    hasMorePages: cursor !== undefined || (page.data?.next_cursor ?? null) !== null,
    position: { cursor, back },
    /** The number of the first row; null far from the first page. */
    firstRow: before === null ? null : before * rowsPerPage + 1,
    options: useListSettings(path),
    isShort,
    /** The filter and the order, to save them. */
    searched: { ...filter, ...pickSort(search) },
    showView: (view: SavedView) => void navigate({ search: () => readView(view, fields) }),
    exportPath: withQuery(path, { ...filter, sort }),
    sorting:
      defaultSort === undefined
        ? undefined
        : {
            sort: sort ?? defaultSort,
            defaultSort,
            change: (changed: string) =>
              void navigate({ search: (now) => ({ ...pickFilter(now, fields), ...(changed === defaultSort ? {} : { sort: changed }) }) }),
          },
    /**
     * Typing replaces the entry of the history, so that the back button skips the partial texts. Reads the current URL, because two fields
     * can change before the page renders again: a text when it loses the focus, and the field that gets it.
     */
    setFilter: (changed: FilterValues<Filter>, isTyped = false) =>
      void navigate({ search: (now) => ({ ...pickFilter(now, fields), ...pickSort(now), ...changed }), replace: isTyped }),
    clearFilter: () => void navigate({ search: (now) => pickSort(now) }),
    goTo: (position: PagePosition) => void navigate({ search: (now) => ({ ...pickFilter(now, fields), ...pickSort(now), ...position }) }),
  };
}

/** A short list inside a page. It has no filters, and its position is not in the URL, because several lists share one URL. */
export function useShortList<P extends ListPath>(path: PathTo<P>, { rowsPerPage = 50 } = {}): List<P, NoFilter> {
  const [search, setSearch] = useState<PagePosition>({});
  return useList<P, NoFilter>({ search, navigate: (to) => setSearch(to.search), fields: [], path, rowsPerPage, isShort: true });
}

type NoFilter = Readonly<Record<never, string>>;

type ShortListProps<P extends ListPath> = TableView<Row<P>> & { readonly path: PathTo<P>; readonly empty: ReactNode };

/** A short list, for a page that needs nothing else of it. */
export function ShortList<P extends ListPath>({ path, ...view }: ShortListProps<P>) {
  return <ListView list={useShortList<P>(path)} {...view} />;
}

/** Whether to show a list that is empty for most people: it has rows, or it failed to load. */
export const hasRowsOrError = ({ rows, page, isFirstPage }: ShortList): boolean => rows.length > 0 || page.isError || !isFirstPage;

type ShortList = { readonly rows: readonly unknown[]; readonly page: { readonly isError: boolean }; readonly isFirstPage: boolean };

export type List<P extends ListPath, Filter> = ReturnType<typeof useList<P, Filter>>;

function pickFilter<Item, Filter>(search: FilterValues<Filter>, fields: ReadonlyArray<FilterField<Item, Filter>>): FilterValues<Filter> {
  const filter: { [Name in Names<Filter>]?: string | undefined } = {};
  for (const name of namesOf(fields)) {
    if (search[name] !== undefined) filter[name] = search[name];
  }
  return filter;
}

/** A view may be older than the list: fields that are no longer there are dropped. */
function readView<Item, Filter>({ search }: SavedView, fields: ReadonlyArray<FilterField<Item, Filter>>): FilterValues<Filter> & SortParam {
  const filter: { [Name in Names<Filter>]?: string | undefined } = {};
  for (const name of namesOf(fields)) if (search[name] !== undefined) filter[name] = search[name];
  const { sort } = search;
  return { ...filter, ...(sort !== undefined && { sort }) };
}

const namesOf = <Item, Filter>(fields: ReadonlyArray<FilterField<Item, Filter>>): ReadonlyArray<Names<Filter>> =>
  fields.flatMap((field) => (field.type === 'days' ? [field.from.name, field.to.name] : [field.name]));

const pickSort = ({ sort }: SortParam): SortParam => (sort === undefined ? {} : { sort });

type ListViewProps<P extends ListPath, Filter, Totals extends Count> = {
  readonly list: List<P, Filter>;
  /** The number of all matching rows, where the API counts them. */
  readonly count?: ObjectQuery<Totals>;
  /** The number and sums of all matching rows. */
  readonly totals?: ReactNode;
  /** Shown instead of the rows. An empty list without a filter shows no filters either. */
  readonly empty: ReactNode;
} & (TableView<Row<P>> | RowsView<Row<P>>);

/** Rows that are not in a table. */
type RowsView<Item> = { readonly children: (rows: readonly Item[]) => ReactNode; readonly sortFields?: readonly SortField[] };

type TableView<Item> = {
  readonly caption: string;
  readonly columns: ReadonlyArray<Column<Item>>;
  readonly keyOf: (row: Item) => string;
  /** What can be done with the selected rows of a list with `selection`. */
  readonly bulkActions?: BulkActions;
  readonly keyboard?: ListKeyboard<Item>;
  /** Below the rows. */
  readonly footer?: ReactNode;
};

/** The filters, totals, rows and pages of a list, and its loading, error and empty states. */
export function ListView<P extends ListPath, Filter, Totals extends Count = Count>({
  list,
  totals,
  count,
  empty,
  ...view
}: ListViewProps<P, Filter, Totals>) {
  const { page, rows } = list;
  const isEmpty = page.isSuccess && rows.length === 0;
  const isBlank = isEmpty && !list.isFiltered && list.isFirstPage;
  const isSelecting = (list.selection?.selectedRows.length ?? 0) > 0;
  return (
    <>
      {!isBlank && list.fields.some(({ type }) => type !== 'hidden') && <ListFilters list={list} />}
      {!isBlank && !isSelecting && (
        <div className={styles.tools}>
          {!isEmpty && totals}
          {page.isSuccess && 'columns' in view && !list.isShort && <OptionsOf list={list} columns={view.columns} />}
        </div>
      )}
      {page.isPending && <LoadingSkeleton lines={list.fields.length === 0 ? 3 : 6} />}
      {page.isError && (
        <div className={tableStyles.padded}>
          <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
        </div>
      )}
      {isEmpty && empty}
      {rows.length > 0 && list.sorting !== undefined && (
        <SortSelect
          columns={'columns' in view ? view.columns : (view.sortFields ?? [])}
          sorting={list.sorting}
          hasNoHeader={'children' in view}
        />
      )}
      {rows.length > 0 && ('children' in view ? view.children(rows) : <ListTable list={list} {...view} />)}
      {!page.isPending && (
        <Pager
          position={list.position}
          next={page.data?.next_cursor ?? null}
          go={list.goTo}
          range={list.isShort || rows.length === 0 ? undefined : rangeOf(list, count)}
        />
      )}
    </>
  );
}

function rangeOf<P extends ListPath, Filter, Totals extends Count>(
  { page, rows, firstRow }: List<P, Filter>,
  count: ObjectQuery<Totals> | undefined,
) {
  const range = { first: firstRow, rows: rows.length, hasNext: (page.data?.next_cursor ?? null) !== null };
  return count === undefined ? <RowRange {...range} /> : <CountedRowRange {...range} count={count} />;
}

type OptionsOfProps<P extends ListPath, Filter> = {
  readonly list: List<P, Filter>;
  readonly columns: ReadonlyArray<Column<Row<P>>>;
};

function OptionsOf<P extends ListPath, Filter>({ list: { options, searched, showView }, columns }: OptionsOfProps<P, Filter>) {
  const given = Object.entries(searched).filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return (
    <div className={styles.options}>
      <ListOptions
        {...options}
        columns={columns.filter((_column, place) => !isFixed(columns, place)).map(({ title }) => title)}
        search={Object.fromEntries(given)}
        show={(view) => {
          options.change({ hiddenColumns: view.hiddenColumns });
          showView(view);
        }}
      />
    </div>
  );
}

/** The first column names the row, so that it is always shown, and the buttons of a row are not a column to choose. */
const isFixed = <Item,>(columns: ReadonlyArray<Column<Item>>, place: number): boolean =>
  place === 0 || columns[place]?.kind === 'actions' || columns[place]?.kind === 'box';

type ListTableProps<P extends ListPath, Filter> = TableView<Row<P>> & { readonly list: List<P, Filter> };

function ListTable<P extends ListPath, Filter>({ list, bulkActions, keyboard, footer, ...table }: ListTableProps<P, Filter>) {
  const { rows, selection, hasMorePages, options, isShort } = list;
  const { hiddenColumns, isCompact, hasFullCards } = options.settings;
  const shown = isShort
    ? table.columns
    : table.columns.filter(({ title }, place) => isFixed(table.columns, place) || !hiddenColumns.includes(title));

  return (
    <div ref={keyboard?.container} className={styles.rows}>
      {selection && bulkActions && selection.selectedRows.length > 0 && (
        <SelectionBar selection={selection} actions={bulkActions} hasMorePages={hasMorePages} />
      )}
      {selection && (
        <div className={styles.allOnNarrow}>
          <SelectPage selection={selection} label={t.list.select_all_on_this_page} />
        </div>
      )}
      <Table
        {...table}
        columns={selection ? [selectionColumn(selection), ...shown] : shown}
        rows={rows}
        sorting={list.sorting}
        isCompact={!isShort && isCompact}
        hasFullCards={!isShort && hasFullCards}
        {...(keyboard && { rowProps: keyboard.rowProps })}
      />
      {footer}
    </div>
  );
}

function ListFilters<P extends ListPath, Filter>({ list }: { readonly list: List<P, Filter> }) {
  // A single field is the last child of the filters, next to the button that clears them.
  return (
    <Filters onClear={list.isFiltered ? list.clearFilter : null}>
      {list.fields.flatMap((field) => {
        const key = field.type === 'days' ? field.from.name : field.name;
        const isHidden = field.type === 'hidden' || (field.type === 'active' && list.filter[field.name] === undefined);
        return isHidden ? [] : [<Fragment key={key}>{renderField(field, list)}</Fragment>];
      })}
    </Filters>
  );
}

function renderField<P extends ListPath, Filter>(
  field: FilterField<Row<P>, Filter>,
  { filter, rows, setFilter }: List<P, Filter>,
): ReactNode {
  const change =
    (name: Names<Filter>, isTyped = false) =>
    (value: string | undefined) =>
      setFilter({ ...filter, [name]: value === '' ? undefined : value }, isTyped);
  switch (field.type) {
    case 'search':
      return (
        <SearchFilter label={field.label} value={filter[field.name] ?? ''} lengthMax={field.lengthMax} change={change(field.name, true)} />
      );
    case 'select':
      return (
        <SelectFilter
          label={field.label}
          value={filter[field.name]}
          options={typeof field.options === 'function' ? field.options(rows) : field.options}
          change={change(field.name)}
        />
      );
    case 'days':
      return <DaysFields field={field} filter={filter} change={change} />;
    case 'active':
      return (
        <ActiveFilter
          label={field.label}
          value={field.text?.(rows) ?? filter[field.name] ?? ''}
          clear={() => change(field.name)(undefined)}
        />
      );
    case 'hidden':
      return null;
  }
}

type DaysFieldsProps<Filter> = {
  readonly field: Extract<FilterField<never, Filter>, { readonly type: 'days' }>;
  readonly filter: FilterValues<Filter>;
  readonly change: (name: Names<Filter>) => (value: string | undefined) => void;
};

function DaysFields<Filter>({ field: { from, to, utc = false }, filter, change }: DaysFieldsProps<Filter>) {
  const [first, last] = [filter[from.name], filter[to.name]];
  return (
    <DaysFilter>
      {utc ? (
        <>
          <DateFilter label={from.label} value={first} most={last} change={change(from.name)} />
          <DateFilter label={to.label} value={last} least={first} change={change(to.name)} />
        </>
      ) : (
        <>
          <DayFilter label={from.label} value={first} change={change(from.name)} />
          <DayFilter label={to.label} value={last} isEnd change={change(to.name)} />
        </>
      )}
    </DaysFilter>
  );
}
