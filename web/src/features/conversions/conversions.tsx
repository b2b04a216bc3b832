import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import type { Page as PageOf } from '../../api/client.ts';
import { LazyMount } from '../../ui/lazy-mount.tsx';
import { Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { withoutPosition, type PagePosition } from '../../ui/search-params.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { usePermission } from '../access/use-permission.ts';
import { commissionList, type Commission } from './commissions-api.ts';
import { ConversionFilters } from './conversion-filters.tsx';
import { ReviewQueue } from './review-queue.tsx';
import { EmptyConversions } from './empty-conversions.tsx';
import styles from './conversions.module.css';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { ReviewDialog, type ReviewDialogRequest } from './review-dialog.tsx';
import { useReview } from './use-review.tsx';

const ConversionDrawer = lazy(async () => ({ default: (await import('./conversion-drawer.tsx')).ConversionDrawer }));

const rowsPerPage = 50;

/** The review queue and the archive of conversions in one list. */
export function Conversions() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const { cursor, back, open, ...filter } = useSearch({ from: '/signed-in/stores/$store/conversions' });
  const navigate = useNavigate({ from: '/stores/$store/conversions' });
  const mayReview = usePermission(store)('commissions:review');
  const review = useReview(store);
  const [dialogRequest, setDialogRequest] = useState<ReviewDialogRequest | null>(null);
  const path = commissionList(store, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...apiQuery<PageOf<Commission>>(path), placeholderData: keepPreviousData });
  const position: PagePosition = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };

  const narrow = (changed: Partial<Record<keyof ConversionFilter, string | undefined>>) =>
    void navigate({ search: (now) => ({ ...withoutPosition(now), ...changed }), replace: 'q' in changed });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  return (
    <Page
      title="Conversions"
      intro="Orders and invoices that came through a creator, each with what it earns and why."
      actions={<ExportCsvButton path={commissionList(store, filter, {})} name="conversions.csv" />}
    >
      <Section title="Conversions" bare flush>
        <ConversionFilters filter={filter} rows={page.data?.data ?? []} narrow={narrow} clear={() => void navigate({ search: {} })} />
        {page.isPending && <LoadingSkeleton lines={6} />}
        {page.isError && <LoadError problem={page.error} retry={() => void page.refetch()} />}
        {page.isSuccess && page.data.data.length === 0 && <EmptyConversions store={store} filter={filter} isFirst={cursor === undefined} />}
        {page.isSuccess && page.data.data.length > 0 && (
          <ReviewQueue
            key={JSON.stringify([filter, cursor])}
            store={store}
            filter={filter}
            rows={page.data.data}
            hasMore={page.data.next_cursor !== null || cursor !== undefined}
            mayReview={mayReview}
            review={review}
            openDialog={setDialogRequest}
            show={show}
            narrow={narrow}
          />
        )}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(place) => void navigate({ search: { ...filter, ...place } })} />
        )}
      </Section>
      <LazyMount isNeeded={open !== undefined}>
        {(mayOpen) => (
          <ConversionDrawer
            store={store}
            id={mayOpen ? open : undefined}
            mayReview={mayReview}
            review={review}
            openDialog={setDialogRequest}
            close={() => show(undefined)}
          />
        )}
      </LazyMount>
      {mayReview && <ReviewDialog store={store} request={dialogRequest} review={review} close={() => setDialogRequest(null)} />}
    </Page>
  );
}

const LoadError = ({ problem, retry }: { readonly problem: Error; readonly retry: () => void }) => (
  <div className={styles.padded}>
    <ErrorAlert error={problem} onRetry={retry} />
  </div>
);
