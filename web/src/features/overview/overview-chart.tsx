import { lazy, Suspense, useMemo, useState } from 'react';
import type { StoreOverview } from '../../api/api-schema.ts';
import { formatDollars } from '../../ui/format.ts';
import { EmptyState, Section } from '../../ui/page.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import type { DailyTotals } from './overview-api.ts';
import styles from './overview.module.css';

/** The chart library loads with the first chart. */
const LineChart = lazy(async () => ({ default: (await import('../../ui/line-chart.tsx')).LineChart }));

type ChartSeries = {
  readonly title: string;
  readonly value: (day: DailyTotals) => number;
  readonly text: (value: number) => string;
  /** A short form for the axis. */
  readonly axisLabel: (value: number) => string;
};

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const formatCompact = (value: number): string => compact.format(value);
const countSeries = (title: string, value: ChartSeries['value']): ChartSeries => ({
  title,
  value,
  text: (figure) => figure.toLocaleString('en-GB'),
  axisLabel: formatCompact,
});
const moneySeries = (title: string, value: ChartSeries['value']): ChartSeries => ({
  title,
  value,
  text: (cents) => `${formatDollars(cents)} USD`,
  axisLabel: (cents) => formatCompact(cents / 100),
});

const views: Readonly<Record<string, { readonly label: string; readonly charts: readonly ChartSeries[] }>> = {
  revenue: { label: 'Revenue', charts: [moneySeries('Attributed revenue', (day) => Number(day.revenue_cents))] },
  commission: { label: 'Earned', charts: [moneySeries('Earned by creators', (day) => Number(day.earned_cents))] },
  funnel: {
    label: 'Click to paid',
    charts: [
      countSeries('Clicks', (day) => day.clicks),
      countSeries('Orders', (day) => day.orders),
      countSeries('Approved', (day) => day.approved),
      countSeries('Paid', (day) => day.paid),
    ],
  },
};

type OverviewChartProps = {
  readonly overview: StoreOverview;
  readonly view: string | undefined;
  readonly choose: (view: string | undefined) => void;
};

/** The values of each day. The table below shows the same values for screen readers. */
export function OverviewChart({ overview, view = 'revenue', choose }: OverviewChartProps) {
  const days = useMemo(() => fillDays(overview), [overview]);
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const hoveredDay = hoveredIndex === null ? undefined : days[hoveredIndex];
  const charts = (views[view] ?? views['revenue'])?.charts ?? [];
  return (
    <Section
      title="Day by day"
      actions={
        <SegmentedControl
          label="What the chart shows"
          options={Object.values(views).map(({ label }) => label)}
          value={(views[view] ?? views['revenue'])?.label ?? ''}
          onChange={(name) => choose(Object.entries(views).find(([key, { label }]) => label === name && key !== 'revenue')?.[0])}
        />
      }
    >
      {overview.days.length === 0 && (
        <EmptyState title="Nothing on these days">
          Clicks and orders are drawn here once there are some. Choose other days to see former ones.
        </EmptyState>
      )}
      {overview.days.length > 0 && (
        <>
          <p className={styles.hoveredDay} aria-hidden="true">
            {hoveredDay === undefined
              ? `${formatUtcDay(overview.from)} to ${formatUtcDay(overview.to)}, days in UTC`
              : formatUtcDay(hoveredDay.day)}
          </p>
          {charts.map((shown) => (
            <Chart
              key={shown.title}
              series={shown}
              days={days}
              hoveredDay={hoveredDay}
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

type ChartProps = {
  readonly series: ChartSeries;
  readonly days: readonly DayTotals[];
  readonly hoveredDay: DayTotals | undefined;
  readonly setHoveredIndex: (index: number | null) => void;
  readonly isSmall: boolean;
};

const heights = { small: 104, large: 240 };
const msPerSecond = 1_000;

function Chart({ series, days, hoveredDay, setHoveredIndex, isSmall }: ChartProps) {
  const { title, value, text, axisLabel: label } = series;
  const seconds = useMemo(() => days.map(({ day }) => Date.parse(day) / msPerSecond), [days]);
  const values = useMemo(() => days.map(value), [days, value]);
  const sum = values.reduce((total, one) => total + one, 0);
  const isBlank = values.every((one) => one === 0);
  const height = isSmall ? heights.small : heights.large;
  return (
    <div className={styles.chart}>
      <p className={styles.chartHead}>
        <span>{title}</span>
        <strong>{text(hoveredDay === undefined ? sum : value(hoveredDay))}</strong>
      </p>
      {isBlank && <p className={styles.blank}>{`${title}: nothing on these days.`}</p>}
      {!isBlank && (
        <div role="img" aria-label={`${title} by day: ${text(sum)} in all. ${peakText(days, series)}The table below has every day.`}>
          <Suspense fallback={<div style={{ height }} data-pending />}>
            <LineChart days={seconds} values={values} height={height} label={label} onPoint={setHoveredIndex} group="overview" />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function peakText(days: readonly DayTotals[], { value, text }: ChartSeries): string {
  const best = days.reduce<DayTotals | null>((most, day) => (value(day) > (most === null ? 0 : value(most)) ? day : most), null);
  return best === null ? '' : `Most on ${formatUtcDay(best.day)}: ${text(value(best))}. `;
}

const columns: ReadonlyArray<Column<DayTotals>> = [
  { title: 'Day', cell: ({ day }) => <span className="number">{formatUtcDay(day)}</span> },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Revenue, USD', kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents) },
  { title: 'Refunded, USD', kind: 'number', cell: ({ refunded_cents: cents }) => formatDollars(cents) },
  { title: 'Approved', kind: 'number', cell: ({ approved }) => approved.toLocaleString('en-GB') },
  { title: 'Paid', kind: 'number', cell: ({ paid }) => paid.toLocaleString('en-GB') },
];

/** Rendered when opened: a year has many rows, and most people use the chart. */
function DayTable({ days }: { readonly days: readonly DayTotals[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.table} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>The same as a table</summary>
      {isOpen && <Table caption="Figures of each day, in UTC" columns={columns} rows={days.toReversed()} keyOf={({ day }) => day} />}
    </details>
  );
}

const dayMs = 86_400_000;
export const zeroTotals: DailyTotals = {
  clicks: 0,
  filtered_arrivals: 0,
  orders: 0,
  revenue_cents: 0,
  commission_cents: 0,
  earned_cents: 0,
  refunds: 0,
  refunded_cents: 0,
  approved: 0,
  approved_cents: 0,
  paid: 0,
  paid_cents: 0,
};

type DayTotals = DailyTotals & { readonly day: string };

/** Every day of the range: the service leaves out days without events, and a chart must not. */
export function fillDays({ from, to, days }: Pick<StoreOverview, 'from' | 'to' | 'days'>): readonly DayTotals[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const [first, last] = [Date.parse(from), Date.parse(to)];
  return Array.from({ length: Math.round((last - first) / dayMs) + 1 }, (_, index) => {
    const day = new Date(first + index * dayMs).toISOString().slice(0, 10);
    return known.get(day) ?? { day, ...zeroTotals };
  });
}

const dayFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

/** Daily totals use UTC days, so they must not move into the viewer's time zone. */
export const formatUtcDay = (day: string): string => dayFormat.format(new Date(day));
