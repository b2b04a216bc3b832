import { lazy, Suspense, useMemo, useState } from 'react';
import { dollarsOf } from '../parts/amounts.ts';
import { Empty, Section } from '../parts/page.tsx';
import { Pick } from '../parts/pick.tsx';
import { Table, type Column } from '../parts/table.tsx';
import type { Figures, Overview } from './overview-api.ts';
import { everyDay, utcDay, type DayFigures } from './overview-days.ts';
import styles from './overview.module.css';

/** The library is fetched with the first chart, and not before it. */
const LineChart = lazy(async () => ({ default: (await import('../parts/line-chart.tsx')).LineChart }));

type Shown = {
  readonly title: string;
  readonly value: (day: Figures) => number;
  readonly text: (value: number) => string;
  /** What the axis says: short, because there is little room. */
  readonly short: (value: number) => string;
};

const compact = new Intl.NumberFormat('en-GB', { notation: 'compact', maximumFractionDigits: 1 });
const short = (value: number): string => compact.format(value);
const count = (title: string, value: Shown['value']): Shown => ({
  title,
  value,
  text: (figure) => figure.toLocaleString('en-GB'),
  short,
});
const money = (title: string, value: Shown['value']): Shown => ({
  title,
  value,
  text: (cents) => `${dollarsOf(cents)} USD`,
  short: (cents) => short(cents / 100),
});

const views: Readonly<Record<string, { readonly label: string; readonly charts: readonly Shown[] }>> = {
  revenue: { label: 'Revenue', charts: [money('Attributed revenue', (day) => Number(day.revenue_cents))] },
  commission: { label: 'Earned', charts: [money('Earned by creators', (day) => Number(day.earned_cents))] },
  funnel: {
    label: 'Click to paid',
    charts: [
      count('Clicks', (day) => day.clicks),
      count('Orders', (day) => day.orders),
      count('Approved', (day) => day.approved),
      count('Paid', (day) => day.paid),
    ],
  },
};

type OverviewChartProps = {
  readonly overview: Overview;
  readonly view: string | undefined;
  readonly choose: (view: string | undefined) => void;
};

/** How it went, day by day. The same figures stand in a table below, which is what a screen reader is pointed to. */
export function OverviewChart({ overview, view = 'revenue', choose }: OverviewChartProps) {
  const days = useMemo(() => everyDay(overview), [overview]);
  const [place, setPlace] = useState<number | null>(null);
  const pointed = place === null ? undefined : days[place];
  const charts = (views[view] ?? views['revenue'])?.charts ?? [];
  return (
    <Section
      title="Day by day"
      actions={
        <Pick
          label="What the chart shows"
          names={Object.values(views).map(({ label }) => label)}
          picked={(views[view] ?? views['revenue'])?.label ?? ''}
          pick={(name) => choose(Object.entries(views).find(([key, { label }]) => label === name && key !== 'revenue')?.[0])}
        />
      }
    >
      {overview.days.length === 0 && (
        <Empty title="Nothing on these days">
          Clicks and orders are drawn here once there are some. Choose other days to see former ones.
        </Empty>
      )}
      {overview.days.length > 0 && (
        <>
          <p className={styles.pointed} aria-hidden="true">
            {pointed === undefined ? `${utcDay(overview.from)} to ${utcDay(overview.to)}, days in UTC` : utcDay(pointed.day)}
          </p>
          {charts.map((shown) => (
            <Chart key={shown.title} shown={shown} days={days} pointed={pointed} setPlace={setPlace} isSmall={charts.length > 1} />
          ))}
          <DayTable days={overview.days} />
        </>
      )}
    </Section>
  );
}

type ChartProps = {
  readonly shown: Shown;
  readonly days: readonly DayFigures[];
  readonly pointed: DayFigures | undefined;
  readonly setPlace: (place: number | null) => void;
  readonly isSmall: boolean;
};

const heights = { small: 104, large: 240 };
const msPerSecond = 1_000;

function Chart({ shown, days, pointed, setPlace, isSmall }: ChartProps) {
  const { title, value, text, short: label } = shown;
  const seconds = useMemo(() => days.map(({ day }) => Date.parse(day) / msPerSecond), [days]);
  const values = useMemo(() => days.map(value), [days, value]);
  const sum = values.reduce((total, one) => total + one, 0);
  const isBlank = values.every((one) => one === 0);
  const height = isSmall ? heights.small : heights.large;
  return (
    <div className={styles.chart}>
      <p className={styles.chartHead}>
        <span>{title}</span>
        <strong>{text(pointed === undefined ? sum : value(pointed))}</strong>
      </p>
      {isBlank && <p className={styles.blank}>{`${title}: nothing on these days.`}</p>}
      {!isBlank && (
        <div role="img" aria-label={`${title} by day: ${text(sum)} in all. ${highest(days, shown)}The table below has every day.`}>
          <Suspense fallback={<div style={{ height }} data-waiting />}>
            <LineChart days={seconds} values={values} height={height} label={label} point={setPlace} group="overview" />
          </Suspense>
        </div>
      )}
    </div>
  );
}

function highest(days: readonly DayFigures[], { value, text }: Shown): string {
  const best = days.reduce<DayFigures | null>((most, day) => (value(day) > (most === null ? 0 : value(most)) ? day : most), null);
  return best === null ? '' : `Most on ${utcDay(best.day)}: ${text(value(best))}. `;
}

const columns: ReadonlyArray<Column<DayFigures>> = [
  { title: 'Day', cell: ({ day }) => <span className="number">{utcDay(day)}</span> },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Revenue, USD', kind: 'number', cell: ({ revenue_cents: cents }) => dollarsOf(cents) },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => dollarsOf(cents) },
  { title: 'Refunded, USD', kind: 'number', cell: ({ refunded_cents: cents }) => dollarsOf(cents) },
  { title: 'Approved', kind: 'number', cell: ({ approved }) => approved.toLocaleString('en-GB') },
  { title: 'Paid', kind: 'number', cell: ({ paid }) => paid.toLocaleString('en-GB') },
];

/** Made when it is opened: a year has many rows, and most people look at the chart. */
function DayTable({ days }: { readonly days: readonly DayFigures[] }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={styles.table} onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary>The same as a table</summary>
      {isOpen && <Table caption="Figures of each day, in UTC" columns={columns} rows={days.toReversed()} keyOf={({ day }) => day} />}
    </details>
  );
}
