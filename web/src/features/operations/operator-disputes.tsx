import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { apiPath } from '../../api/operations.ts';
import type { Dispute } from '../../api/api-schema.ts';
import { disputeStates } from '../disputes/disputes-api.ts';
import { Chip } from '../../ui/chip.tsx';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreatorLink, StoreLink } from './entity-links.tsx';
import styles from './operator.module.css';

const disputesPerPage = 20;

/** The disputes of all stores. They are answered on the store's page, next to the order. */
export function OperatorDisputes() {
  const { state, cursor, back } = useSearch({ from: '/signed-in/operator/disputes' });
  const navigate = useNavigate({ from: '/operator/disputes' });
  const path = apiPath('/disputes', {}, { state, cursor, limit: disputesPerPage });
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
  const disputes = page.data?.data ?? [];
  return (
    <Page title="Disputes" intro="Creators may object to a rejection. The store decides; where it does not, an operator can in its place.">
      <Section title="Disputes of all stores" bare flush>
        <Filters onClear={state === undefined ? null : () => void navigate({ search: {} })}>
          <SelectFilter
            label="State"
            value={state}
            options={disputeStates}
            change={(value) => void navigate({ search: { state: value } })}
          />
        </Filters>
        {page.isPending && <LoadingSkeleton lines={4} />}
        {page.isError && (
          <div className={styles.padded}>
            <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && disputes.length === 0 && <EmptyDisputes state={state} />}
        {disputes.length > 0 && <Table caption="Disputes of all stores" columns={columns} rows={disputes} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager
            position={{ cursor, back }}
            next={page.data.next_cursor}
            go={(target) => void navigate({ search: { ...(state !== undefined && { state }), ...target } })}
          />
        )}
      </Section>
    </Page>
  );
}

const EmptyDisputes = ({ state }: { readonly state: string | undefined }) =>
  state === undefined ? (
    <EmptyState title="Nobody objects">
      When a store rejects a sale, its creator reads the reason and may object to it, up to three times.
    </EmptyState>
  ) : (
    <EmptyState
      title={state === 'open' ? 'No dispute is open' : 'There is none'}
      action={
        <ButtonLink variant="default" size="xs" to="/operator/disputes">
          Show all disputes
        </ButtonLink>
      }
    >
      {state === 'open' ? 'All are answered.' : 'No dispute ended so.'}
    </EmptyState>
  );

const columns: ReadonlyArray<Column<Dispute>> = [
  { title: 'Objected', cell: ({ opened_at: at }) => <Time at={at} /> },
  { title: 'Store', kind: 'name', cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  {
    title: 'In their words',
    cell: ({ text, note }) => (
      <>
        <span className={styles.text}>{text}</span>
        {note !== null && note !== '' && <div className={styles.muted}>Answered: “{note}”</div>}
      </>
    ),
  },
  { title: 'State', cell: ({ state }) => <DisputeStatusChip state={state} /> },
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

function DisputeStatusChip({ state }: Pick<Dispute, 'state'>) {
  switch (state) {
    case 'open':
      return <Chip label="Open" tone="wait" meaning="The creator waits for an answer of the store." />;
    case 'accepted':
      return <Chip label="Accepted" tone="good" meaning="The store agreed: the conversion was decided on anew." />;
    case 'declined':
      return <Chip label="Declined" tone="neutral" meaning="The rejection stayed, and the creator read why." />;
  }
}
