import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { apiPath } from '../../api/operations.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ListTotals } from '../../ui/list-totals.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { useLiveLog } from '../integration/live-log.ts';
import type { LogFilter } from '../stores/store-search-params.ts';
import { LogDrawer } from './log-drawer.tsx';
import { LogTable } from './log-table.tsx';
import { postbackAdvice } from './postback-advice.ts';
import { logPath, logTotalsPath, operationOptions } from './tracking-api.ts';
import styles from './tracking-log.module.css';

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
  const search = useSearch({ from: '/signed-in/stores/$store/tracking-log' });
  const navigate = useNavigate({ from: '/stores/$store/tracking-log' });
  const [isLive, setIsLive] = useState(false);
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const list = useList<'/stores/{store}/tracking-log', LogFilter>({
    search,
    navigate,
    path: logPath(store),
    fields: [
      { type: 'search', name: 'q', label: 'Order or event begins with', lengthMax: searchLengthMax },
      { type: 'select', name: 'status', label: 'Status', options: statuses },
      { type: 'select', name: 'reason', label: 'Reason', options: reasonOptions },
      { type: 'select', name: 'operation', label: 'What', options: operationOptions },
      { type: 'days', from: { name: 'from', label: 'From' }, to: { name: 'to', label: 'To' } },
    ],
    isEnabled: !isLive,
  });
  const showReason = (reason: string | undefined) => {
    setIsLive(false);
    list.setFilter({ reason });
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
          <ExportCsvButton path={list.exportPath} name="tracking-log.csv" />
        </>
      }
    >
      <ReasonCountList store={store} chosen={search.reason} choose={showReason} />
      <Section title={isLive ? 'As it happens' : 'Requests'} bare flush>
        {isLive ? (
          <LiveRequestTable store={store} show={show} />
        ) : (
          <ListView
            list={list}
            totals={<ListTotals query={apiQuery(logTotalsPath(store, list.filter))} one="request" more="requests" />}
            empty={<EmptyLog store={store} isFiltered={list.isFiltered} />}
          >
            {(lines) => <LogTable lines={lines} show={show} />}
          </ListView>
        )}
      </Section>
      <LogDrawer store={store} id={search.open} close={() => show(undefined)} />
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
