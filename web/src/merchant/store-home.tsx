import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../parts/links.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { Waiting } from '../parts/table.tsx';
import type { OverviewSearch } from './list-search.ts';
import { overviewReading, type Overview } from './overview-api.ts';
import { OverviewChart } from './overview-chart.tsx';
import { OverviewCreators } from './overview-creators.tsx';
import { OverviewFigures, OverviewFunnel } from './overview-figures.tsx';
import { OverviewRange } from './overview-range.tsx';
import { OverviewRefused, OverviewTracking } from './overview-tracking.tsx';
import { OverviewWaiting } from './overview-waiting.tsx';
import { StoreSteps } from './store-steps.tsx';
import { storeReading, type Store } from './stores-api.ts';
import styles from './overview.module.css';

/** A store's first page: what is still to be done, what waits, how tracking is, and the figures of some days. */
export function StoreHome() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const search = useSearch({ from: '/inside/stores/$store/' });
  const shop = useQuery(storeReading(store));
  const overview = useQuery({ ...overviewReading(store, search), placeholderData: keepPreviousData });
  if (shop.isPending) return <Page title="Store" children={<Waiting />} />;
  if (shop.isError)
    return (
      <Page title="Store">
        <ProblemNote problem={shop.error} onRetry={() => void shop.refetch()} next={<WayToStores />} />
      </Page>
    );
  return (
    <Page title={shop.data.name} intro={shop.data.site_url}>
      <StoreSteps shop={shop.data} />
      {overview.isSuccess && <AtAGlance shop={shop.data} overview={overview.data} />}
      <RangeBar search={search} shown={overview.data} />
      {overview.isPending && <Section title="Figures" bare children={<Waiting lines={6} />} />}
      {overview.isError && <ProblemNote problem={overview.error} onRetry={() => void overview.refetch()} />}
      {overview.isSuccess && <Figures store={store} overview={overview.data} view={search.chart} />}
    </Page>
  );
}

const WayToStores = () => (
  <ButtonLink variant="default" size="xs" to="/stores">
    My stores
  </ButtonLink>
);

const AtAGlance = ({ shop, overview }: { readonly shop: Store; readonly overview: Overview }) => (
  <>
    <div className={styles.pair}>
      <OverviewWaiting store={shop.id} waiting={overview.waiting} />
      <OverviewTracking shop={shop} tracking={overview.tracking} />
    </div>
    <OverviewRefused store={shop.id} refused={overview.tracking.refused} />
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

type FiguresProps = { readonly store: string; readonly overview: Overview; readonly view: string | undefined };

function Figures({ store, overview, view }: FiguresProps) {
  const navigate = useNavigate({ from: '/stores/$store' });
  const choose = (chart: string | undefined) =>
    void navigate({ to: '.', search: (now) => ({ ...now, chart }), resetScroll: false, replace: true });
  return (
    <>
      <OverviewFigures store={store} totals={overview.totals} />
      <OverviewChart overview={overview} view={view} choose={choose} />
      <div className={styles.pair}>
        <OverviewFunnel totals={overview.totals} />
        <OverviewCreators store={store} creators={overview.top_creators} />
      </div>
    </>
  );
}
