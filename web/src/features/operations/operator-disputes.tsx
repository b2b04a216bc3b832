import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Dispute } from '../../api/api-schema.ts';
import { disputeStates } from '../disputes/disputes-api.ts';
import { StatusChip, type StatusTexts } from '../../ui/chip.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { CreatorLink, StoreLink } from './entity-links.tsx';
import type { DisputesSearch } from '../stores/store-search-params.ts';
import styles from './operator.module.css';

/** The disputes of all stores. They are answered on the store's page, next to the order. */
export function OperatorDisputes() {
  const search = useSearch({ from: '/signed-in/operator/disputes' });
  const navigate = useNavigate({ from: '/operator/disputes' });
  const list = useList<'/disputes', Pick<DisputesSearch, 'state'>>({
    search,
    navigate,
    path: '/disputes',
    fields: [{ type: 'select', name: 'state', label: 'State', options: disputeStates }],
  });
  return (
    <Page title="Disputes" intro="Creators may object to a rejection. The store decides; where it does not, an operator can in its place.">
      <Section title="Disputes of all stores" bare flush>
        <ListView
          list={list}
          caption="Disputes of all stores"
          columns={columns}
          keyOf={({ id }) => id}
          empty={<EmptyDisputes state={search.state} />}
        />
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

const stateTexts: StatusTexts<Dispute['state']> = {
  open: ['Open', 'wait', 'The creator waits for an answer of the store.'],
  accepted: ['Accepted', 'good', 'The store agreed: the conversion was decided on anew.'],
  declined: ['Declined', 'neutral', 'The rejection stayed, and the creator read why.'],
};

function DisputeStatusChip({ state }: Pick<Dispute, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}
