import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import type { Commission } from '../../api/api-schema.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { DayFilter, DaysFilter, Filters, ActiveFilter, SearchFilter, SelectFilter } from '../../ui/filters.tsx';
import { LazyMount } from '../../ui/lazy-mount.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { Page, Section, EmptyState } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { withoutPosition, type PagePosition } from '../../ui/search-params.ts';
import { LoadingSkeleton } from '../../ui/table.tsx';
import { usePermission } from '../access/permissions.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { commissionList } from './commissions-api.ts';
import styles from './conversions.module.css';
import { ReviewDialog, type ReviewDialogRequest } from './review-dialog.tsx';
import { ReviewQueue } from './review-queue.tsx';
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
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
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
          <Pager position={position} next={page.data.next_cursor} go={(target) => void navigate({ search: { ...filter, ...target } })} />
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

const stateOptions = [
  ['pending', 'Pending'],
  ['approved', 'Approved'],
  ['billed', 'Billed'],
  ['collected', 'Collected'],
  ['paid', 'Paid'],
  ['rejected', 'Rejected'],
  ['reversed', 'Reversed'],
] as const;
const holdOptions = [
  ['false', 'Not held'],
  ['true', 'Held'],
  ['dispute', 'Held: dispute'],
  ['fraud_review', 'Held: review'],
  ['early_reversal', 'Held: early refund'],
  ['creator_suspended', 'Held: creator suspended'],
  ['merchant_request', 'Held: own reason'],
] as const;
const autoApprovalOptions = [
  ['2', 'Within two days'],
  ['7', 'Within a week'],
  ['90', 'At any time'],
] as const;
const searchLengthMax = 200;

type ConversionFiltersProps = {
  readonly filter: ConversionFilter;
  readonly rows: readonly Commission[];
  readonly narrow: (changed: Partial<Record<keyof ConversionFilter, string | undefined>>) => void;
  readonly clear: () => void;
};

function ConversionFilters({ filter, rows, narrow, clear }: ConversionFiltersProps) {
  const creator = rows.find(({ creator_id: id }) => id === filter.creator_id)?.creator_name ?? filter.creator_id;
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SearchFilter
        label="Order or invoice begins with"
        value={filter.q ?? ''}
        lengthMax={searchLengthMax}
        change={(q) => narrow({ q: q === '' ? undefined : q })}
      />
      <SelectFilter label="State" value={filter.state} options={stateOptions} change={(state) => narrow({ state })} />
      <SelectFilter label="Hold" value={filter.held} options={holdOptions} change={(held) => narrow({ held })} />
      <SelectFilter
        label="Approves itself"
        value={filter.approves_itself_within_days}
        options={autoApprovalOptions}
        change={(days) => narrow({ approves_itself_within_days: days })}
      />
      <DaysFilter>
        <DayFilter label="From" value={filter.from} change={(from) => narrow({ from })} />
        <DayFilter label="To" value={filter.to} isEnd change={(to) => narrow({ to })} />
      </DaysFilter>
      {creator !== undefined && <ActiveFilter label="Creator" value={creator} clear={() => narrow({ creator_id: undefined })} />}
      {filter.order_id !== undefined && (
        <ActiveFilter label="Order" value={filter.order_id} clear={() => narrow({ order_id: undefined })} />
      )}
    </Filters>
  );
}

type EmptyConversionsProps = { readonly store: string; readonly filter: ConversionFilter; readonly isFirst: boolean };

/** Each reason for an empty list has its own next step. */
function EmptyConversions({ store, filter, isFirst }: EmptyConversionsProps) {
  const toAll = (
    <ButtonLink variant="default" size="xs" to="/stores/$store/conversions" params={{ store }}>
      Show all conversions
    </ButtonLink>
  );
  if (!isFirst)
    return (
      <EmptyState title="This page is empty now" action={toAll}>
        What stood on it no longer matches. Go to the first page.
      </EmptyState>
    );
  if (filter.state === 'pending' && Object.keys(filter).length === 1)
    return (
      <EmptyState title="Nothing waits for you" action={toAll}>
        Every conversion has been decided. New ones appear here as your server reports them.
      </EmptyState>
    );
  if (Object.keys(filter).length > 0)
    return (
      <EmptyState title="Nothing matches" action={toAll}>
        Widen the filter. A search finds the beginning of an order’s or an invoice’s ID, letter by letter; an order that was refused stands
        in the tracking log instead.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No conversion yet"
      action={
        <ButtonLink to="/stores/$store/integration" params={{ store }}>
          Set up the integration
        </ButtonLink>
      }
    >
      The first one appears when your server reports a paid order that came through a creator’s link. If one should be here already, look
      into the tracking log.
    </EmptyState>
  );
}
