import { useNavigate, useSearch } from '@tanstack/react-router';
import type { HoldReason, OpenCommission } from '../../api/api-schema.ts';
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

const holdOptions = [
  ['false', 'Waits for review'],
  ['true', 'Held'],
  ['dispute', 'Held: dispute'],
  ['fraud_review', 'Held: under review'],
  ['early_reversal', 'Held: early refund'],
  ['creator_suspended', 'Held: creator suspended'],
  ['merchant_request', 'Held: the store’s own reason'],
] as const;

/** The open commissions of all stores. They are decided on the store's page, which shows their details. */
export function OperatorReview() {
  const search = useSearch({ from: '/signed-in/operator/review' });
  const navigate = useNavigate({ from: '/operator/review' });
  const list = useList<'/waiting-commissions', Pick<ReviewSearch, 'held' | 'store_id'>>({
    search,
    navigate,
    path: '/waiting-commissions',
    fields: [
      { type: 'select', name: 'held', label: 'What waits', options: holdOptions },
      {
        type: 'active',
        name: 'store_id',
        label: 'Store',
        text: (rows) => rows.find(({ store_id: id }) => id === search.store_id)?.store_name,
      },
    ],
  });
  return (
    <Page
      title="Review"
      intro="What is held and what waits for a decision, in all stores, the oldest first. The store decides; where it does not, an operator can in its place."
    >
      <Section title="What waits in all stores" bare flush>
        <ListView
          list={list}
          caption="What waits in all stores"
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
      title="Nothing of the kind waits"
      action={
        <ButtonLink variant="default" size="xs" to="/operator/review">
          Show all that waits
        </ButtonLink>
      }
    >
      Other commissions may.
    </EmptyState>
  ) : (
    <EmptyState title="Nothing waits">Every commission of every store is decided on, and none is held.</EmptyState>
  );

const columnsOf = (setFilter: (changed: { readonly store_id: string }) => void): ReadonlyArray<Column<OpenCommission>> => [
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: 'Order',
    cell: (row) => (
      <>
        <span className={styles.text}>{subjectOf(row)}</span>
        <div className={styles.muted}>
          <FilterButton name={row.store_name} narrow={() => setFilter({ store_id: row.store_id })} />
        </div>
      </>
    ),
  },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id, creator_name: name }) => <CreatorName id={id} name={name} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{formatDollars(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <CommissionStatusChip state={state} /> },
  { title: 'Waits for', cell: (row) => <NextAction row={row} /> },
  {
    title: 'Decide',
    kind: 'actions',
    cell: (row) => (
      <ButtonLink
        variant="subtle"
        size="xs"
        aria-label={`At the store: ${subjectOf(row)}, ${row.store_name}`}
        to="/stores/$store/conversions"
        params={{ store: row.store_id }}
        search={{ ...(row.held === null ? { state: 'pending', held: 'false' } : { held: row.held.reason }), open: row.id }}
      >
        At the store
      </ButtonLink>
    ),
  },
];

const CreatorName = ({ id, name }: { readonly id: string; readonly name: string }) => (
  <TextLink to="/operator/creators/$creatorId" params={{ creatorId: id }} fw={600}>
    {name}
  </TextLink>
);

const subjectOf = ({ order_id: order, invoice_id: invoice, id }: OpenCommission): string => order ?? invoice ?? id;

function NextAction({ row: { held, auto_approve_at: autoAt } }: { readonly row: OpenCommission }) {
  if (held !== null)
    return (
      <>
        <Chip label="Release" tone="bad" meaning={`${holdReasonTexts[held.reason]} Nothing is billed or paid until it is released.`} />
        <div className={styles.muted}>
          {holdReasonTexts[held.reason]} Since <Time at={held.since} dateOnly />
        </div>
      </>
    );
  const meaning =
    autoAt === null ? 'The store has not decided yet.' : `If nobody decides before, it approves itself on ${formatDay(autoAt)}.`;
  return <Chip label="Review" tone="wait" meaning={meaning} />;
}

const holdReasonTexts: Readonly<Record<HoldReason, string>> = {
  dispute: 'A dispute is open.',
  fraud_review: 'It is under review.',
  early_reversal: 'A refund was reported before the order.',
  creator_suspended: 'The creator is suspended.',
  merchant_request: 'The store asked for it.',
};
