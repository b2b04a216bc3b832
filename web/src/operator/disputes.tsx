import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { disputeStates } from '../merchant/disputes-api.ts';
import { Chip } from '../parts/chip.tsx';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { queryOf } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { CreatorLink, StoreLink } from './named.tsx';
import type { OperatorsDispute } from './operator-api.ts';
import styles from './operator.module.css';

const disputesPerPage = 20;

/** What creators object to in all stores. It is answered where the store answers it, beside the order that it is about. */
export function OperatorsDisputes() {
  const { state, cursor, back } = useSearch({ from: '/inside/operator/disputes' });
  const navigate = useNavigate({ from: '/operator/disputes' });
  const path = `/disputes${queryOf({ state, cursor, limit: disputesPerPage })}`;
  const page = useQuery({ ...reading<PageOf<OperatorsDispute>>(path), placeholderData: keepPreviousData });
  const disputes = page.data?.data ?? [];
  return (
    <Page title="Disputes" intro="Creators may object to a rejection. The store decides; where it does not, an operator can in its place.">
      <Section title="Disputes of all stores" bare flush>
        <Filters onClear={state === undefined ? null : () => void navigate({ search: {} })}>
          <SelectFilter
            label="State"
            value={state}
            options={disputeStates}
            change={(asked) => void navigate({ search: { state: asked } })}
          />
        </Filters>
        {page.isPending && <Waiting lines={4} />}
        {page.isError && (
          <div className={styles.padded}>
            <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && disputes.length === 0 && <NoDispute state={state} />}
        {disputes.length > 0 && <Table caption="Disputes of all stores" columns={columns} rows={disputes} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager
            position={{ cursor, back }}
            next={page.data.next_cursor}
            go={(place) => void navigate({ search: { ...(state !== undefined && { state }), ...place } })}
          />
        )}
      </Section>
    </Page>
  );
}

const NoDispute = ({ state }: { readonly state: string | undefined }) =>
  state === undefined ? (
    <Empty title="Nobody objects">When a store rejects a sale, its creator reads the reason and may object to it, up to three times.</Empty>
  ) : (
    <Empty
      title={state === 'open' ? 'No dispute is open' : 'There is none'}
      action={
        <ButtonLink variant="default" size="xs" to="/operator/disputes">
          Show all disputes
        </ButtonLink>
      }
    >
      {state === 'open' ? 'All are answered.' : 'No dispute ended so.'}
    </Empty>
  );

const columns: ReadonlyArray<Column<OperatorsDispute>> = [
  { title: 'Objected', cell: ({ opened_at: at }) => <Time at={at} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  {
    title: 'In their words',
    cell: ({ text, note }) => (
      <>
        <span className={styles.words}>{text}</span>
        {note !== null && note !== '' && <div className={styles.quiet}>Answered: “{note}”</div>}
      </>
    ),
  },
  { title: 'State', cell: ({ state }) => <DisputeChip state={state} /> },
  {
    title: 'Answer',
    kind: 'actions',
    cell: ({ store_id: store, state }) => (
      <ButtonLink variant="subtle" size="xs" to="/stores/$store/disputes" params={{ store }} search={{ state }}>
        At the store
      </ButtonLink>
    ),
  },
];

function DisputeChip({ state }: Pick<OperatorsDispute, 'state'>) {
  switch (state) {
    case 'open':
      return <Chip word="Open" tone="wait" meaning="The creator waits for an answer of the store." />;
    case 'accepted':
      return <Chip word="Accepted" tone="good" meaning="The store agreed: the conversion was decided on anew." />;
    case 'declined':
      return <Chip word="Declined" tone="calm" meaning="The rejection stayed, and the creator read why." />;
  }
}
