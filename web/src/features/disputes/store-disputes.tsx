import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { usePermission } from '../access/permissions.tsx';
import { DisputeCard } from './dispute-card.tsx';
import { disputesPath, disputeStates } from './disputes-api.ts';
import type { DisputesSearch } from '../stores/store-search-params.ts';
import styles from './disputes.module.css';
import { t } from './messages.ts';

/** Each dispute loads its commission, so a page is short. */
const disputesPerPage = 20;

const sortFields = [
  { title: t.store_disputes.opened, sort: 'opened_at' },
  { title: t.store_disputes.answered, sort: 'decided_at' },
];

/** Disputes: creators who disagree with a rejection, and the store's answers. */
export function StoreDisputes() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/disputes' });
  const navigate = useNavigate({ from: '/stores/$store/disputes' });
  const mayDecide = usePermission(store)('commissions:review');
  const list = useList<'/stores/{store}/disputes', Pick<DisputesSearch, 'state'>>({
    search,
    navigate,
    path: disputesPath(store),
    defaultSort: '-opened_at',
    fields: [{ type: 'select', name: 'state', label: t.store_disputes.state, options: disputeStates }],
    rowsPerPage: disputesPerPage,
  });
  return (
    <Page title={t.store_disputes.disputes} intro={t.store_disputes.creators_can_dispute_a_rejection}>
      <Section title={t.store_disputes.disputes} bare flush>
        <ListView list={list} sortFields={sortFields} empty={<EmptyDisputes store={store} state={search.state} />}>
          {(disputes) => (
            <ul className={styles.list}>
              {disputes.map((dispute) => (
                <li key={dispute.id}>
                  <DisputeCard store={store} dispute={dispute} mayDecide={mayDecide} />
                </li>
              ))}
            </ul>
          )}
        </ListView>
      </Section>
    </Page>
  );
}

function EmptyDisputes({ store, state }: { readonly store: string; readonly state: string | undefined }) {
  if (state === undefined)
    return <EmptyState title={t.store_disputes.no_disputes}>{t.store_disputes.when_you_reject_a_conversion}</EmptyState>;
  return (
    <EmptyState
      title={state === 'open' ? t.store_disputes.no_open_disputes : t.store_disputes.no_matching_disputes}
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/disputes" params={{ store }}>
          {t.store_disputes.show_all_disputes}
        </ButtonLink>
      }
    >
      {state === 'open' ? t.store_disputes.every_dispute_has_a_response : t.store_disputes.no_dispute_ended_in_this}
    </EmptyState>
  );
}
