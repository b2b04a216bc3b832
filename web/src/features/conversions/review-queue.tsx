import { Button } from '../../ui/button.tsx';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Commission, CommissionTotals } from '../../../../sdk/src/api-schema.ts';
import { formatDollars, sumCents } from '../../ui/format.ts';
import { ShortcutHelp, useListKeyboard } from '../../ui/list-keyboard.tsx';
import type { Selection } from '../../ui/list-selection.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { ListView, type List } from '../../ui/list.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { FilterButton, OpenButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { CommissionStatusChip, CommissionFlags } from './commission-status-chips.tsx';
import { subjectOf, totalsPath } from './commissions-api.ts';
import styles from './conversions.module.css';
import { actionLabels, canDecideAll, conversionCountText, type ReviewActionName } from './review-actions.ts';
import type { ReviewDialogRequest } from './review-dialog.tsx';
import { notifyCannotReopenAll, notifyReviewFailed, type Review } from './use-review.tsx';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

type ReviewQueueProps = {
  readonly store: string;
  readonly list: List<'/stores/{store}/commissions', ConversionFilter>;
  readonly review: Review;
  readonly openDialog: (request: ReviewDialogRequest) => void;
  readonly show: (id: string) => void;
  readonly empty: ReactNode;
};

/** The list of conversions with the actions of the review, for those who may review. */
export function ReviewQueue({ store, list, review, openDialog, show, empty }: ReviewQueueProps) {
  const { filter, selection, setFilter } = list;
  /** Decisions that need no input run immediately, because they can be undone; the others open a dialog. */
  const decide = (action: ReviewActionName, on: readonly Commission[]) => {
    const clear = () => selection?.clear();
    const done = () => {
      clear();
      keyboard.restoreFocus();
    };
    const isAll = selection?.isAllMatching === true;
    if (isAll && !canDecideAll(action, filter)) return void notifyCannotReopenAll();
    if (isAll) return openDialog({ action, target: { filter }, done });
    if (on.length === 0) return undefined;
    if (action === 'reject' || action === 'hold') return openDialog({ action, target: { rows: on }, done });
    return void review.rows({ do: action }, on).then(clear, notifyReviewFailed);
  };
  const decideByKey = (action: ReviewActionName) => (row: Commission) => {
    if (selection !== null) decide(action, selection.selectedRows.length > 0 ? selection.selectedRows : [row]);
  };
  const keyboard = useListKeyboard({
    list,
    open: ({ id }) => show(id),
    shortcuts: {
      a: decideByKey('approve'),
      r: decideByKey('reject'),
      h: decideByKey('hold'),
      l: decideByKey('release'),
      o: decideByKey('reopen'),
      u: review.undoLast,
    },
  });
  return (
    <ListView
      list={list}
      count={apiQuery(totalsPath(store, filter))}
      totals={<ConversionTotals store={store} filter={filter} />}
      empty={empty}
      caption={t.review_queue.conversions}
      columns={columnsOf({ show, setFilter })}
      keyOf={({ id }) => id}
      keyboard={keyboard}
      {...(selection !== null && { bulkActions: bulkActionsOf({ store, filter, selection, decide }) })}
      footer={<ReviewShortcuts mayReview={selection !== null} />}
    />
  );
}

type ColumnActions = Pick<ReviewQueueProps, 'show'> & Pick<ReviewQueueProps['list'], 'setFilter'>;

const columnsOf = ({ show, setFilter }: ColumnActions): ReadonlyArray<Column<Commission>> => [
  {
    title: t.review_queue.order,
    priority: true,
    cell: (row) => (
      <span className={styles.subject}>
        <OpenButton open={() => show(row.id)}>{subjectOf(row)}</OpenButton>
        {row.order_name !== null && row.order_name !== row.order_id && <span className={styles.orderName}>{row.order_name}</span>}
      </span>
    ),
  },
  { title: t.review_queue.date, sort: 'occurred_at', priority: true, cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: t.review_queue.creator,
    cell: ({ creator_id: id, creator_name: name }) => <FilterButton name={name} narrow={() => setFilter({ creator_id: id })} />,
  },
  {
    title: t.review_queue.eligible_usd,
    kind: 'number',
    // A lead and a bonus earn a fixed amount, of nothing.
    cell: ({ eligible_cents: cents, lead_id: lead, bonus }) => (lead === null && bonus === null ? formatDollars(cents) : '–'),
  },
  {
    title: t.review_queue.commission_usd,
    kind: 'number',
    priority: true,
    cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  {
    title: t.review_queue.state,
    priority: true,
    cell: (row) => (
      <span className={styles.chips}>
        <CommissionStatusChip state={row.state} />
        <CommissionFlags commission={row} />
      </span>
    ),
  },
  { title: t.review_queue.hold_ends, cell: ({ hold_until: at }) => <Time at={at} dateOnly /> },
];

type BulkActionsProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly selection: Selection<Commission>;
  readonly decide: (action: ReviewActionName, on: readonly Commission[]) => void;
};

const actions = ['approve', 'reject', 'hold', 'release', 'reopen'] as const;

const bulkActionsOf = ({ store, filter, selection: { selectedRows, isAllMatching }, decide }: BulkActionsProps) => ({
  label: t.review_queue.review_selected,
  summary: isAllMatching ? <AllMatchingText store={store} filter={filter} /> : <SelectedText rows={selectedRows} />,
  buttons: actions
    .filter((action) => !isAllMatching || canDecideAll(action, filter))
    .map((action) => (
      <Button key={action} variant={action === 'approve' ? 'filled' : 'default'} size="xs" onClick={() => decide(action, selectedRows)}>
        {actionLabels[action]}
      </Button>
    )),
});

const SelectedText = ({ rows }: { readonly rows: readonly Commission[] }) => (
  <>
    {rich(
      t.review_queue.selected_usd({ rows: rows.length, rows2: formatDollars(sumCents(rows.map(({ amount_cents: cents }) => cents))) }),
      { b: <strong /> },
    )}
  </>
);

function AllMatchingText({ store, filter }: { readonly store: string; readonly filter: ConversionFilter }) {
  const totals = useQuery(apiQuery(totalsPath(store, filter)));
  return (
    <>
      {rich(t.review_queue.all_matching, {
        b: <strong>{totals.data === undefined ? '…' : conversionCountText(totals.data)}</strong>,
      })}
    </>
  );
}

const reviewShortcuts = [
  ['X', 'select'],
  ['A', 'approve'],
  ['R', 'reject'],
  ['H', 'hold'],
  ['L', 'release'],
  ['O', 'reopen'],
  ['U', 'undo'],
] as const;

const ReviewShortcuts = ({ mayReview }: { readonly mayReview: boolean }) =>
  mayReview ? (
    <ShortcutHelp shortcuts={reviewShortcuts} note={t.review_queue.shortcuts_apply_to_the_selection} />
  ) : (
    <ShortcutHelp shortcuts={[]} />
  );

const ConversionTotals = ({ store, filter }: { readonly store: string; readonly filter: ConversionFilter }) => (
  <ListTotals query={apiQuery(totalsPath(store, filter))} label={t.review_queue.conversions_2} beside={totalsText} />
);

const totalsText = ({ amount_cents: amount, eligible_cents: eligible, earned_cents: earned, has_more: hasMore }: CommissionTotals) => (
  <span>
    {hasMore && t.review_queue.more_than}
    {t.review_queue.commission_on_earned({ amount, eligible, earned })}
  </span>
);
