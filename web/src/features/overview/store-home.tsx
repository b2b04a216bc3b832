import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/links.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { LoadingSkeleton } from '../../ui/table.tsx';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import { overviewQuery, type Overview } from './overview-api.ts';
import { OverviewChart } from './overview-chart.tsx';
import { OverviewCreators } from './overview-creators.tsx';
import { OverviewStats, OverviewFunnel } from './overview-stats.tsx';
import { OverviewRange } from './overview-range.tsx';
import { FailedPostbacks, OverviewTracking } from './overview-tracking.tsx';
import { NeedsAttention } from './needs-attention.tsx';
import { SetupSteps } from './setup-steps.tsx';
import { storeQuery, type Store } from '../stores/stores-api.ts';
import styles from './overview.module.css';

/** A store's home page: setup steps, open decisions, the state of tracking, and the totals of a date range. */
export function StoreHome() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/' });
  const currentStore = useQuery(storeQuery(store));
  const overview = useQuery({ ...overviewQuery(store, search), placeholderData: keepPreviousData });
  if (currentStore.isPending) return <Page title="Store" children={<LoadingSkeleton />} />;
  if (currentStore.isError)
    return (
      <Page title="Store">
        <ErrorAlert error={currentStore.error} onRetry={() => void currentStore.refetch()} next={<MyStoresLink />} />
      </Page>
    );
  return (
    <Page title={currentStore.data.name} intro={currentStore.data.site_url}>
      <SetupSteps currentStore={currentStore.data} />
      {overview.isSuccess && <Summary currentStore={currentStore.data} overview={overview.data} />}
      <RangeBar search={search} shown={overview.data} />
      {overview.isPending && <Section title="Figures" bare children={<LoadingSkeleton lines={6} />} />}
      {overview.isError && <ErrorAlert error={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.isSuccess && <RangeTotals store={store} overview={overview.data} view={search.chart} />}
    </Page>
  );
}

const MyStoresLink = () => (
  <ButtonLink variant="default" size="xs" to="/stores">
    My stores
  </ButtonLink>
);

const Summary = ({ currentStore, overview }: { readonly currentStore: Store; readonly overview: Overview }) => (
  <>
    <div className={styles.pair}>
      <NeedsAttention store={currentStore.id} waiting={overview.waiting} />
      <OverviewTracking currentStore={currentStore} tracking={overview.tracking} />
    </div>
    <FailedPostbacks store={currentStore.id} refused={overview.tracking.refused} />
  </>
);

type RangeBarProps = { readonly search: OverviewSearch; readonly shown: Overview | undefined };

function RangeBar({ search, shown }: RangeBarProps) {
  const navigate = useNavigate({ from: '/stores/$store' });
  return (
    <OverviewRange
      search={search}
      shown={shown}
      narrow={(changed) => void navigate({ to: '.', search: (now) => ({ ...now, ...changed }), resetScroll: false })}
    />
  );
}

type RangeTotalsProps = { readonly store: string; readonly overview: Overview; readonly view: string | undefined };

function RangeTotals({ store, overview, view }: RangeTotalsProps) {
  const navigate = useNavigate({ from: '/stores/$store' });
  const choose = (chart: string | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, chart }), resetScroll: false, replace: true });
  return (
    <>
      <OverviewStats store={store} totals={overview.totals} />
      <OverviewChart overview={overview} view={view} choose={choose} />
      <div className={styles.pair}>
        <OverviewFunnel totals={overview.totals} />
        <OverviewCreators store={store} creators={overview.top_creators} />
      </div>
    </>
  );
}
