import { Button } from '../../ui/button.tsx';
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
import { LogTable, logColumns } from './log-table.tsx';
import { postbackAdvice } from './postback-advice.ts';
import { logPath, logTotalsPath } from './tracking-api.ts';
import { operationOptions } from './operation-labels.ts';
import styles from './tracking-log.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

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
    defaultSort: '-at',
    fields: [
      { type: 'search', name: 'q', label: t.tracking_log.order_or_event_id_starts, lengthMax: searchLengthMax },
      { type: 'select', name: 'status', label: t.tracking_log.status, options: statuses },
      { type: 'select', name: 'reason', label: t.tracking_log.reason, options: reasonOptions },
      { type: 'select', name: 'operation', label: t.tracking_log.type, options: operationOptions },
      { type: 'days', from: { name: 'from', label: t.tracking_log.from }, to: { name: 'to', label: t.tracking_log.to } },
    ],
  });
  const showReason = (reason: string | undefined) => {
    setIsLive(false);
    list.setFilter({ reason });
  };
  return (
    <Page
      title={t.tracking_log.tracking_log}
      intro={t.tracking_log.every_authenticated_request_from}
      actions={
        <>
          <Button variant={isLive ? 'filled' : 'default'} size="xs" aria-pressed={isLive} onClick={() => setIsLive(!isLive)}>
            {isLive ? t.tracking_log.live_on : t.tracking_log.watch_live}
          </Button>
          <ExportCsvButton path={list.exportPath} name="tracking-log.csv" />
        </>
      }
    >
      <ReasonCountList store={store} chosen={search.reason} choose={showReason} />
      {isLive && (
        <Section title={t.tracking_log.live} flush>
          <LiveRequestTable store={store} show={show} />
        </Section>
      )}
      <Section title={t.tracking_log.requests} bare flush>
        <ListView
          list={list}
          caption={t.tracking_log.requests}
          columns={logColumns(list.rows, show)}
          keyOf={({ id }) => id}
          count={apiQuery(logTotalsPath(store, list.filter))}
          totals={<ListTotals query={apiQuery(logTotalsPath(store, list.filter))} label={t.tracking_log.requests_2} />}
          empty={<EmptyLog store={store} isFiltered={list.isFiltered} />}
        />
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
        {live.isConnected ? t.tracking_log.listening_for_requests_new_ones : t.tracking_log.connecting}
      </p>
      {live.lines.length > 0 && <LogTable lines={live.lines} show={show} />}
    </>
  );
}

function EmptyLog({ store, isFiltered }: { readonly store: string; readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title={t.tracking_log.no_matching_requests}
        action={
          <ButtonLink variant="default" size="xs" to="/stores/$store/tracking-log" params={{ store }}>
            {t.tracking_log.show_all_requests}
          </ButtonLink>
        }
      >
        {t.tracking_log.try_a_wider_filter_unauthenticated}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t.tracking_log.no_requests_yet}
      action={
        <ButtonLink to="/stores/$store/integration" params={{ store }}>
          {t.tracking_log.set_up_the_integration}
        </ButtonLink>
      }
    >
      {t.tracking_log.create_a_postback_key_and}
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
    <Section title={t.tracking_log.responses_in_the_last}>
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
                  {formats.number(count)}
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
