import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import type { Page as PageOf } from '../api.ts';
import { OnceNeeded } from '../parts/once-needed.tsx';
import { Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { SaveCsv } from '../parts/save-buttons.tsx';
import { withoutPlace, type Position } from '../parts/search.ts';
import { Waiting } from '../parts/table.tsx';
import { useMay } from '../people/may.ts';
import { commissionList, type Commission } from './commissions-api.ts';
import { ConversionFilters } from './conversion-filters.tsx';
import { ConversionQueue } from './conversion-queue.tsx';
import { EmptyConversions } from './empty-conversions.tsx';
import styles from './conversions.module.css';
import type { ConversionFilter } from './list-search.ts';
import { ReviewDialog, type Asking } from './review-dialogs.tsx';
import { useReviewing } from './review-sending.tsx';

const ConversionDrawer = lazy(async () => ({ default: (await import('./conversion-drawer.tsx')).ConversionDrawer }));

const rowsPerPage = 50;

/** What came in, and the decision on it: the review queue and the archive in one list. */
export function Conversions() {
  const { store } = useParams({ from: '/inside/stores/$store' });
  const { cursor, back, open, ...filter } = useSearch({ from: '/inside/stores/$store/conversions' });
  const navigate = useNavigate({ from: '/stores/$store/conversions' });
  const mayReview = useMay(store)('commissions:review');
  const reviewing = useReviewing(store);
  const [asking, setAsking] = useState<Asking | null>(null);
  const path = commissionList(store, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...reading<PageOf<Commission>>(path), placeholderData: keepPreviousData });
  const position: Position = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };

  const narrow = (changed: Partial<Record<keyof ConversionFilter, string | undefined>>) =>
    void navigate({ search: (now) => ({ ...withoutPlace(now), ...changed }), replace: 'q' in changed });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  return (
    <Page
      title="Conversions"
      intro="Orders and invoices that came through a creator, each with what it earns and why."
      actions={<SaveCsv path={commissionList(store, filter, {})} name="conversions.csv" />}
    >
      <Section title="Conversions" bare flush>
        <ConversionFilters filter={filter} rows={page.data?.data ?? []} narrow={narrow} clear={() => void navigate({ search: {} })} />
        {page.isPending && <Waiting lines={6} />}
        {page.isError && <NotRead problem={page.error} retry={() => void page.refetch()} />}
        {page.isSuccess && page.data.data.length === 0 && <EmptyConversions store={store} filter={filter} isFirst={cursor === undefined} />}
        {page.isSuccess && page.data.data.length > 0 && (
          <ConversionQueue
            key={JSON.stringify([filter, cursor])}
            store={store}
            filter={filter}
            rows={page.data.data}
            hasMore={page.data.next_cursor !== null || cursor !== undefined}
            mayReview={mayReview}
            reviewing={reviewing}
            ask={setAsking}
            show={show}
            narrow={narrow}
          />
        )}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(place) => void navigate({ search: { ...filter, ...place } })} />
        )}
      </Section>
      <OnceNeeded isNeeded={open !== undefined}>
        {(mayOpen) => (
          <ConversionDrawer
            store={store}
            id={mayOpen ? open : undefined}
            mayReview={mayReview}
            reviewing={reviewing}
            ask={setAsking}
            close={() => show(undefined)}
          />
        )}
      </OnceNeeded>
      {mayReview && <ReviewDialog store={store} asking={asking} reviewing={reviewing} close={() => setAsking(null)} />}
    </Page>
  );
}

const NotRead = ({ problem, retry }: { readonly problem: Error; readonly retry: () => void }) => (
  <div className={styles.padded}>
    <ProblemNote problem={problem} onRetry={retry} />
  </div>
);
