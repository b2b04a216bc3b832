import { lazy, Suspense, useMemo, useState } from 'react';
import type { CreatorResults as Results } from '../../../../sdk/src/api-schema.ts';
import { formats } from '../../messages/messages.ts';
import { DownloadRowsButton } from '../../ui/chart-export.tsx';
import { formatUsd } from '../../ui/format.ts';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { formatUtcDay } from '../../ui/time.tsx';
import { resultDays } from './creator-api.ts';
import styles from './creator-results.module.css';
import { t } from './messages.ts';

/** The chart library loads with the first chart. */
const LineChart = lazy(async () => ({ default: (await import('../../ui/line-chart.tsx')).LineChart }));

type Day = Results['days'][number];
type Range = Pick<Results, 'from' | 'to' | 'days'>;
type Series = { readonly title: string; readonly value: (day: Day) => number; readonly text: (value: number) => string };

const series: Readonly<Record<string, Series>> = {
  earnings: { title: t.results.earnings, value: (day) => Number(day.earned_cents), text: formatUsd },
  clicks: { title: t.results.clicks, value: ({ clicks }) => clicks, text: (count) => formats.number(count) },
  orders: { title: t.results.orders, value: ({ orders }) => orders, text: (count) => formats.number(count) },
};
const height = 220;
const msPerSecond = 1_000;

type ResultsChartProps = {
  readonly results: Range & { readonly compared: Range | null };
  readonly chart: string | undefined;
  readonly choose: (chart: string | undefined) => void;
};

/** One value for each day, and those of the compared period as a dashed line. */
export function ResultsChart({ results, chart = 'earnings', choose }: ResultsChartProps) {
  const days = useMemo(() => resultDays(results), [results]);
  const before = useMemo(
    () => (results.compared === null || results.compared.days.length === 0 ? [] : resultDays(results.compared)),
    [results],
  );
  const [hovered, setHovered] = useState<number | null>(null);
  const chosen = series[chart] ?? series['earnings'];
  const seconds = useMemo(() => days.map(({ day }) => Date.parse(day) / msPerSecond), [days]);
  const values = useMemo(() => (chosen === undefined ? [] : days.map(chosen.value)), [days, chosen]);
  const valuesBefore = useMemo(
    () => (chosen === undefined || before.length === 0 ? undefined : days.map((_day, index) => valueAt(before[index], chosen))),
    [days, before, chosen],
  );
  if (chosen === undefined) return null;
  const { title, text } = chosen;
  const sum = text(values.reduce((total, value) => total + value, 0));
  const day = hovered === null ? undefined : days[hovered];
  return (
    <>
      <div className={styles.bar}>
        <SegmentedControl
          label={t.results.chart_metric}
          options={Object.values(series).map((one) => one.title)}
          value={title}
          onChange={(label) => choose(Object.keys(series).find((key) => series[key]?.title === label && key !== 'earnings'))}
        />
        <DownloadRowsButton subject={t.results.performance} name={`results-${results.from}-${results.to}.csv`} rows={() => rowsOf(days)} />
      </div>
      <p className={styles.day} aria-hidden="true">
        {day === undefined ? sum : t.results.on_day({ day: formatUtcDay(day.day), value: text(chosen.value(day)) })}
      </p>
      <div role="img" aria-label={t.results.by_day({ title, sum })}>
        <Suspense fallback={<div style={{ height }} data-pending />}>
          <LineChart
            days={seconds}
            values={values}
            before={valuesBefore}
            height={height}
            label={chart === 'earnings' ? axisDollars : formats.number}
            onPoint={setHovered}
            group="results"
          />
        </Suspense>
      </div>
    </>
  );
}

const axisDollars = (cents: number): string => formats.number(Math.round(cents) / 100);
const valueAt = (day: Day | undefined, { value }: Series): number | null => (day === undefined ? null : value(day));

/** All days of the period, with the names of the API. */
const rowsOf = (days: readonly Day[]) => [
  ['day', 'clicks', 'orders', 'revenue_cents', 'earned_cents'],
  ...days.map((day) => [day.day, day.clicks, day.orders, day.revenue_cents, day.earned_cents]),
];
