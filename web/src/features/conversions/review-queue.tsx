import { Button, Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import type { Commission, CommissionTotals } from '../../api/api-schema.ts';
import { formatDollars, sumCents } from '../../ui/format.ts';
import { ListTotals } from '../../ui/list-totals.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { FilterButton, OpenButton } from '../../ui/row-buttons.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { CommissionStatusChip, CommissionFlags } from './commission-status-chips.tsx';
import { subjectOf, totalsPath } from './commissions-api.ts';
import styles from './conversions.module.css';
import { useQueueKeyboard, ShortcutHelp } from './queue-keyboard.tsx';
import { actionLabels, canDecideAll, type ReviewActionName } from './review-actions.ts';
import { type ReviewDialogRequest, conversionCountText } from './review-dialog.tsx';
import { notifyCannotReopenAll, notifyReviewFailed, type Review } from './use-review.tsx';

type ReviewQueueProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly rows: readonly Commission[];
  /** More rows match than this page shows. */
  readonly hasMore: boolean;
  readonly mayReview: boolean;
  readonly review: Review;
  readonly openDialog: (request: ReviewDialogRequest) => void;
  readonly show: (id: string) => void;
  readonly setFilter: (changed: { readonly creator_id: string }) => void;
};

export function ReviewQueue({ store, filter, rows, hasMore, mayReview, review, openDialog, show, setFilter }: ReviewQueueProps) {
  const { selected, selectedRows, isAll, select, selectAllMatching, clear } = useSelection(rows);
  /** Decisions that need no input run immediately, because they can be undone; the others open a dialog. */
  const decide = (action: ReviewActionName, on: readonly Commission[]) => {
    const done = () => {
      clear();
      queue.restoreFocus();
    };
    if (isAll && !canDecideAll(action, filter)) return void notifyCannotReopenAll();
    if (isAll) return openDialog({ action, target: { filter }, done });
    if (on.length === 0) return undefined;
    if (action === 'reject' || action === 'hold') return openDialog({ action, target: { rows: on }, done });
    return void review.rows({ do: action }, on).then(clear, notifyReviewFailed);
  };
  const container = useRef<HTMLDivElement>(null);
  const queue = useQueueKeyboard(container, rows, {
    select: (row) => mayReview && select([row.id], !selected.has(row.id)),
    decide: (action, row) => mayReview && decide(action, selectedRows.length > 0 ? selectedRows : [row]),
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
          decide={(action) => decide(action, selectedRows)}
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
        columns={[...selectionColumns, ...columnsOf({ show, setFilter })]}
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

type ColumnActions = Pick<ReviewQueueProps, 'show' | 'setFilter'>;

const columnsOf = ({ show, setFilter }: ColumnActions): ReadonlyArray<Column<Commission>> => [
  {
    title: 'Order',
    cell: (row) => <OpenButton open={() => show(row.id)}>{subjectOf(row)}</OpenButton>,
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: 'Creator',
    cell: ({ creator_id: id, creator_name: name }) => <FilterButton name={name} narrow={() => setFilter({ creator_id: id })} />,
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

type ReviewBarProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly selectedRows: readonly Commission[];
  readonly isAll: boolean;
  readonly decide: (action: ReviewActionName) => void;
  readonly clear: () => void;
  readonly children: ReactNode;
};

const actions = ['approve', 'reject', 'hold', 'release', 'reopen'] as const;

/** The actions on selected rows. It replaces the totals, so that the list does not move. */
function ReviewBar({ store, filter, selectedRows, isAll, decide, clear, children }: ReviewBarProps) {
  const totals = useQuery({ ...apiQuery(totalsPath(store, filter)), enabled: isAll });
  const sum = formatDollars(sumCents(selectedRows.map(({ amount_cents: cents }) => cents)));
  return (
    <div role="group" aria-label="Decide on what is selected" className={styles.bar}>
      <span role="status">
        {isAll ? (
          <>
            All that match: <strong>{totals.data === undefined ? '…' : conversionCountText(totals.data)}</strong>
          </>
        ) : (
          <>
            <strong>{selectedRows.length} selected</strong>, {sum} USD
          </>
        )}
      </span>
      {children}
      <span className={styles.actions}>
        {actions
          .filter((action) => !isAll || canDecideAll(action, filter))
          .map((action) => (
            <Button key={action} variant={action === 'approve' ? 'filled' : 'default'} size="xs" onClick={() => decide(action)}>
              {actionLabels[action]}
            </Button>
          ))}
        <Button variant="subtle" size="xs" onClick={clear}>
          Clear selection
        </Button>
      </span>
    </div>
  );
}

const ConversionTotals = ({ store, filter }: { readonly store: string; readonly filter: ConversionFilter }) => (
  <ListTotals query={apiQuery(totalsPath(store, filter))} one="conversion" more="conversions" beside={totalsText} />
);

const totalsText = ({ amount_cents: amount, eligible_cents: eligible, earned_cents: earned, has_more: hasMore }: CommissionTotals) => (
  <span>
    {hasMore && 'more than '}
    {formatDollars(amount)} USD commission on {formatDollars(eligible)} USD, of it {formatDollars(earned)} USD earned
  </span>
);
