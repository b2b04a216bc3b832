import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { usePermission } from '../access/permissions.tsx';
import { DisputeCard } from './dispute-card.tsx';
import { disputesPath, disputeStates } from './disputes-api.ts';
import type { DisputesSearch } from '../stores/store-search-params.ts';
import styles from './disputes.module.css';

/** Each dispute loads its commission, so a page is short. */
const disputesPerPage = 20;

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
    fields: [{ type: 'select', name: 'state', label: 'State', options: disputeStates }],
    rowsPerPage: disputesPerPage,
  });
  return (
    <Page title="Disputes" intro="Creators may object to a rejection. Read why, look at the order again, and answer.">
      <Section title="Disputes" bare flush>
        <ListView list={list} empty={<EmptyDisputes store={store} state={search.state} />}>
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
    return (
      <EmptyState title="Nobody objects">
        When you reject a conversion, its creator reads your reason and may object to it, up to three times. Clear reasons spare you most of
        it.
      </EmptyState>
    );
  return (
    <EmptyState
      title={state === 'open' ? 'No dispute is open' : 'There is none'}
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/disputes" params={{ store }}>
          Show all disputes
        </ButtonLink>
      }
    >
      {state === 'open' ? 'All are answered.' : 'No dispute ended so.'}
    </EmptyState>
  );
}
