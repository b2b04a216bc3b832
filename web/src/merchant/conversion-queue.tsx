import { Button, Checkbox } from '@mantine/core';
import { useRef, useState } from 'react';
import { dollarsOf } from '../parts/amounts.ts';
import { Narrower, Opener } from '../parts/row-buttons.tsx';
import { Table, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CommissionChip, Flags } from './commission-chips.tsx';
import { ConversionTotals } from './conversion-totals.tsx';
import { subjectOf, type Commission } from './commissions-api.ts';
import styles from './conversions.module.css';
import type { ConversionFilter } from './list-search.ts';
import { QueueHelp } from './queue-help.tsx';
import { useQueueKeys } from './queue-keys.ts';
import { ReviewBar } from './review-bar.tsx';
import { mayDecideAll, type Asking, type ReviewWay } from './review-dialogs.tsx';
import { tellNotForAll, tellProblem, type Reviewing } from './review-sending.tsx';

type QueueProps = {
  readonly store: string;
  readonly filter: ConversionFilter;
  readonly rows: readonly Commission[];
  /** Not all that match are on this page. */
  readonly hasMore: boolean;
  readonly mayReview: boolean;
  readonly reviewing: Reviewing;
  readonly ask: (asking: Asking) => void;
  readonly show: (id: string) => void;
  readonly narrow: (changed: { readonly creator_id: string }) => void;
};

export function ConversionQueue({ store, filter, rows, hasMore, mayReview, reviewing, ask, show, narrow }: QueueProps) {
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set());
  const [takesAll, setTakesAll] = useState(false);
  const picked = rows.filter(({ id }) => ticked.has(id));
  // Rows that came meanwhile are not ticked: then it is said once more what is meant.
  const isAll = takesAll && picked.length === rows.length;
  const tick = (ids: readonly string[], isTicked: boolean) => {
    setTakesAll(false);
    setTicked((before) => new Set(isTicked ? [...before, ...ids] : [...before].filter((id) => !ids.includes(id))));
  };
  const clear = () => {
    setTakesAll(false);
    setTicked(new Set());
  };
  /** What needs no word more is done at once, since it can be taken back; the others ask first. */
  const decide = (way: ReviewWay, on: readonly Commission[]) => {
    const done = () => {
      clear();
      queue.comeBack();
    };
    if (isAll && !mayDecideAll(way, filter)) return void tellNotForAll();
    if (isAll) return ask({ way, target: { filter }, done });
    if (on.length === 0) return undefined;
    if (way === 'reject' || way === 'hold') return ask({ way, target: { rows: on }, done });
    return void reviewing.rows({ do: way }, on).then(clear, tellProblem);
  };
  const place = useRef<HTMLDivElement>(null);
  const queue = useQueueKeys(place, rows, {
    tick: (row) => mayReview && tick([row.id], !ticked.has(row.id)),
    decide: (way, row) => mayReview && decide(way, picked.length > 0 ? picked : [row]),
    open: ({ id }) => show(id),
    undo: reviewing.undoLast,
  });
  const boxes: ReadonlyArray<Column<Commission>> = mayReview ? [boxColumn({ rows, picked, ticked, tick })] : [];
  return (
    <div ref={place} className={styles.queue}>
      {picked.length === 0 ? (
        <ConversionTotals store={store} filter={filter} />
      ) : (
        <ReviewBar store={store} filter={filter} picked={picked} isAll={isAll} decide={(way) => decide(way, picked)} clear={clear}>
          {picked.length === rows.length && hasMore && !isAll && (
            <Button variant="subtle" size="xs" onClick={() => setTakesAll(true)}>
              Take all that match
            </Button>
          )}
        </ReviewBar>
      )}
      {mayReview && <div className={styles.allOnNarrow}>{allBox({ rows, picked, tick }, 'Select all on this page')}</div>}
      <Table
        caption="Conversions"
        columns={[...boxes, ...columnsOf({ show, narrow })]}
        rows={rows}
        keyOf={({ id }) => id}
        rowProps={queue.rowProps}
      />
      <QueueHelp mayReview={mayReview} />
    </div>
  );
}

type Boxes = {
  readonly rows: readonly Commission[];
  readonly picked: readonly Commission[];
  readonly ticked: ReadonlySet<string>;
  readonly tick: (ids: readonly string[], isTicked: boolean) => void;
};

const boxColumn = ({ rows, picked, ticked, tick }: Boxes): Column<Commission> => ({
  title: 'Select',
  kind: 'box',
  head: allBox({ rows, picked, tick }),
  cell: (row) => (
    <Checkbox
      size="xs"
      aria-label={`Select ${subjectOf(row)}`}
      checked={ticked.has(row.id)}
      onChange={({ currentTarget }) => tick([row.id], currentTarget.checked)}
    />
  ),
});

/** In the table's head; on a narrow screen, which has none, above the list with its words. */
const allBox = ({ rows, picked, tick }: Omit<Boxes, 'ticked'>, label?: string) => (
  <Checkbox
    size="xs"
    label={label}
    aria-label={label === undefined ? 'Select all on this page' : undefined}
    checked={picked.length === rows.length}
    indeterminate={picked.length > 0 && picked.length < rows.length}
    onChange={({ currentTarget }) =>
      tick(
        rows.map(({ id }) => id),
        currentTarget.checked,
      )
    }
  />
);

type Ways = Pick<QueueProps, 'show' | 'narrow'>;

const columnsOf = ({ show, narrow }: Ways): ReadonlyArray<Column<Commission>> => [
  {
    title: 'Order',
    cell: (row) => <Opener open={() => show(row.id)}>{subjectOf(row)}</Opener>,
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: 'Creator',
    cell: ({ creator_id: id, creator_name: name }) => <Narrower name={name} narrow={() => narrow({ creator_id: id })} />,
  },
  { title: 'Eligible, USD', kind: 'number', cell: ({ eligible_cents: cents }) => dollarsOf(cents) },
  { title: 'Commission, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  {
    title: 'State',
    cell: (row) => (
      <span className={styles.chips}>
        <CommissionChip state={row.state} />
        <Flags commission={row} />
      </span>
    ),
  },
  { title: 'Hold ends', cell: ({ hold_until: at }) => <Time at={at} dateOnly /> },
];
