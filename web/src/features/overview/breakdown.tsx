import { useQuery } from '@tanstack/react-query';
import type { StoreBreakdown } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';
import { DownloadPictureButton } from '../../ui/chart-export.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { formatDollars, formatUsd } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { periodQuery } from '../../ui/period.ts';
import { apiQuery } from '../../ui/queries.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { LoadingSkeleton, Table, type Column } from '../../ui/table.tsx';
import { formatUtcDay } from '../../ui/time.tsx';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import styles from './breakdown.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

const dimensions = {
  creator: t.breakdown.creator,
  program: t.breakdown.program,
  link: t.breakdown.link,
  sub_id: t.breakdown.sub_id,
  referrer_host: t.breakdown.referrer,
} as const;
type Dimension = keyof typeof dimensions;
const dimensionNames = ['creator', 'program', 'link', 'sub_id', 'referrer_host'] as const satisfies readonly Dimension[];
const withoutValue: Readonly<Partial<Record<Dimension, string>>> = {
  sub_id: t.breakdown.no_sub_id,
  referrer_host: t.breakdown.no_referrer,
};

/** The service reads sub-IDs and referrers from the clicks themselves. */
const clickDaysMax = 92;

type Totals = StoreBreakdown['totals'];
type RankedRow = Totals & { readonly id: string; readonly key: string | null; readonly label: string; readonly share: number };

type BreakdownProps = {
  readonly store: string;
  readonly search: OverviewSearch;
  /** The period as the service resolved it. */
  readonly shown: { readonly from: string; readonly to: string };
  readonly choose: (by: string | undefined) => void;
};

/** The ten best creators, programs, links, sub-IDs, or referrers of the period, and all others, which add up to the totals. */
export function Breakdown({ store, search, shown, choose }: BreakdownProps) {
  const by = dimensionNames.find((name) => name === search.by) ?? 'creator';
  const path = apiPath('/stores/{store}/breakdown', { store }, { ...periodQuery(search), by });
  const isTooLong = by in withoutValue && daysIn(shown) > clickDaysMax;
  const breakdown = useQuery({ ...apiQuery(path), enabled: !isTooLong });
  const rows = breakdown.data && !isTooLong ? rowsOf(breakdown.data, by) : [];
  return (
    <Section
      title={t.breakdown.where_revenue_comes_from}
      flush
      actions={
        breakdown.data !== undefined && rows.length > 0 ? (
          <>
            <DownloadPictureButton
              subject={t.breakdown.where_revenue_comes_from}
              download={() => downloadPicture(breakdown.data, by, rows)}
            />
            <ExportCsvButton path={path} name={`by-${by}.csv`} subject={t.breakdown.where_revenue_comes_from} />
          </>
        ) : undefined
      }
    >
      <div className={styles.choice}>
        <SegmentedControl
          label={t.breakdown.break_down_by}
          options={dimensionNames.map((name) => dimensions[name])}
          value={dimensions[by]}
          onChange={(label) => choose(dimensionNames.find((name) => dimensions[name] === label && name !== 'creator'))}
        />
      </div>
      <ErrorAlert error={breakdown.error} onRetry={() => void breakdown.refetch()} />
      {isTooLong && <p className={styles.note}>{t.breakdown.sub_ids_of_92_days}</p>}
      {breakdown.isLoading && <LoadingSkeleton />}
      {breakdown.isSuccess && !isTooLong && <Ranking store={store} by={by} rows={rows} breakdown={breakdown.data} />}
    </Section>
  );
}

const dayMs = 86_400_000;
const daysIn = ({ from, to }: BreakdownProps['shown']): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

/** The share of each row is of the largest one, as the length of its bar. */
function rowsOf({ rows, other }: StoreBreakdown, by: Dimension): readonly RankedRow[] {
  const named = rows.map((row) => ({
    ...row,
    id: row.key ?? 'none',
    label: row.name === null ? (withoutValue[by] ?? '') : row.creator_name === null ? row.name : `${row.name} · ${row.creator_name}`,
  }));
  const isOtherEmpty = other.clicks === 0 && other.orders === 0 && other.rows === 0;
  const all = isOtherEmpty
    ? named
    : [
        ...named,
        { ...other, id: 'other', key: null, label: other.rows === 0 ? t.breakdown.other : t.breakdown.other_rows({ rows: other.rows }) },
      ];
  const most = Math.max(1, ...all.map((row) => Number(row.revenue_cents)));
  return all.map((row) => ({ ...row, share: Number(row.revenue_cents) / most }));
}

type RankingProps = {
  readonly store: string;
  readonly by: Dimension;
  readonly rows: readonly RankedRow[];
  readonly breakdown: StoreBreakdown;
};

function Ranking({ store, by, rows, breakdown }: RankingProps) {
  if (rows.length === 0) return <EmptyState title={t.breakdown.no_activity}>{t.breakdown.rows_appear_here}</EmptyState>;
  return (
    <>
      <Table
        caption={t.breakdown.ranked_by_revenue({ dimension: dimensions[by] })}
        columns={columnsOf(store, by)}
        rows={[...rows, { ...breakdown.totals, id: 'total', key: null, label: t.breakdown.total, share: 0 }]}
        keyOf={({ id }) => id}
      />
      {!breakdown.is_complete && <p className={styles.note}>{t.breakdown.not_all_clicks_were_read}</p>}
    </>
  );
}

const columnsOf = (store: string, by: Dimension): ReadonlyArray<Column<RankedRow>> => [
  { title: dimensions[by], cell: (row) => <Label store={store} by={by} row={row} />, priority: true },
  { title: t.breakdown.clicks, kind: 'number', cell: ({ clicks }) => formats.number(clicks) },
  { title: t.breakdown.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.breakdown.revenue_usd, kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents), priority: true },
  { title: t.breakdown.commissions_usd, kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents), priority: true },
];

const Label = ({
  store,
  by,
  row: { id, key, label, share },
}: {
  readonly store: string;
  readonly by: Dimension;
  readonly row: RankedRow;
}) => (
  <span className={styles.label} data-total={id === 'total' || undefined}>
    {by === 'creator' && key !== null ? (
      <TextLink to="/stores/$store/creators/$creator" params={{ store, creator: key }}>
        {label}
      </TextLink>
    ) : by === 'program' && key !== null ? (
      <TextLink to="/stores/$store/programs/$program" params={{ store, program: key }}>
        {label}
      </TextLink>
    ) : (
      label
    )}
    {id !== 'total' && (
      <span className={styles.track} aria-hidden="true">
        <span className={styles.bar} style={{ width: `${share * 100}%` }} />
      </span>
    )}
  </span>
);

async function downloadPicture({ from, to, totals }: StoreBreakdown, by: Dimension, rows: readonly RankedRow[]): Promise<void> {
  const { downloadChartPicture } = await import('../../ui/chart-picture.ts');
  await downloadChartPicture(
    {
      title: t.breakdown.revenue_by({ dimension: dimensions[by] }),
      lines: [t.breakdown.to_in_utc({ from: formatUtcDay(from), to: formatUtcDay(to) })],
      charts: [
        {
          title: t.breakdown.total,
          value: formatUsd(totals.revenue_cents),
          bars: rows.map(({ label, revenue_cents: cents, share }) => ({ name: label, value: formatUsd(cents), share })),
        },
      ],
    },
    `revenue-by-${by}-${from}-${to}.png`,
  );
}
