import { lazy, Suspense, useMemo, useState } from 'react';
import type { CreatorProfile } from '../../../../sdk/src/api-schema.ts';
import { formatUsd } from '../../ui/format.ts';
import { formatUtcDay } from '../../ui/time.tsx';
import styles from './creators.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

/** The chart library loads with the first chart. */
const LineChart = lazy(async () => ({ default: (await import('../../ui/line-chart.tsx')).LineChart }));

type Day = Pick<CreatorProfile['days'][number], 'clicks' | 'orders' | 'earned_cents'> & { readonly day: string };

type Series = {
  readonly title: string;
  readonly value: (day: Day) => number;
  readonly text: (value: number) => string;
  readonly axisLabel: (value: number) => string;
};

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const centsPerDollar = 100;
const count = (title: string, value: Series['value']): Series => ({
  title,
  value,
  text: (total) => formats.number(total),
  axisLabel: (total) => compact.format(total),
});
const series: readonly Series[] = [
  count(t.creator_chart.clicks, ({ clicks }) => clicks),
  count(t.creator_chart.orders, ({ orders }) => orders),
  {
    title: t.creator_chart.earned,
    value: ({ earned_cents: cents }) => Number(cents),
    text: formatUsd,
    axisLabel: (cents) => compact.format(cents / centsPerDollar),
  },
];

const msPerSecond = 1_000;
const msPerDay = 86_400_000;
const height = 104;

/** Clicks, orders, and earnings by day, below each other. The list of days is the same for all. */
export function CreatorChart({ profile }: { readonly profile: CreatorProfile }) {
  const days = useMemo(() => fillDays(profile), [profile]);
  const [hoveredIndex, setHoveredIndex] = useState<number | null>(null);
  const hovered = hoveredIndex === null ? undefined : days[hoveredIndex];
  if (profile.days.length === 0) return <p className={styles.muted}>{t.creator_chart.no_clicks_or_orders_in}</p>;
  return (
    <div className={styles.charts}>
      <p className={styles.muted} aria-hidden="true">
        {hovered === undefined
          ? t.creator_chart.to_days_in_utc({ from: formatUtcDay(profile.from), to: formatUtcDay(profile.to) })
          : formatUtcDay(hovered.day)}
      </p>
      {series.map((shown) => (
        <Chart key={shown.title} series={shown} days={days} hovered={hovered} onPoint={setHoveredIndex} />
      ))}
    </div>
  );
}

type ChartProps = {
  readonly series: Series;
  readonly days: readonly Day[];
  readonly hovered: Day | undefined;
  readonly onPoint: (index: number | null) => void;
};

function Chart({ series: { title, value, text, axisLabel }, days, hovered, onPoint }: ChartProps) {
  const seconds = useMemo(() => days.map(({ day }) => Date.parse(day) / msPerSecond), [days]);
  const values = useMemo(() => days.map(value), [days, value]);
  const sum = values.reduce((total, one) => total + one, 0);
  return (
    <div>
      <p className={styles.chartHead}>
        <span>{title}</span>
        <strong>{text(hovered === undefined ? sum : value(hovered))}</strong>
      </p>
      <div role="img" aria-label={t.creator_chart.by_day_in_total({ title, sum: text(sum) })}>
        <Suspense fallback={<div style={{ height }} data-pending />}>
          <LineChart days={seconds} values={values} height={height} label={axisLabel} onPoint={onPoint} group="creator" />
        </Suspense>
      </div>
    </div>
  );
}

/** The service returns only days with clicks or orders; a chart has every day. */
function fillDays({ from, to, days }: CreatorProfile): readonly Day[] {
  const known = new Map(days.map((day) => [day.day, day]));
  const length = (Date.parse(to) - Date.parse(from)) / msPerDay + 1;
  return Array.from({ length }, (_, index) => {
    const day = new Date(Date.parse(from) + index * msPerDay).toISOString().slice(0, 10);
    return known.get(day) ?? { day, clicks: 0, orders: 0, earned_cents: 0 };
  });
}
