import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { StoreOverview } from '../../../../sdk/src/api-schema.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { PeriodPicker } from '../../ui/period-picker.tsx';
import { SegmentedControl } from '../../ui/segmented-control.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { formatUtcDay } from '../../ui/time.tsx';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import { storeQuery } from '../stores/stores-api.ts';
import { Breakdown } from './breakdown.tsx';
import { Diagnostics } from './diagnostics.tsx';
import { MoneyMetrics } from './money-metrics.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { comparisonOf, overviewQuery } from './overview-api.ts';
import { OverviewChart } from './overview-chart.tsx';
import { OverviewFunnel } from './overview-funnel.tsx';
import styles from './overview.module.css';
import { SetupSteps } from './setup-steps.tsx';
import { t } from './messages.ts';

/** A store's home page: the metrics of a period first, then open decisions, the state of the integration, and the details. */
export function StoreHome() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/' });
  const currentStore = useQuery(storeQuery(store));
  const overview = useQuery({ ...overviewQuery(store, search), placeholderData: keepPreviousData });
  if (currentStore.isPending) return <Page title={t.store_home.store} children={<LoadingSkeleton />} />;
  if (currentStore.isError)
    return (
      <Page title={t.store_home.store}>
        <ErrorAlert error={currentStore.error} onRetry={() => void currentStore.refetch()} next={<MyStoresLink />} />
      </Page>
    );
  return (
    <Page title={currentStore.data.name} intro={currentStore.data.site_url}>
      <SetupSteps currentStore={currentStore.data} />
      <PeriodBar search={search} shown={overview.data} />
      {overview.isPending && <Section title={t.store_home.performance} bare children={<LoadingSkeleton lines={6} />} />}
      <ErrorAlert error={overview.error} onRetry={() => void overview.refetch()} />
      {overview.isSuccess && (
        <>
          <MoneyMetrics store={store} overview={overview.data} />
          <NeedsAttention store={store} waiting={overview.data.waiting} />
          <Diagnostics currentStore={currentStore.data} tracking={overview.data.tracking} />
          <RangeTotals store={store} overview={overview.data} search={search} />
        </>
      )}
    </Page>
  );
}

const MyStoresLink = () => (
  <ButtonLink variant="default" size="xs" to="/stores">
    {t.store_home.my_stores}
  </ButtonLink>
);

type PeriodBarProps = { readonly search: OverviewSearch; readonly shown: StoreOverview | undefined };

/** The period of all metrics below, and what they are compared with. */
function PeriodBar({ search, shown }: PeriodBarProps) {
  const navigate = useNavigate({ from: '/stores/$store' });
  const narrow = (changed: OverviewSearch) => void navigate({ to: '.', search: (now) => ({ ...now, ...changed }), resetScroll: false });
  const compared = shown?.compared;
  return (
    <div className={styles.period}>
      <PeriodPicker search={search} shown={shown} onChange={narrow} />
      <div className={styles.comparison}>
        <SegmentedControl
          label={t.store_home.compare_with}
          options={[t.store_home.previous_period, t.store_home.previous_year]}
          value={comparisonOf(search) === 'previous_year' ? t.store_home.previous_year : t.store_home.previous_period}
          onChange={(name) => narrow({ compare: name === t.store_home.previous_year ? 'year' : undefined })}
        />
        {compared && (
          <span className={styles.muted}>
            {t.store_home.compared_with({ from: formatUtcDay(compared.from), to: formatUtcDay(compared.to) })}
          </span>
        )}
      </div>
    </div>
  );
}

type RangeTotalsProps = { readonly store: string; readonly overview: StoreOverview; readonly search: OverviewSearch };

function RangeTotals({ store, overview, search }: RangeTotalsProps) {
  const navigate = useNavigate({ from: '/stores/$store' });
  const choose = (changed: OverviewSearch) =>
    void navigate({ to: '.', search: (now) => ({ ...now, ...changed }), resetScroll: false, replace: true });
  return (
    <>
      <OverviewChart overview={overview} search={search} choose={(chart) => choose({ chart })} />
      <Breakdown store={store} search={search} shown={overview} choose={(by) => choose({ by })} />
      <OverviewFunnel totals={overview.totals} />
    </>
  );
}
