import { useQuery } from '@tanstack/react-query';
import type { UnauthenticatedRequests, StoreTracking } from '../../api/api-schema.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Chip } from '../../ui/chip.tsx';
import { TextLink } from '../../ui/links.tsx';
import { ShortList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { formatUtcDay } from '../overview/overview-chart.tsx';
import { TrackingStatusChip } from '../stores/store-status-chips.tsx';
import { unauthenticatedRequestsQuery } from './operator-api.ts';
import styles from './operator.module.css';

/** Postbacks of all stores. Details are in each store's tracking log. */
export function OperatorTracking() {
  const unauthenticated = useQuery(unauthenticatedRequestsQuery);
  return (
    <Page title="Tracking" intro="Postbacks of all stores. Open a store’s log to see each, with its answer and why.">
      <Section title="By store" flush>
        <ShortList
          caption="Tracking by store"
          path={'/tracking'}
          keyOf={({ store_id: id }) => id}
          columns={columns}
          empty={<EmptyState title="No store yet">Each store has its line here.</EmptyState>}
        />
      </Section>
      <Section
        title="Turned away at the door"
        intro="Requests that proved no key of the store they named. They are counted by day and not kept, so that a stranger cannot fill the disk."
        flush
      >
        <QueryView query={unauthenticated} />
        {unauthenticated.isSuccess && unauthenticated.data.data.length === 0 && (
          <EmptyState title="Nobody was turned away">In the last 14 days.</EmptyState>
        )}
        {unauthenticated.isSuccess && unauthenticated.data.data.length > 0 && (
          <Table
            caption="Turned away, by day"
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
    title: 'Store',
    cell: ({ store_id: store, name }) => (
      <TextLink to="/stores/$store/tracking-log" params={{ store }} fw={600}>
        {name}
      </TextLink>
    ),
  },
  { title: 'Tracking', cell: ({ tracking_on: isOn }) => <TrackingStatusChip isOn={isOn} /> },
  { title: 'Last postback', cell: ({ last }) => (last === null ? 'none yet' : <Time at={last.at} />) },
  { title: 'Its answer', cell: ({ last }) => (last === null ? 'none yet' : <LastResponse last={last} />) },
  { title: 'Refused, 24 h', kind: 'number', cell: ({ refused }) => refused.toLocaleString('en-GB') },
];

const LastResponse = ({ last: { reason, accepted } }: { readonly last: NonNullable<StoreTracking['last']> }) => (
  <>
    {accepted ? (
      <Chip label="Accepted" tone="good" meaning="The report was taken." />
    ) : (
      <Chip label="Refused" tone="bad" meaning="The report was not taken; the store’s log says why." />
    )}
    <div className={`${styles.muted} mono`}>{reason}</div>
  </>
);

const unauthenticatedColumns: ReadonlyArray<Column<UnauthenticatedRequests['data'][number]>> = [
  { title: 'Day, UTC', cell: ({ day }) => <span className="number">{formatUtcDay(day)}</span> },
  {
    title: 'Reason',
    cell: ({ reason, means }) => (
      <>
        <span className="mono">{reason}</span>
        <div className={styles.muted}>{means}</div>
      </>
    ),
  },
  { title: 'Requests', kind: 'number', cell: ({ count }) => count.toLocaleString('en-GB') },
];
