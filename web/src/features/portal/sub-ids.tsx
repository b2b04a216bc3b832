import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { formatDollars } from '../../ui/format.ts';
import { Filters, DateFilter } from '../../ui/filters.tsx';
import { EmptyState, Section } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { subIdsPath, type SubIds as Read } from './creator-api.ts';
import styles from './creator.module.css';

type SubId = Read['data'][number];

/** Results by sub-ID, so that creators can compare where they share their links. */
export function SubIdTable({ creator }: { readonly creator: string }) {
  const { from, to } = useSearch({ from: '/signed-in/creator/links' });
  const navigate = useNavigate({ from: '/creator/links' });
  const narrow = (days: { readonly from?: string | undefined; readonly to?: string | undefined }) =>
    void navigate({ search: (now) => ({ ...now, ...days }), resetScroll: false });
  const totals = useQuery({ ...apiQuery<Read>(subIdsPath(creator, { from, to })), placeholderData: keepPreviousData });
  const [first, last] = [from ?? totals.data?.from, to ?? totals.data?.to];
  const isNarrowed = from !== undefined || to !== undefined;
  return (
    <Section title="By sub-id" intro="What each word brought that you added as ?sub= to your links. Days are those of UTC." flush>
      <Filters onClear={isNarrowed ? () => narrow({ from: undefined, to: undefined }) : null}>
        <DateFilter isNeeded label="From" value={first} change={(day) => narrow({ from: day, to: last })} />
        <DateFilter isNeeded label="To" value={last} change={(day) => narrow({ from: first, to: day })} />
      </Filters>
      {totals.isPending && <LoadingSkeleton />}
      {totals.isError && (
        <div className={styles.padded}>
          <ErrorAlert error={totals.error} onRetry={() => void totals.refetch()} />
        </div>
      )}
      {totals.isSuccess && totals.data.data.length === 0 && (
        <EmptyState title="Nothing came on these days">
          Share a link with a word of your own at its end, such as ?sub=newsletter, and see here what it brings.
        </EmptyState>
      )}
      {totals.isSuccess && totals.data.data.length > 0 && (
        <Table caption="By sub-id" columns={columns} rows={totals.data.data} keyOf={({ sub_id: sub }) => sub ?? ''} />
      )}
      {totals.isSuccess && totals.data.next_cursor !== null && (
        <p className={styles.padded}>
          These are the {totals.data.data.length} sub-ids with the most clicks. Choose fewer days to see others.
        </p>
      )}
      {totals.isSuccess && !totals.data.is_complete && (
        <p className={styles.padded}>There was too much to count all of it: these are the newest. Ask for fewer days.</p>
      )}
    </Section>
  );
}

const columns: ReadonlyArray<Column<SubId>> = [
  { title: 'Sub-id', cell: ({ sub_id: sub }) => (sub === null ? 'none' : <span className="mono">{sub}</span>) },
  { title: 'Clicks', kind: 'number', cell: ({ clicks }) => clicks.toLocaleString('en-GB') },
  { title: 'Orders', kind: 'number', cell: ({ orders }) => orders.toLocaleString('en-GB') },
  { title: 'Earned, USD', kind: 'number', cell: ({ earned_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
];
