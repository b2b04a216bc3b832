import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import type { Page as PageOf } from '../../api/client.ts';
import { DayFilter, DaysFilter, Filters, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { withoutPosition, type PagePosition } from '../../ui/search-params.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { EmptyLog } from './empty-log.tsx';
import { LogDrawer } from './log-drawer.tsx';
import { LogTable } from './log-table.tsx';
import type { LogFilter } from '../stores/store-search-params.ts';
import { postbackAdvice } from './postback-advice.ts';
import { ReasonCountList } from './reason-counts.tsx';
import { logListPath, logTotalsPath, operationOptions, type LogLine } from './tracking-api.ts';
import { useLiveLog } from '../integration/live-log.ts';
import styles from './tracking-log.module.css';

const linesPerPage = 50;
const searchLengthMax = 200;
const statuses = ['200', '400', '401', '403', '404', '409', '410', '413', '422', '431', '500', '503'].map(
  (status) => [status, status] as const,
);
const reasonOptions = Object.keys(postbackAdvice)
  .toSorted()
  .map((reason) => [reason, reason] as const);

/** Every authenticated request of the store's server with its answer, including failed ones. */
export function TrackingLog() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { cursor, back, open, ...filter } = useSearch({ from: '/signed-in/stores/$store/tracking-log' });
  const navigate = useNavigate({ from: '/stores/$store/tracking-log' });
  const [isLive, setIsLive] = useState(false);
  const page = useQuery({
    ...apiQuery<PageOf<LogLine>>(logListPath(store, filter, { limit: linesPerPage, ...(cursor !== undefined && { cursor }) })),
    placeholderData: keepPreviousData,
    enabled: !isLive,
  });
  const position: PagePosition = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow = (changed: Partial<Record<keyof LogFilter, string | undefined>>) =>
    void navigate({ search: (now) => ({ ...withoutPosition(now), ...changed }), replace: 'q' in changed });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const showReason = (reason: string | undefined) => {
    setIsLive(false);
    narrow({ reason });
  };
  return (
    <Page
      title="Tracking log"
      intro="Every request that your server proved with its key, accepted or refused, with the answer and what to do about it."
      actions={
        <>
          <Button variant={isLive ? 'filled' : 'default'} size="xs" aria-pressed={isLive} onClick={() => setIsLive(!isLive)}>
            {isLive ? 'Live: on' : 'Watch live'}
          </Button>
          <ExportCsvButton path={logListPath(store, filter, {})} name="tracking-log.csv" />
        </>
      }
    >
      <ReasonCountList store={store} chosen={filter.reason} choose={showReason} />
      <Section title={isLive ? 'As it happens' : 'Requests'} bare flush>
        {isLive ? (
          <LiveRequestTable store={store} show={show} />
        ) : (
          <>
            <LogFilters filter={filter} narrow={narrow} clear={() => void navigate({ search: {} })} />
            <ListTotals path={logTotalsPath(store, filter)} one="request" more="requests" />
            {page.isPending && <LoadingSkeleton lines={6} />}
            {page.isError && (
              <div className={styles.padded}>
                <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
              </div>
            )}
            {page.isSuccess && page.data.data.length === 0 && <EmptyLog store={store} isFiltered={Object.keys(filter).length > 0} />}
            {page.isSuccess && page.data.data.length > 0 && <LogTable lines={page.data.data} show={show} />}
            {page.isSuccess && (
              <Pager position={position} next={page.data.next_cursor} go={(place) => void navigate({ search: { ...filter, ...place } })} />
            )}
          </>
        )}
      </Section>
      <LogDrawer store={store} id={open} close={() => show(undefined)} />
    </Page>
  );
}

type LiveProps = { readonly store: string; readonly show: (id: string) => void };

/** Connected while it is shown. */
function LiveRequestTable({ store, show }: LiveProps) {
  const live = useLiveLog(store);
  return (
    <>
      <p className={styles.live} role="status" data-connected={live.isConnected || undefined}>
        {live.isConnected ? 'Listening. What your server sends appears here within a second or two.' : 'Connecting…'}
      </p>
      {live.lines.length > 0 && <LogTable lines={live.lines} show={show} />}
    </>
  );
}

type LogFiltersProps = {
  readonly filter: LogFilter;
  readonly narrow: (changed: Partial<Record<keyof LogFilter, string | undefined>>) => void;
  readonly clear: () => void;
};

function LogFilters({ filter, narrow, clear }: LogFiltersProps) {
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Order or event begins with"
        value={filter.q ?? ''}
        lengthMax={searchLengthMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="Status" value={filter.status} options={statuses} change={(status) => narrow({ status })} />
      <SelectFilter label="Reason" value={filter.reason} options={reasonOptions} change={(reason) => narrow({ reason })} />
      <SelectFilter label="What" value={filter.operation} options={operationOptions} change={(operation) => narrow({ operation })} />
      <DaysFilter>
        <DayFilter label="From" value={filter.from} change={(from) => narrow({ from })} />
        <DayFilter label="To" value={filter.to} isEnd change={(to) => narrow({ to })} />
      </DaysFilter>
    </Filters>
  );
}
