import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, useState } from 'react';
import type { Commission } from '../../api/api-schema.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { LazyMount } from '../../ui/lazy-mount.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useList, type FilterField } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { usePermission } from '../access/permissions.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { commissionsPath, subjectOf } from './commissions-api.ts';
import type { ReviewDialogRequest } from './review-dialog.tsx';
import { ReviewQueue } from './review-queue.tsx';
import { useReview } from './use-review.tsx';

const ConversionDrawer = lazy(async () => ({ default: (await import('./conversion-drawer.tsx')).ConversionDrawer }));

const ReviewDialog = lazy(async () => ({ default: (await import('./review-dialog.tsx')).ReviewDialog }));

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

const filterFields = (creatorId: string | undefined): ReadonlyArray<FilterField<Commission, ConversionFilter>> => [
  { type: 'search', name: 'q', label: 'Order or invoice begins with', lengthMax: searchLengthMax },
  { type: 'select', name: 'state', label: 'State', options: stateOptions },
  { type: 'select', name: 'held', label: 'Hold', options: holdOptions },
  { type: 'select', name: 'approves_itself_within_days', label: 'Approves itself', options: autoApprovalOptions },
  { type: 'days', from: { name: 'from', label: 'From' }, to: { name: 'to', label: 'To' } },
  {
    type: 'active',
    name: 'creator_id',
    label: 'Creator',
    text: (rows) => rows.find(({ creator_id: id }) => id === creatorId)?.creator_name,
  },
  { type: 'active', name: 'order_id', label: 'Order' },
];

/** The review queue and the archive of conversions in one list. */
export function Conversions() {
  const { store } = useParams({ from: '/signed-in/stores/$store' });
  const search = useSearch({ from: '/signed-in/stores/$store/conversions' });
  const navigate = useNavigate({ from: '/stores/$store/conversions' });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const mayReview = usePermission(store)('commissions:review');
  const review = useReview(store);
  const [dialogRequest, setDialogRequest] = useState<ReviewDialogRequest | null>(null);
  const list = useList<'/stores/{store}/commissions', ConversionFilter>({
    search,
    navigate,
    path: commissionsPath(store),
    fields: filterFields(search.creator_id),
    defaultSort: '-occurred_at',
    selection: mayReview ? { keyOf: ({ id }) => id, labelOf: subjectOf } : undefined,
  });
  return (
    <Page
      title="Conversions"
      intro="Orders and invoices that came through a creator, each with what it earns and why."
      actions={<ExportCsvButton path={list.exportPath} name="conversions.csv" />}
    >
      <Section title="Conversions" bare flush>
        <ReviewQueue
          store={store}
          list={list}
          review={review}
          openDialog={setDialogRequest}
          show={show}
          empty={<EmptyConversions store={store} filter={list.filter} isFirst={list.isFirstPage} />}
        />
      </Section>
      <LazyMount isNeeded={search.open !== undefined}>
        {(mayOpen) => (
          <ConversionDrawer
            store={store}
            id={mayOpen ? search.open : undefined}
            mayReview={mayReview}
            review={review}
            openDialog={setDialogRequest}
            close={() => show(undefined)}
          />
        )}
      </LazyMount>
      <LazyMount isNeeded={dialogRequest !== null}>
        {(mayOpen) => (
          <ReviewDialog store={store} request={mayOpen ? dialogRequest : null} review={review} close={() => setDialogRequest(null)} />
        )}
      </LazyMount>
    </Page>
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
