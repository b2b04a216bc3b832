import { Button } from '@mantine/core';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { apiPath } from '../../api/operations.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { DayFilter, DaysFilter, Filters, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { Page, Section, EmptyState } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { withoutPosition } from '../../ui/search-params.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { useLiveLog } from '../integration/live-log.ts';
import type { LogFilter } from '../stores/store-search-params.ts';
import { LogDrawer } from './log-drawer.tsx';
import { LogTable } from './log-table.tsx';
import { postbackAdvice } from './postback-advice.ts';
import { logListPath, logTotalsPath, operationOptions } from './tracking-api.ts';
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
    ...apiQuery(logListPath(store, filter, { limit: linesPerPage, ...(cursor !== undefined && { cursor }) })),
    placeholderData: keepPreviousData,
    enabled: !isLive,
  });
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
            <ListTotals query={apiQuery(logTotalsPath(store, filter))} one="request" more="requests" />
            {page.isPending && <LoadingSkeleton lines={6} />}
            {page.isError && (
              <div className={styles.padded}>
                <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
              </div>
            )}
            {page.isSuccess && page.data.data.length === 0 && <EmptyLog store={store} isFiltered={Object.keys(filter).length > 0} />}
            {page.isSuccess && page.data.data.length > 0 && <LogTable lines={page.data.data} show={show} />}
            {page.isSuccess && (
              <Pager
                position={{ cursor, back }}
                next={page.data.next_cursor}
                go={(target) => void navigate({ search: { ...filter, ...target } })}
              />
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

function EmptyLog({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title="Nothing matches"
        action={
          <ButtonLink variant="default" size="xs" to="/stores/$store/tracking-log" params={{ store }}>
            Show the whole log
          </ButtonLink>
        }
      >
        Widen the filter. A request that sent no key, or a wrong one, is not in this log: it proved nobody.
      </EmptyState>
    );
  return (
    <EmptyState
      title="Your server has sent nothing yet"
      action={
        <ButtonLink to="/stores/$store/integration" params={{ store }}>
          Set up the integration
        </ButtonLink>
      }
    >
      Make a postback key, report a test order with it, and it appears here. If your server says that it reports orders already, look
      whether it is answered with 401: a request without a right key is not in this log.
    </EmptyState>
  );
}

type ReasonCountListProps = {
  readonly store: string;
  readonly chosen: string | undefined;
  readonly choose: (reason: string | undefined) => void;
};

/** Counts of the last seven days by reason, so that repeated failures stand out. Clicking a reason filters the log. */
function ReasonCountList({ store, chosen, choose }: ReasonCountListProps) {
  const counts = useQuery(apiQuery(apiPath('/stores/{store}/tracking-log/reasons', { store })));
  if (counts.isError || counts.data?.data.length === 0) return null;
  return (
    <Section title="The last seven days, by answer">
      {counts.isPending ? (
        <LoadingSkeleton lines={2} />
      ) : (
        <ul className={styles.reasons}>
          {counts.data.data.map(({ reason, means, accepted, count, has_more: hasMore }) => (
            <li key={reason}>
              <button
                type="button"
                className={styles.reason}
                data-accepted={accepted || undefined}
                aria-pressed={chosen === reason}
                title={means}
                onClick={() => choose(chosen === reason ? undefined : reason)}
              >
                <span className={styles.count}>
                  {count.toLocaleString('en-GB')}
                  {hasMore && '+'}
                </span>
                {reason}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}
