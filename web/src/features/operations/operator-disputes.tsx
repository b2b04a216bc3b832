import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Dispute } from '../../../../sdk/src/api-schema.ts';
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
import { t } from './messages.ts';

/** The disputes of all stores. They are answered on the store's page, next to the order. */
export function OperatorDisputes() {
  const search = useSearch({ from: '/signed-in/operator/disputes' });
  const navigate = useNavigate({ from: '/operator/disputes' });
  const list = useList<'/disputes', Pick<DisputesSearch, 'state'>>({
    search,
    navigate,
    path: '/disputes',
    defaultSort: '-opened_at',
    fields: [{ type: 'select', name: 'state', label: t.operator_disputes.state, options: disputeStates }],
  });
  return (
    <Page title={t.operator_disputes.disputes} intro={t.operator_disputes.creators_can_dispute_a_rejection}>
      <Section title={t.operator_disputes.disputes_of_all_stores} bare flush>
        <ListView
          list={list}
          caption={t.operator_disputes.disputes_of_all_stores}
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
    <EmptyState title={t.operator_disputes.no_disputes}>{t.operator_disputes.when_a_store_rejects}</EmptyState>
  ) : (
    <EmptyState
      title={state === 'open' ? t.operator_disputes.no_open_disputes : t.operator_disputes.no_matching_disputes}
      action={
        <ButtonLink variant="default" size="xs" to="/operator/disputes">
          {t.operator_disputes.show_all_disputes}
        </ButtonLink>
      }
    >
      {state === 'open' ? t.operator_disputes.every_dispute_has_a_response : t.operator_disputes.no_dispute_ended_in_this}
    </EmptyState>
  );

const columns: ReadonlyArray<Column<Dispute>> = [
  { title: t.operator_disputes.opened, sort: 'opened_at', priority: true, cell: ({ opened_at: at }) => <Time at={at} /> },
  { title: t.operator_disputes.store, kind: 'name', priority: true, cell: ({ store_id: id }) => <StoreLink id={id} /> },
  { title: t.operator_disputes.creator, kind: 'name', cell: ({ creator_id: id }) => <CreatorLink id={id} /> },
  {
    title: t.operator_disputes.creators_message,
    priority: true,
    cell: ({ text, note }) => (
      <>
        <span className={styles.text}>{text}</span>
        {note !== null && note !== '' && <div className={styles.muted}>{t.operator_disputes.response({ note })}</div>}
      </>
    ),
  },
  { title: t.operator_disputes.state, priority: true, cell: ({ state }) => <DisputeStatusChip state={state} /> },
  {
    title: t.operator_disputes.respond,
    kind: 'actions',
    cell: ({ store_id: store, state }) => (
      <ButtonLink variant="subtle" size="xs" to="/stores/$store/disputes" params={{ store }} search={{ state }}>
        {t.operator_disputes.open_in_store}
      </ButtonLink>
    ),
  },
];

const stateTexts: StatusTexts<Dispute['state']> = {
  open: [t.operator_disputes.open, 'wait', t.operator_disputes.waiting_for_the_stores_response],
  accepted: [t.operator_disputes.accepted, 'good', t.operator_disputes.the_store_agreed_and_the],
  declined: [t.operator_disputes.declined, 'neutral', t.operator_disputes.the_rejection_was_upheld_and],
};

function DisputeStatusChip({ state }: Pick<Dispute, 'state'>) {
  return <StatusChip texts={stateTexts} state={state} />;
}
