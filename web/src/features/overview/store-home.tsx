import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import type { Store, StoreOverview } from '../../api/api-schema.ts';
import { DescriptionList } from '../../ui/description-list.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { formatDollars } from '../../ui/format.ts';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { Page, Section, EmptyState } from '../../ui/page.tsx';
import { LoadingSkeleton, Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import type { OverviewSearch } from '../stores/store-search-params.ts';
import { IntegrationStatusChip, StoreStatusChip, TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { storeQuery } from '../stores/stores-api.ts';
import { NeedsAttention } from './needs-attention.tsx';
import { overviewQuery, type TopCreator } from './overview-api.ts';
import { OverviewChart } from './overview-chart.tsx';
import { OverviewRange } from './overview-range.tsx';
import { OverviewStats, OverviewFunnel } from './overview-stats.tsx';
import styles from './overview.module.css';
import { SetupSteps } from './setup-steps.tsx';
import { t } from './messages.ts';

/** A store's home page: setup steps, open decisions, the state of tracking, and the totals of a date range. */
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
      {overview.isSuccess && <Summary currentStore={currentStore.data} overview={overview.data} />}
      <RangeBar search={search} shown={overview.data} />
      {overview.isPending && <Section title={t.store_home.performance} bare children={<LoadingSkeleton lines={6} />} />}
      <ErrorAlert error={overview.error} onRetry={() => void overview.refetch()} />
      {overview.isSuccess && <RangeTotals store={store} overview={overview.data} view={search.chart} />}
    </Page>
  );
}

const MyStoresLink = () => (
  <ButtonLink variant="default" size="xs" to="/stores">
    {t.store_home.my_stores}
  </ButtonLink>
);

const Summary = ({ currentStore, overview }: { readonly currentStore: Store; readonly overview: StoreOverview }) => (
  <>
    <div className={styles.columns}>
      <NeedsAttention store={currentStore.id} waiting={overview.waiting} />
      <OverviewTracking currentStore={currentStore} tracking={overview.tracking} />
    </div>
    <FailedPostbacks store={currentStore.id} refused={overview.tracking.refused} />
  </>
);

type RangeBarProps = { readonly search: OverviewSearch; readonly shown: StoreOverview | undefined };

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

type RangeTotalsProps = { readonly store: string; readonly overview: StoreOverview; readonly view: string | undefined };

function RangeTotals({ store, overview, view }: RangeTotalsProps) {
  const navigate = useNavigate({ from: '/stores/$store' });
  const choose = (chart: string | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, chart }), resetScroll: false, replace: true });
  return (
    <>
      <OverviewStats store={store} totals={overview.totals} />
      <OverviewChart overview={overview} view={view} choose={choose} />
      <div className={styles.columns}>
        <OverviewFunnel totals={overview.totals} />
        <OverviewCreators store={store} creators={overview.top_creators} />
      </div>
    </>
  );
}

/** The advice texts are long and most stores have no failed postbacks, so they load only when needed. */
const RefusedReasons = lazy(async () => ({ default: (await import('../tracking/failed-postback-reasons.tsx')).FailedPostbackReasons }));

type OverviewTrackingProps = { readonly currentStore: Store; readonly tracking: StoreOverview['tracking'] };

/** Whether tracking and the integration work. */
function OverviewTracking({ currentStore, tracking }: OverviewTrackingProps) {
  const params = { store: currentStore.id };
  return (
    <Section
      title={t.store_home.tracking}
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/integration" params={params}>
          {t.store_home.integration}
        </ButtonLink>
      }
    >
      <DescriptionList
        items={[
          [t.store_home.store, <StoreStatusChip key="s" status={tracking.status} />],
          [t.store_home.integration, <IntegrationStatusChip key="i" integration={currentStore.integration} />],
          [t.store_home.tracking, <TrackingStatusChip key="t" isOn={tracking.tracking_on} />],
          [
            t.store_home.last_request,
            tracking.last_postback_at === null ? t.store_home.none_yet : <Time key="l" at={tracking.last_postback_at} />,
          ],
          ...(tracking.refused.length === 0 ? [[t.store_home.failed, t.store_home.none_in_the_last] as const] : []),
        ]}
      />
    </Section>
  );
}

/** Failed postbacks by reason, with advice for each; hidden when there are none. */
function FailedPostbacks({ store, refused }: { readonly store: string; readonly refused: StoreOverview['tracking']['refused'] }) {
  if (refused.length === 0) return null;
  return (
    <Section title={t.store_home.failed_in_the_last}>
      <Suspense fallback={<LoadingSkeleton />}>
        <RefusedReasons store={store} refused={refused} />
      </Suspense>
    </Section>
  );
}

type OverviewCreatorsProps = { readonly store: string; readonly creators: readonly TopCreator[] };

/** The creators who earned the most, each with a link to their conversions. */
function OverviewCreators({ store, creators }: OverviewCreatorsProps) {
  return (
    <Section
      title={t.store_home.top_creators}
      flush
      actions={
        <ButtonLink variant="default" size="xs" to="/stores/$store/creators" params={{ store }}>
          {t.store_home.all_creators}
        </ButtonLink>
      }
    >
      {creators.length === 0 ? (
        <EmptyState title={t.store_home.no_creators_in_this_period}>{t.store_home.creators_appear_here_after_the}</EmptyState>
      ) : (
        <Table
          caption={t.store_home.creators_with_the_highest_commissi}
          columns={columnsOf(store)}
          rows={creators}
          keyOf={({ creator_id: id }) => id}
        />
      )}
    </Section>
  );
}

const columnsOf = (store: string): ReadonlyArray<Column<TopCreator>> => [
  {
    title: t.store_home.creator,
    cell: ({ creator_id: id, name }) => (
      <TextLink to="/stores/$store/conversions" params={{ store }} search={{ creator_id: id }}>
        {name}
      </TextLink>
    ),
  },
  { title: t.store_home.clicks, kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: t.store_home.orders, kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: t.store_home.revenue_usd, kind: 'number', cell: ({ revenue_cents: cents }) => formatDollars(cents) },
  { title: t.store_home.commissions_usd, kind: 'number', cell: ({ earned_cents: cents }) => formatDollars(cents) },
];
