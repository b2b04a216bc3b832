import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { Filters, SelectFilter } from '../parts/filters.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Waiting } from '../parts/table.tsx';
import { useMay } from '../people/may.ts';
import { DisputeCard } from './dispute-card.tsx';
import { disputeList, disputeStates, type Dispute } from './disputes-api.ts';
import styles from './disputes.module.css';

/** Each is read with the commission that it is about, so a page has few. */
const disputesPerPage = 20;

/** What creators object to: a rejection they see otherwise, in their own words, and the shop's answer. */
export function Disputes() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const { state, cursor, back } = useSearch({ from: '/inside/stores/$store/disputes' });
  const navigate = useNavigate({ from: '/stores/$store/disputes' });
  const mayDecide = useMay(store)('commissions:review');
  const path = disputeList(store, { state, cursor, limit: disputesPerPage });
  const page = useQuery({ ...reading<PageOf<Dispute>>(path), placeholderData: keepPreviousData });
  const disputes = page.data?.data ?? [];
  return (
    <Page title="Disputes" intro="Creators may object to a rejection. Read why, look at the order again, and answer.">
      <Section title="Disputes" bare flush>
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
        {page.isSuccess && disputes.length === 0 && <NoDispute store={store} state={state} />}
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
            go={(place) => void navigate({ search: { ...(state !== undefined && { state }), ...place } })}
          />
        )}
      </Section>
    </Page>
  );
}

function NoDispute({ store, state }: { readonly store: string; readonly state: string | undefined }) {
  if (state === undefined)
    return (
      <Empty title="Nobody objects">
        When you reject a conversion, its creator reads your reason and may object to it, up to three times. Clear reasons spare you most of
        it.
      </Empty>
    );
  return (
    <Empty
      title={state === 'open' ? 'No dispute is open' : 'There is none'}
      action={
        <ButtonLink variant="default" size="xs" to="/stores/$store/disputes" params={{ store }}>
          Show all disputes
        </ButtonLink>
      }
    >
      {state === 'open' ? 'All are answered.' : 'No dispute ended so.'}
    </Empty>
  );
}
