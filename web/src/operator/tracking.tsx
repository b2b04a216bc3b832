import { useQuery } from '@tanstack/react-query';
import { Chip } from '../parts/chip.tsx';
import { TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { listing } from '../parts/reading.ts';
import { PagedTable, Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { utcDay } from '../merchant/overview-days.ts';
import { TrackingChip } from '../merchant/store-chips.tsx';
import { doorReading, type DoorRefusals, type StoreTracking } from './operator-api.ts';
import styles from './operator.module.css';

/** How postbacks go in all stores. Each store's own log tells the rest. */
export function OperatorsTracking() {
  const door = useQuery(doorReading);
  return (
    <Page title="Tracking" intro="Postbacks of all stores. Open a store’s log to see each, with its answer and why.">
      <Section title="By store" flush>
        <PagedTable
          caption="Tracking by store"
          list={listing<StoreTracking>('/tracking')}
          keyOf={({ store_id: id }) => id}
          columns={columns}
          empty={<Empty title="No store yet">Each store has its line here.</Empty>}
        />
      </Section>
      <Section
        title="Turned away at the door"
        intro="Requests that proved no key of the store they named. They are counted by day and not kept, so that a stranger cannot fill the disk."
        flush
      >
        {door.isPending && <Waiting />}
        {door.isError && <ProblemNote problem={door.error} onRetry={() => void door.refetch()} />}
        {door.isSuccess && door.data.data.length === 0 && <Empty title="Nobody was turned away">In the last 14 days.</Empty>}
        {door.isSuccess && door.data.data.length > 0 && (
          <Table
            caption="Turned away, by day"
            columns={doorColumns}
            rows={door.data.data}
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
  { title: 'Tracking', cell: ({ tracking_on: isOn }) => <TrackingChip isOn={isOn} /> },
  { title: 'Last postback', cell: ({ last }) => (last === null ? 'none yet' : <Time at={last.at} />) },
  { title: 'Its answer', cell: ({ last }) => (last === null ? 'none yet' : <Answer last={last} />) },
  { title: 'Refused, 24 h', kind: 'number', cell: ({ refused }) => refused.toLocaleString('en-GB') },
];

const Answer = ({ last: { reason, accepted } }: { readonly last: NonNullable<StoreTracking['last']> }) => (
  <>
    {accepted ? (
      <Chip word="Accepted" tone="good" meaning="The report was taken." />
    ) : (
      <Chip word="Refused" tone="bad" meaning="The report was not taken; the store’s log says why." />
    )}
    <div className={`${styles.quiet} mono`}>{reason}</div>
  </>
);

const doorColumns: ReadonlyArray<Column<DoorRefusals['data'][number]>> = [
  { title: 'Day, UTC', cell: ({ day }) => <span className="number">{utcDay(day)}</span> },
  {
    title: 'Reason',
    cell: ({ reason, means }) => (
      <>
        <span className="mono">{reason}</span>
        <div className={styles.quiet}>{means}</div>
      </>
    ),
  },
  { title: 'Requests', kind: 'number', cell: ({ count }) => count.toLocaleString('en-GB') },
];
