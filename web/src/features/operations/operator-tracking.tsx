import { useQuery } from '@tanstack/react-query';
import type { UnauthenticatedRequests, StoreTracking } from '../../../../sdk/src/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { formatUtcDay, Time } from '../../ui/time.tsx';
import { TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { unauthenticatedRequestsQuery } from './operator-api.ts';
import styles from './operator.module.css';
import { formats } from '../../messages/messages.ts';
import { t } from './messages.ts';

/** Postbacks of all stores. Details are in each store's tracking log. */
export function OperatorTracking() {
  const unauthenticated = useQuery(unauthenticatedRequestsQuery);
  return (
    <Page title={t.operator_tracking.tracking} intro={t.operator_tracking.postbacks_of_all_stores_open}>
      <Section title={t.operator_tracking.by_store} flush>
        <ShortList
          caption={t.operator_tracking.tracking_by_store}
          path={'/tracking'}
          keyOf={({ store_id: id }) => id}
          columns={columns}
          empty={<EmptyState title={t.operator_tracking.no_stores_yet}>{t.operator_tracking.each_store_is_listed_here}</EmptyState>}
        />
      </Section>
      <Section title={t.operator_tracking.unauthenticated_requests} intro={t.operator_tracking.requests_without_a_valid_key} flush>
        <QueryView query={unauthenticated} />
        {unauthenticated.isSuccess && unauthenticated.data.data.length === 0 && (
          <EmptyState title={t.operator_tracking.no_unauthenticated_requests}>{t.operator_tracking.none_in_the_last_14}</EmptyState>
        )}
        {unauthenticated.isSuccess && unauthenticated.data.data.length > 0 && (
          <Table
            caption={t.operator_tracking.unauthenticated_requests_by_day}
            columns={unauthenticatedColumns}
            rows={unauthenticated.data.data}
            keyOf={({ day, reason }) => `${day} ${reason}`}
          />
        )}
      </Section>
    </Page>
  );
}

const columns: ReadonlyArray<Column<StoreTracking>> = [
  {
    title: t.operator_tracking.store,
    cell: ({ store_id: store, name }) => (
      <TextLink to="/stores/$store/tracking-log" params={{ store }} className="strong">
        {name}
      </TextLink>
    ),
  },
  { title: t.operator_tracking.tracking, cell: ({ tracking_on: isOn }) => <TrackingStatusChip isOn={isOn} /> },
  { title: t.operator_tracking.last_postback, cell: ({ last }) => (last === null ? t.operator_tracking.none_yet : <Time at={last.at} />) },
  {
    title: t.operator_tracking.response,
    cell: ({ last }) => (last === null ? t.operator_tracking.none_yet : <LastResponse last={last} />),
  },
  { title: t.operator_tracking.failed_24, kind: 'number', cell: ({ refused }) => formats.number(refused) },
];

const LastResponse = ({ last: { reason, accepted } }: { readonly last: NonNullable<StoreTracking['last']> }) => (
  <>
    {accepted ? (
      <Chip label={t.operator_tracking.accepted} tone="good" meaning={t.operator_tracking.the_postback_was_accepted} />
    ) : (
      <Chip label={t.operator_tracking.failed} tone="bad" meaning={t.operator_tracking.the_postback_failed_the_stores} />
    )}
    <div className={`${styles.muted} mono`}>{reason}</div>
  </>
);

const unauthenticatedColumns: ReadonlyArray<Column<UnauthenticatedRequests['data'][number]>> = [
  { title: t.operator_tracking.day_utc, cell: ({ day }) => <span className="number">{formatUtcDay(day)}</span> },
  {
    title: t.operator_tracking.reason,
    cell: ({ reason, means }) => (
      <>
        <span className="mono">{reason}</span>
        <div className={styles.muted}>{means}</div>
      </>
    ),
  },
  { title: t.operator_tracking.requests, kind: 'number', cell: ({ count }) => formats.number(count) },
];
