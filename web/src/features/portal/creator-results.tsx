import { Button } from '../../ui/button.tsx';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { CreatorResults as Results } from '../../../../sdk/src/api-schema.ts';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { Comparison, type ComparisonKind } from '../../ui/comparison.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatDollars, formatPercent } from '../../ui/format.ts';
import { TextLink } from '../../ui/links.tsx';
import { Metric } from '../../ui/metric.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { PeriodPicker } from '../../ui/period-picker.tsx';
import { Stats } from '../../ui/stats.tsx';
import { LoadingSkeleton, Table, type Column } from '../../ui/table.tsx';
import { formatUtcDay } from '../../ui/time.tsx';
import { formats } from '../../messages/messages.ts';
import { conversionRate } from '../overview/range-metrics.ts';
import { resultDays, resultsQuery } from './creator-api.ts';
import { CreatorProducts } from './creator-products.tsx';
import { ResultsChart } from './creator-results-chart.tsx';
import type { CreatorHomeSearch } from './creator-search.ts';
import styles from './creator-results.module.css';
import { t } from './messages.ts';

type DayResults = Results['days'][number];

/** What a creator earned in a period, compared with an earlier one, and the programs and links that it came from. */
export function CreatorResults({ creator }: { readonly creator: string }) {
  const search = useSearch({ from: '/signed-in/creator/' });
  const navigate = useNavigate({ from: '/creator' });
  const results = useQuery({ ...resultsQuery(creator, search), placeholderData: keepPreviousData });
  const narrow = (changed: CreatorHomeSearch) => void navigate({ to: '.', search: (now) => ({ ...now, ...changed }), resetScroll: false });
  return (
    <Section
      title={search.link === undefined ? t.results.performance : t.results.performance_of_link({ code: search.link })}
      actions={
        search.link !== undefined && (
          <Button variant="default" size="xs" onClick={() => narrow({ link: undefined })}>
            {t.results.show_all_links}
          </Button>
        )
      }
    >
      <PeriodPicker search={search} shown={results.data} onChange={narrow} />
      {results.isPending && <LoadingSkeleton lines={6} />}
      <ErrorAlert error={results.error} onRetry={() => void results.refetch()} />
      {results.isSuccess && <ShownResults creator={creator} results={results.data} search={search} narrow={narrow} />}
    </Section>
  );
}

type ShownResultsProps = {
  readonly creator: string;
  readonly results: Results;
  readonly search: CreatorHomeSearch;
  readonly narrow: (changed: CreatorHomeSearch) => void;
};

const ShownResults = ({ creator, results, search, narrow }: ShownResultsProps) => (
  <>
    {results.compared !== null && (
      <p className={styles.compared}>
        {t.results.compared_with({ from: formatUtcDay(results.compared.from), to: formatUtcDay(results.compared.to) })}
      </p>
    )}
    <ResultMetrics results={results} />
    {results.days.length === 0 ? (
      <EmptyState title={t.results.no_activity}>{t.results.no_activity_hint}</EmptyState>
    ) : (
      <>
        <ResultsChart results={results} chart={search.chart} choose={(chart) => narrow({ chart })} />
        {results.programs.length > 1 && (
          <>
            <h3 className={styles.title}>{t.results.by_program}</h3>
            <Table caption={t.results.by_program} columns={programColumns} rows={results.programs} keyOf={(row) => row.program_id} />
          </>
        )}
        {search.link === undefined && (
          <>
            <h3 className={styles.title}>{t.results.by_link}</h3>
            <Table caption={t.results.by_link} columns={linkColumns} rows={results.links} keyOf={({ code }) => code} />
          </>
        )}
        <CreatorProducts creator={creator} search={search} />
      </>
    )}
  </>
);

function ResultMetrics({ results }: { readonly results: Results }) {
  const { totals, compared } = results;
  const days = resultDays(results);
  const before = compared?.totals;
  const compare = (kind: ComparisonKind, now: Cents | null, earlier: Cents | null | undefined) => (
    <Comparison kind={kind} now={now} before={earlier ?? null} isComplete={compared?.is_complete ?? false} />
  );
  const conversion = conversionRate(totals);
  return (
    <Stats label={t.results.key_metrics}>
      <Metric
        name={t.results.earnings}
        value={
          <>
            {formatDollars(totals.earned_cents)} <small>USD</small>
          </>
        }
        comparison={compare('money', totals.earned_cents, before?.earned_cents)}
        detail={t.results.without_rejected}
        values={days.map((day) => Number(day.earned_cents))}
      />
      <Metric
        name={t.results.clicks}
        value={formats.number(totals.clicks)}
        comparison={compare('count', totals.clicks, before?.clicks)}
        values={days.map(({ clicks }) => clicks)}
      />
      {(totals.leads > 0 || (before?.leads ?? 0) > 0) && (
        <Metric
          name={t.results.leads}
          value={formats.number(totals.leads)}
          comparison={compare('count', totals.leads, before?.leads)}
          values={days.map(({ leads }) => leads)}
        />
      )}
      <Metric
        name={t.results.orders}
        value={formats.number(totals.orders)}
        comparison={compare('count', totals.orders, before?.orders)}
        detail={t.results.with_subscriptions}
        values={days.map(({ orders }) => orders)}
      />
      <Metric
        name={t.results.conversion_rate}
        value={conversion === null ? t.results.no_clicks : formatPercent(conversion)}
        comparison={compare('rate', conversion, before && conversionRate(before))}
        detail={t.results.orders_per_click}
        values={days.map((day) => conversionRate(day) ?? 0)}
      />
    </Stats>
  );
}

type Sales = Pick<DayResults, 'clicks' | 'orders' | 'earned_cents'>;
const salesColumns: ReadonlyArray<Column<Sales>> = [
  { title: t.results.clicks, kind: 'number', cell: ({ clicks }) => formats.number(clicks), priority: true },
  { title: t.results.orders, kind: 'number', cell: ({ orders }) => formats.number(orders) },
  { title: t.results.earnings_usd, kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents), priority: true },
];
const programColumns: ReadonlyArray<Column<Results['programs'][number]>> = [
  {
    title: t.results.program,
    cell: ({ program_id: id, program_name: name }) => <TextLink to="/programs/$program" params={{ program: id }} children={name} />,
    priority: true,
  },
  { title: t.results.store, cell: ({ store_name: name }) => name },
  ...salesColumns,
];
const linkColumns: ReadonlyArray<Column<Results['links'][number]>> = [
  {
    title: t.results.link,
    cell: ({ code }) => <TextLink to="/creator" search={(now: CreatorHomeSearch) => ({ ...now, link: code })} children={code} />,
    priority: true,
  },
  { title: t.results.program, cell: ({ program_name: name }) => name },
  ...salesColumns,
];
