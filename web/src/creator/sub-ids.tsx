import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { dollarsOf } from '../parts/amounts.ts';
import { Filters, DateFilter } from '../parts/filters.tsx';
import { Empty, Section } from '../parts/page.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { subIdsPath, type SubIds as Read } from './creator-api.ts';
import styles from './creator.module.css';

type SubId = Read['data'][number];

/** What each word brought that was added to a link: which place is worth one's time. */
export function SubIds({ creator }: { readonly creator: string }) {
  const { from, to } = useSearch({ from: '/inside/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const narrow = (days: { readonly from?: string | undefined; readonly to?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...days }), resetScroll: false });
  const found = useQuery({ ...reading<Read>(subIdsPath(creator, { from, to })), placeholderData: keepPreviousData });
  const [first, last] = [from ?? found.data?.from, to ?? found.data?.to];
  const isNarrowed = from !== undefined || to !== undefined;
  return (
    <Section title="By sub-id" intro="What each word brought that you added as ?sub= to your links. Days are those of UTC." flush>
      <Filters onClear={isNarrowed ? () => narrow({ from: undefined, to: undefined }) : null}>
        <DateFilter isNeeded label="From" value={first} change={(day) => narrow({ from: day, to: last })} />
        <DateFilter isNeeded label="To" value={last} change={(day) => narrow({ from: first, to: day })} />
      </Filters>
      {found.isPending && <Waiting />}
      {found.isError && (
        <div className={styles.padded}>
          <ProblemNote problem={found.error} onRetry={() => void found.refetch()} />
        </div>
      )}
      {found.isSuccess && found.data.data.length === 0 && (
        <Empty title="Nothing came on these days">
          Share a link with a word of your own at its end, such as ?sub=newsletter, and see here what it brings.
        </Empty>
      )}
      {found.isSuccess && found.data.data.length > 0 && (
        <Table caption="By sub-id" columns={columns} rows={found.data.data} keyOf={({ sub_id: sub }) => sub ?? ''} />
      )}
      {found.isSuccess && found.data.next_cursor !== null && (
        <p className={styles.padded}>
          These are the {found.data.data.length} sub-ids with the most clicks. Choose fewer days to see others.
        </p>
      )}
      {found.isSuccess && !found.data.is_complete && (
        <p className={styles.padded}>There was too much to count all of it: these are the newest. Ask for fewer days.</p>
      )}
    </Section>
  );
}

const columns: ReadonlyArray<Column<SubId>> = [
  { title: 'Sub-id', cell: ({ sub_id: sub }) => (sub === null ? 'none' : <span className="mono">{sub}</span>) },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
];
