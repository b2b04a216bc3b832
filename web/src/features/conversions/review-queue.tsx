import { Button, Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import { formatDollars } from '../../ui/amounts.ts';
import { FilterButton, OpenButton } from '../../ui/row-buttons.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CommissionStatusChip, CommissionFlags } from './commission-status-chips.tsx';
import { ConversionTotals } from './conversion-totals.tsx';
import { subjectOf, type Commission } from './commissions-api.ts';
import styles from './conversions.module.css';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { ShortcutHelp } from './shortcut-help.tsx';
import { useQueueKeyboard } from './queue-keyboard.ts';
import { ReviewBar } from './review-bar.tsx';
import { canDecideAll, type ReviewDialogRequest, type ReviewActionName } from './review-dialog.tsx';
import { notifyCannotReopenAll, notifyReviewFailed, type Review } from './use-review.tsx';

type ReviewQueueProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly rows: readonly Commission[];
  /** More rows match than this page shows. */
  readonly hasMore: boolean;
  readonly mayReview: boolean;
  readonly review: Review;
  readonly openDialog: (asking: ReviewDialogRequest) => void;
  readonly show: (id: string) => void;
  readonly narrow: (changed: { readonly creator_id: string }) => void;
};

export function ReviewQueue({ store, filter, rows, hasMore, mayReview, review, openDialog, show, narrow }: ReviewQueueProps) {
  const { selected, selectedRows, isAll, select, selectAllMatching, clear } = useSelection(rows);
  /** Decisions that need no input run immediately, because they can be undone; the others open a dialog. */
  const decide = (way: ReviewActionName, on: readonly Commission[]) => {
    const done = () => {
      clear();
      queue.restoreFocus();
    };
    if (isAll && !canDecideAll(way, filter)) return void notifyCannotReopenAll();
    if (isAll) return openDialog({ action: way, target: { filter }, done });
    if (on.length === 0) return undefined;
    if (way === 'reject' || way === 'hold') return openDialog({ action: way, target: { rows: on }, done });
    return void review.rows({ do: way }, on).then(clear, notifyReviewFailed);
  };
  const container = useRef<HTMLDivElement>(null);
  const queue = useQueueKeyboard(container, rows, {
    select: (row) => mayReview && select([row.id], !selected.has(row.id)),
    decide: (way, row) => mayReview && decide(way, selectedRows.length > 0 ? selectedRows : [row]),
    open: ({ id }) => show(id),
    undo: review.undoLast,
  });
  const selectionColumns: ReadonlyArray<Column<Commission>> = mayReview ? [selectionColumn({ rows, selectedRows, selected, select })] : [];
  return (
    <div ref={container} className={styles.queue}>
      {selectedRows.length === 0 ? (
        <ConversionTotals store={store} filter={filter} />
      ) : (
        <ReviewBar
          store={store}
          filter={filter}
          selectedRows={selectedRows}
          isAll={isAll}
          decide={(way) => decide(way, selectedRows)}
          clear={clear}
        >
          {selectedRows.length === rows.length && hasMore && !isAll && (
            <Button variant="subtle" size="xs" onClick={selectAllMatching}>
              Take all that match
            </Button>
          )}
        </ReviewBar>
      )}
      {mayReview && (
        <div className={styles.allOnNarrow}>{selectAllCheckbox({ rows, selectedRows, select }, 'Select all on this page')}</div>
      )}
      <Table
        caption="Conversions"
        columns={[...selectionColumns, ...columnsOf({ show, narrow })]}
        rows={rows}
        keyOf={({ id }) => id}
        rowProps={queue.rowProps}
      />
      <ShortcutHelp mayReview={mayReview} />
    </div>
  );
}

function useSelection(rows: readonly Commission[]) {
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [isAllMatching, setAllMatching] = useState(false);
  const selectedRows = rows.filter(({ id }) => selected.has(id));
  return {
    selected,
    selectedRows,
    // Rows that were added meanwhile are not selected, so "all matching" must be confirmed again.
    isAll: isAllMatching && selectedRows.length === rows.length,
    select: (ids: readonly string[], isSelected: boolean) => {
      setAllMatching(false);
      setSelected((before) => new Set(isSelected ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
    },
    selectAllMatching: () => setAllMatching(true),
    clear: () => {
      setAllMatching(false);
      setSelected(new Set());
    },
  };
}

type SelectionProps = {
  readonly rows: readonly Commission[];
  readonly selectedRows: readonly Commission[];
  readonly selected: ReadonlySet<string>;
  readonly select: (ids: readonly string[], isSelected: boolean) => void;
};

const selectionColumn = ({ rows, selectedRows, selected, select }: SelectionProps): Column<Commission> => ({
  title: 'Select',
  kind: 'box',
  head: selectAllCheckbox({ rows, selectedRows, select }),
  cell: (row) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${subjectOf(row)}`}
      checked={selected.has(row.id)}
      onChange={({ currentTarget }) => select([row.id], currentTarget.checked)}
    />
  ),
});

/** In the table header; above the list with a label on narrow screens, where the header is hidden. */
const selectAllCheckbox = ({ rows, selectedRows, select }: Omit<SelectionProps, 'selected'>, label?: string) => (
  <Checkbox
    size="xs"
    label={label}
    aria-label={label === undefined ? 'Select all on this page' : undefined}
    checked={selectedRows.length === rows.length}
    indeterminate={selectedRows.length > 0 && selectedRows.length < rows.length}
    onChange={({ currentTarget }) =>
      select(
        rows.map(({ id }) => id),
        currentTarget.checked,
      )
    }
  />
);

type ColumnActions = Pick<ReviewQueueProps, 'show' | 'narrow'>;

const columnsOf = ({ show, narrow }: ColumnActions): ReadonlyArray<Column<Commission>> => [
  {
    title: 'Order',
    cell: (row) => <OpenButton open={() => show(row.id)}>{subjectOf(row)}</OpenButton>,
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: 'Creator',
    cell: ({ creator_id: id, creator_name: name }) => <FilterButton name={name} narrow={() => narrow({ creator_id: id })} />,
  },
  { title: 'Eligible, USD', kind: 'number', cell: ({ eligible_cents: cents }) => formatDollars(cents) },
  { title: 'Commission, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  {
    title: 'State',
    cell: (row) => (
      <span className={styles.chips}>
        <CommissionStatusChip state={row.state} />
        <CommissionFlags commission={row} />
      </span>
    ),
  },
  { title: 'Hold ends', cell: ({ hold_until: at }) => <Time at={at} dateOnly /> },
];
