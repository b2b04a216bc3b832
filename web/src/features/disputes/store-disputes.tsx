import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Filters, SelectFilter } from '../../ui/filters.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { usePermission } from '../access/permissions.tsx';
import { DisputeCard } from './dispute-card.tsx';
import { disputeList, disputeStates } from './disputes-api.ts';
import styles from './disputes.module.css';

/** Each dispute loads its commission, so a page is short. */
const disputesPerPage = 20;

/** Disputes: creators who disagree with a rejection, and the store's answers. */
export function StoreDisputes() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { state, cursor, back } = useSearch({ from: '/signed-in/stores/$store/disputes' });
  const navigate = useNavigate({ from: '/stores/$store/disputes' });
  const mayDecide = usePermission(store)('commissions:review');
  const path = disputeList(store, { state, cursor, limit: disputesPerPage });
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
  const disputes = page.data?.data ?? [];
  return (
    <Page title="Disputes" intro="Creators may object to a rejection. Read why, look at the order again, and answer.">
      <Section title="Disputes" bare flush>
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
        {page.isSuccess && disputes.length === 0 && <EmptyDisputes store={store} state={state} />}
        {disputes.length > 0 && (
          <ul className={styles.list}>
            {disputes.map((dispute) => (
              <li key={dispute.id}>
                <DisputeCard store={store} dispute={dispute} mayDecide={mayDecide} />
              </li>
            ))}
          </ul>
        )}
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
