import { lazy, Suspense, useMemo, useState } from 'react';
import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import { DownloadPictureButton, DownloadRowsButton } from '../../ui/chart-export.tsx';
import { formatDollars } from '../../ui/format.ts';
import { EmptyState, Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { formatUtcDay } from '../../ui/time.tsx';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import { fillDays, type DayTotals } from './fill-days.ts';
import styles from './overview.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

/** The chart library loads with the first chart. */
const LineChart = lazy(async () => ({ default: (await import('../../ui/line-chart.tsx')).LineChart }));

type ChartSeries = {
  readonly title: string;
  readonly value: (day: DayTotals) => number;
  readonly text: (value: number) => string;
  /** A short form for the axis. */
  readonly axisLabel: (value: number) => string;
};

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const formatCompact = (value: number): string => compact.format(value);
const countSeries = (title: string, value: ChartSeries['value']): ChartSeries => ({
  title,
  value,
  text: (figure) => formats.number(figure),
  axisLabel: formatCompact,
});
const moneySeries = (title: string, value: ChartSeries['value']): ChartSeries => ({
  title,
  value,
  text: (cents) => t.overview_chart.usd({ cents: formatDollars(cents) }),
  axisLabel: (cents) => formatCompact(cents / 100),
});

const views: Readonly<Record<string, { readonly label: string; readonly charts: readonly ChartSeries[] }>> = {
  revenue: {
    label: t.overview_chart.revenue,
    charts: [moneySeries(t.overview_chart.attributed_revenue, (day) => Number(day.revenue_cents))],
  },
  commission: {
    label: t.overview_chart.commissions,
    charts: [moneySeries(t.overview_chart.commissions_earned_by_creators, (day) => Number(day.earned_cents))],
  },
  funnel: {
    label: t.overview_chart.conversion_funnel,
    charts: [
      countSeries(t.overview_chart.clicks, (day) => day.clicks),
      countSeries(t.overview_chart.orders, (day) => day.orders),
      countSeries(t.overview_chart.approved, (day) => day.approved),
      countSeries(t.overview_chart.paid, (day) => day.paid),
    ],
  },
};

type OverviewChartProps = {
  readonly overview: StoreOverview;
  readonly search: OverviewSearch;
  readonly choose: (view: string | undefined) => void;
};

/** The values of each day, and those of the compared period. The table below shows the same values for screen readers. */
export function OverviewChart({ overview, search: { chart: view = 'revenue' }, choose }: OverviewChartProps) {
  const days = useMemo(() => fillDays(overview), [overview]);
  const before = useMemo(() => (overview.compared === null ? [] : fillDays(overview.compared)), [overview]);
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const chosen = views[view] ?? views['revenue'];
  const charts = chosen?.charts ?? [];
  const name = `${views[view] === undefined ? 'revenue' : view}-${overview.from}-${overview.to}`;
  return (
    <Section
      title={t.overview_chart.daily_activity}
      actions={
        <SegmentedControl
          label={t.overview_chart.chart_metric}
          options={Object.values(views).map(({ label }) => label)}
          value={chosen?.label ?? ''}
          onChange={(label) => choose(Object.entries(views).find(([key, shown]) => shown.label === label && key !== 'revenue')?.[0])}
        />
      }
    >
      {overview.days.length === 0 && (
        <EmptyState title={t.overview_chart.no_activity_in_this_period}>{t.overview_chart.the_chart_shows_clicks_and}</EmptyState>
      )}
      {overview.days.length > 0 && (
        <>
          <div className={styles.chartBar}>
            <Legend overview={overview} day={hoveredIndex === null ? undefined : days[hoveredIndex]} />
            <span className={styles.chartButtons}>
              <DownloadPictureButton
                subject={t.overview_chart.daily_activity}
                download={() => downloadPicture({ title: chosen?.label ?? '', overview, name }, { charts, days, before })}
              />
              <DownloadRowsButton
                subject={t.overview_chart.daily_activity}
                name={`daily-${overview.from}-${overview.to}.csv`}
                rows={() => rowsOf(days)}
              />
            </span>
          </div>
          {charts.map((series) => (
            <Chart
              key={series.title}
              series={series}
              days={days}
              before={before}
              hoveredIndex={hoveredIndex}
              setHoveredIndex={setHoveredIndex}
              isSmall={charts.length > 1}
            />
          ))}
          <DayTable days={overview.days} />
        </>
      )}
    </Section>
  );
}

type LegendProps = { readonly overview: StoreOverview; readonly day: DayTotals | undefined };

/** The period, or the day under the pointer; and what the dashed line is. */
const Legend = ({ overview: { from, to, compared }, day }: LegendProps) => (
  <p className={styles.hoveredDay}>
    <span aria-hidden="true">
      {day === undefined ? t.overview_chart.to_in_utc({ from: formatUtcDay(from), to: formatUtcDay(to) }) : formatUtcDay(day.day)}
    </span>
    {compared !== null && (
      <span className={styles.before}>
        {t.overview_chart.dashed_line({ from: formatUtcDay(compared.from), to: formatUtcDay(compared.to) })}
      </span>
    )}
  </p>
);

type Picture = { readonly title: string; readonly overview: StoreOverview; readonly name: string };

type Pictured = { readonly charts: readonly ChartSeries[]; readonly days: readonly DayTotals[]; readonly before: readonly DayTotals[] };

/** The charts of the page, drawn again for the picture, with the title and the period. */
async function downloadPicture(
  { title, overview: { from, to, compared }, name }: Picture,
  { charts, days, before }: Pictured,
): Promise<void> {
  const { downloadChartPicture } = await import('../../ui/chart-picture.ts');
  const pictured = charts.flatMap((series) => {
    const values = days.map(series.value);
    const height = charts.length > 1 ? heights.small : heights.large;
    const plotted = { days: secondsOf(days), values, before: beforeOf(days, before, series), height, label: series.axisLabel };
    return values.every((one) => one === 0) ? [] : [{ title: series.title, value: series.text(sumOf(values)), plotted }];
  });
  const lines = [
    t.overview_chart.to_in_utc({ from: formatUtcDay(from), to: formatUtcDay(to) }),
    ...(compared === null ? [] : [t.overview_chart.dashed_line({ from: formatUtcDay(compared.from), to: formatUtcDay(compared.to) })]),
  ];
  await downloadChartPicture({ title, lines, charts: pictured }, `${name}.png`);
}

/** All days of the period, with the names of the API. */
const rowsOf = (days: readonly DayTotals[]) => [
  ['day', 'clicks', 'orders', 'revenue_cents', 'earned_cents', 'refunded_cents', 'approved', 'paid'],
  ...days.map((day) => [day.day, day.clicks, day.orders, day.revenue_cents, day.earned_cents, day.refunded_cents, day.approved, day.paid]),
];

type ChartProps = {
  readonly series: ChartSeries;
  readonly days: readonly DayTotals[];
  /** The days of the compared period. */
  readonly before: readonly DayTotals[];
  readonly hoveredIndex: number | null;
  readonly setHoveredIndex: (index: number | null) => void;
  readonly isSmall: boolean;
};

const heights = { small: 104, large: 240 };
const msPerSecond = 1_000;
const secondsOf = (days: readonly DayTotals[]): readonly number[] => days.map(({ day }) => Date.parse(day) / msPerSecond);
const sumOf = (values: readonly number[]): number => values.reduce((total, one) => total + one, 0);

/** The values of the compared period on the same places; null where that is shorter. */
const beforeOf = (days: readonly DayTotals[], before: readonly DayTotals[], { value }: ChartSeries) =>
  before.length === 0 ? undefined : days.map((_day, index) => (before[index] === undefined ? null : value(before[index])));

function Chart({ series, days, before, hoveredIndex, setHoveredIndex, isSmall }: ChartProps) {
  const { title, value, text, axisLabel: label } = series;
  const seconds = useMemo(() => secondsOf(days), [days]);
  const values = useMemo(() => days.map(value), [days, value]);
  const valuesBefore = useMemo(() => beforeOf(days, before, series), [days, before, series]);
  const sum = sumOf(values);
  const isBlank = values.every((one) => one === 0);
  const height = isSmall ? heights.small : heights.large;
  return (
    <div className={styles.chart}>
      <p className={styles.chartHead}>
        <span>{title}</span>
        <span>
          {hoveredIndex !== null && typeof valuesBefore?.[hoveredIndex] === 'number' && (
            <span className={styles.valueBefore}>{t.overview_chart.before({ value: text(valuesBefore[hoveredIndex]) })}</span>
          )}
          <strong>{text(hoveredIndex === null ? sum : (values[hoveredIndex] ?? 0))}</strong>
        </span>
      </p>
      {isBlank && <p className={styles.blank}>{t.overview_chart.no_activity_in_this_period_2({ title })}</p>}
      {!isBlank && (
        <div role="img" aria-label={t.overview_chart.by_day_in_total_the({ title, sum: text(sum), days: peakText(days, series) })}>
          <Suspense fallback={<div style={{ height }} data-pending />}>
            <LineChart
              days={seconds}
              values={values}
              before={valuesBefore}
              height={height}
              label={label}
              onPoint={setHoveredIndex}
              group="overview"
            />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function peakText(days: readonly DayTotals[], { value, text }: ChartSeries): string {
  const best = days.reduce<DayTotals | null>((most, day) => (value(day) > (most === null ? 0 : value(most)) ? day : most), null);
  return best === null ? '' : t.overview_chart.highest_on({ day: formatUtcDay(best.day), best: text(value(best)) });
}

const columns: ReadonlyArray<Column<DayTotals>> = [
  { title: t.overview_chart.day, cell: ({ day }) => <span className="number">{formatUtcDay(day)}</span> },
  { title: t.overview_chart.clicks, kind: 'number', cell: ({ clicks }) => formats.number(clicks) },
  { title: t.overview_chart.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.overview_chart.revenue_usd, kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  { title: t.overview_chart.commissions_usd, kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents) },
  { title: t.overview_chart.refunded_usd, kind: 'number', cell: ({ refunded_cents: cents }) => formatDollars(cents) },
  { title: t.overview_chart.approved, kind: 'number', cell: ({ approved }) => formats.number(approved) },
  { title: t.overview_chart.paid, kind: 'number', cell: ({ paid }) => formats.number(paid) },
];

/** Rendered when opened: a year has many rows, and most people use the chart. */
function DayTable({ days }: { readonly days: readonly DayTotals[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.table} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>{t.overview_chart.view_as_table}</summary>
      {isOpen && (
        <Table caption={t.overview_chart.daily_figures_in_utc} columns={columns} rows={days.toReversed()} keyOf={({ day }) => day} />
      )}
    </details>
  );
}
