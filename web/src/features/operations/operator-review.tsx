import { useNavigate, useSearch } from '@tanstack/react-router';
import type { HoldReason, OpenCommission } from '../../../../sdk/src/api-schema.ts';
import { CommissionStatusChip } from '../conversions/commission-status-chips.tsx';
import { formatDollars } from '../../ui/format.ts';
import { Chip } from '../../ui/chip.tsx';
import { ButtonLink, TextLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { FilterButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { formatDay, Time } from '../../ui/time.tsx';
import type { ReviewSearch } from './operator-search.ts';
import styles from './operator.module.css';
import { localizeTimes } from '../../ui/localize-times.ts';
import { t } from './messages.ts';
import { rich } from '../../messages/rich-text.tsx';

const holdOptions = [
  ['false', t.operator_review.needs_review],
  ['true', t.operator_review.on_hold],
  ['dispute', t.operator_review.on_hold_dispute],
  ['fraud_review', t.operator_review.on_hold_under_review],
  ['early_reversal', t.operator_review.on_hold_early_refund],
  ['creator_suspended', t.operator_review.on_hold_creator_suspended],
  ['merchant_request', t.operator_review.on_hold_stores_reason],
] as const;

/** The open commissions of all stores. They are decided on the store's page, which shows their details. */
export function OperatorReview() {
  const search = useSearch({ from: '/signed-in/operator/review' });
  const navigate = useNavigate({ from: '/operator/review' });
  const list = useList<'/waiting-commissions', Pick<ReviewSearch, 'held' | 'store_id'>>({
    search,
    navigate,
    path: '/waiting-commissions',
    defaultSort: 'occurred_at',
    fields: [
      { type: 'select', name: 'held', label: t.operator_review.status, options: holdOptions },
      {
        type: 'active',
        name: 'store_id',
        label: t.operator_review.store,
        text: (rows) => rows.find(({ store_id: id }) => id === search.store_id)?.store_name,
      },
    ],
  });
  return (
    <Page title={t.operator_review.review} intro={t.operator_review.commissions_on_hold_or_waiting}>
      <Section title={t.operator_review.commissions_to_review} bare flush>
        <ListView
          list={list}
          caption={t.operator_review.commissions_to_review}
          columns={columnsOf(list.setFilter)}
          keyOf={({ id }) => id}
          empty={<EmptyReview isFiltered={list.isFiltered} />}
        />
      </Section>
    </Page>
  );
}

const EmptyReview = ({ isFiltered }: { readonly isFiltered: boolean }) =>
  isFiltered ? (
    <EmptyState
      title={t.operator_review.no_matching_commissions}
      action={
        <ButtonLink variant="default" size="xs" to="/operator/review">
          {t.operator_review.show_all}
        </ButtonLink>
      }
    >
      {t.operator_review.others_may_match_another_filter}
    </EmptyState>
  ) : (
    <EmptyState title={t.operator_review.youre_all_caught_up}>{t.operator_review.every_commission_in_every_store}</EmptyState>
  );

const columnsOf = (setFilter: (changed: { readonly store_id: string }) => void): ReadonlyArray<Column<OpenCommission>> => [
  { title: t.operator_review.date, sort: 'occurred_at', priority: true, cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: t.operator_review.order,
    priority: true,
    cell: (row) => (
      <>
        <span className={styles.text}>{subjectOf(row)}</span>
        <div className={styles.muted}>
          <FilterButton name={row.store_name} narrow={() => setFilter({ store_id: row.store_id })} />
        </div>
      </>
    ),
  },
  { title: t.operator_review.creator, kind: 'name', cell: ({ creator_id: id, creator_name: name }) => <CreatorName id={id} name={name} /> },
  {
    title: t.operator_review.amount_usd,
    priority: true,
    kind: 'number',
    cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong>,
  },
  { title: t.operator_review.state, cell: ({ state }) => <CommissionStatusChip state={state} /> },
  { title: t.operator_review.waiting_for, priority: true, cell: (row) => <NextAction row={row} /> },
  {
    title: t.operator_review.review_2,
    kind: 'actions',
    cell: (row) => (
      <ButtonLink
        variant="subtle"
        size="xs"
        aria-label={t.operator_review.open_in_store({ row: subjectOf(row), storeName: row.store_name })}
        to="/stores/$store/conversions"
        params={{ store: row.store_id }}
        search={{ ...(row.held === null ? { state: 'pending', held: 'false' } : { held: row.held.reason }), open: row.id }}
      >
        {t.operator_review.open_in_store_2}
      </ButtonLink>
    ),
  },
];

const CreatorName = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <TextLink to="/operator/creators/$creatorId" params={{ creatorId: id }} className="strong">
    {name}
  </TextLink>
);

const subjectOf = ({ order_id: order, invoice_id: invoice, lead_id: lead, bonus_reason: bonus, id }: OpenCommission): string =>
  order ?? invoice ?? lead ?? (bonus === null ? id : localizeTimes(bonus));

function NextAction({ row: { held, auto_approve_at: autoAt } }: { readonly row: OpenCommission }) {
  if (held !== null)
    return (
      <>
        <Chip
          label={t.operator_review.release}
          tone="bad"
          meaning={t.operator_review.it_is_not_invoiced_or({ holdReasonTexts: holdReasonTexts[held.reason] })}
        />
        <div className={styles.muted}>
          {rich(t.operator_review.since({ holdReasonTexts: holdReasonTexts[held.reason] }), {
            time: <Time at={held.since} dateOnly />,
          })}
        </div>
      </>
    );
  const meaning =
    autoAt === null
      ? t.operator_review.waiting_for_the_stores_review
      : t.operator_review.it_is_approved_automatically_on({ autoAt: formatDay(autoAt) });
  return <Chip label={t.operator_review.review} tone="wait" meaning={meaning} />;
}

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: t.operator_review.a_dispute_is_open,
  fraud_review: t.operator_review.it_is_under_review,
  early_reversal: t.operator_review.a_refund_was_reported_before,
  creator_suspended: t.operator_review.the_creator_is_suspended,
  merchant_request: t.operator_review.the_store_put_it_on,
};
