import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Commission } from '../../../../sdk/src/api-schema.ts';
import { ExportCsvButton } from '../../ui/export-buttons.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { useList, type FilterField } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { usePermission } from '../access/permissions.tsx';
import type { ConversionFilter } from '../stores/store-search-params.ts';
import { commissionsPath, subjectOf } from './commissions-api.ts';
import type { ReviewDialogRequest } from './review-dialog.tsx';
import { ReviewQueue } from './review-queue.tsx';
import { useReview } from './use-review.tsx';
import { t } from './messages.ts';

const ConversionDrawer = lazy(async () => ({ default: (await import('./conversion-drawer.tsx')).ConversionDrawer }));

const ReviewDialog = lazy(async () => ({ default: (await import('./review-dialog.tsx')).ReviewDialog }));

const stateOptions = [
  ['pending', t.conversions.pending],
  ['approved', t.conversions.approved],
  ['billed', t.conversions.invoiced],
  ['collected', t.conversions.collected],
  ['paid', t.conversions.paid],
  ['rejected', t.conversions.rejected],
  ['reversed', t.conversions.reversed],
] as const;
const holdOptions = [
  ['false', t.conversions.not_on_hold],
  ['true', t.conversions.on_hold],
  ['dispute', t.conversions.on_hold_dispute],
  ['fraud_review', t.conversions.on_hold_review],
  ['early_reversal', t.conversions.on_hold_early_refund],
  ['creator_suspended', t.conversions.on_hold_creator_suspended],
  ['merchant_request', t.conversions.on_hold_your_reason],
] as const;
const autoApprovalOptions = [
  ['2', t.conversions.within_two_days],
  ['7', t.conversions.within_a_week],
  ['90', t.conversions.at_any_time],
] as const;
const searchLengthMax = 200;

const filterFields = (creatorId: string | undefined): ReadonlyArray<FilterField<Commission, ConversionFilter>> => [
  { type: 'search', name: 'q', label: t.conversions.order_invoice_or_creator, lengthMax: searchLengthMax },
  { type: 'select', name: 'state', label: t.conversions.state, options: stateOptions },
  { type: 'select', name: 'held', label: t.conversions.hold, options: holdOptions },
  { type: 'select', name: 'approves_itself_within_days', label: t.conversions.auto_approval, options: autoApprovalOptions },
  { type: 'days', from: { name: 'from', label: t.conversions.from }, to: { name: 'to', label: t.conversions.to } },
  {
    type: 'active',
    name: 'creator_id',
    label: t.conversions.creator,
    text: (rows) => rows.find(({ creator_id: id }) => id === creatorId)?.creator_name,
  },
  { type: 'active', name: 'order_id', label: t.conversions.order },
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
      title={t.conversions.conversions}
      intro={t.conversions.orders_and_subscription_invoices}
      actions={<ExportCsvButton path={list.exportPath} name="conversions.csv" />}
    >
      <Section title={t.conversions.conversions} bare flush>
        <ReviewQueue
          store={store}
          list={list}
          review={review}
          openDialog={setDialogRequest}
          show={show}
          empty={<EmptyConversions store={store} filter={list.filter} isFirst={list.isFirstPage} />}
        />
      </Section>
      {search.open !== undefined && (
        <Suspense>
          <ConversionDrawer
            store={store}
            id={search.open}
            mayReview={mayReview}
            review={review}
            openDialog={setDialogRequest}
            close={() => show(undefined)}
          />
        </Suspense>
      )}
      {dialogRequest !== null && (
        <Suspense>
          <ReviewDialog store={store} request={dialogRequest} review={review} close={() => setDialogRequest(null)} />
        </Suspense>
      )}
    </Page>
  );
}

type EmptyConversionsProps = { readonly store: string; readonly filter: ConversionFilter; readonly isFirst: boolean };

/** Each reason for an empty list has its own next step. */
function EmptyConversions({ store, filter, isFirst }: EmptyConversionsProps) {
  const toAll = (
    <ButtonLink variant="default" size="xs" to="/stores/$store/conversions" params={{ store }}>
      {t.conversions.show_all_conversions}
    </ButtonLink>
  );
  if (!isFirst)
    return (
      <EmptyState title={t.conversions.this_page_is_now_empty} action={toAll}>
        {t.conversions.its_conversions_no_longer_match}
      </EmptyState>
    );
  if (filter.state === 'pending' && Object.keys(filter).length === 1)
    return (
      <EmptyState title={t.conversions.youre_all_caught_up} action={toAll}>
        {t.conversions.every_conversion_has_been_reviewed}
      </EmptyState>
    );
  if (Object.keys(filter).length > 0)
    return (
      <EmptyState title={t.conversions.no_matching_conversions} action={toAll}>
        {t.conversions.change_the_filter_a_search}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t.conversions.no_conversions_yet}
      action={
        <ButtonLink to="/stores/$store/integration" params={{ store }}>
          {t.conversions.set_up_the_integration}
        </ButtonLink>
      }
    >
      {t.conversions.conversions_appear_here_when_your}
    </EmptyState>
  );
}
