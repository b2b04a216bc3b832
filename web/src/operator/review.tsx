import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { CommissionChip } from '../merchant/commission-chips.tsx';
import type { HoldReason } from '../merchant/commissions-api.ts';
import { dollarsOf } from '../parts/amounts.ts';
import { Chip } from '../parts/chip.tsx';
import { Filters, PickedFilter, SelectFilter } from '../parts/filters.tsx';
import { ButtonLink, TextLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Narrower } from '../parts/row-buttons.tsx';
import { queryOf } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { localDay, Time } from '../parts/time.tsx';
import type { WaitingCommission } from './operator-api.ts';
import type { WaitingSearch } from './operator-search.ts';
import styles from './operator.module.css';

const rowsPerPage = 50;
const kinds = [
  ['false', 'Waits for review'],
  ['true', 'Held'],
  ['dispute', 'Held: dispute'],
  ['fraud_review', 'Held: under review'],
  ['early_reversal', 'Held: early refund'],
  ['creator_suspended', 'Held: creator suspended'],
  ['merchant_request', 'Held: the store’s own reason'],
] as const;

/** What waits for somebody in all stores. It is decided where the store decides, beside all that is known of it. */
export function OperatorsReview() {
  const { cursor, back, ...filter } = useSearch({ from: '/inside/operator/review' });
  const navigate = useNavigate({ from: '/operator/review' });
  const path = `/waiting-commissions${queryOf({ ...filter, cursor, limit: rowsPerPage })}`;
  const page = useQuery({ ...reading<PageOf<WaitingCommission>>(path), placeholderData: keepPreviousData });
  const rows = page.data?.data ?? [];
  const narrow = (changed: Pick<WaitingSearch, 'held' | 'store_id'>) => void navigate({ search: { ...filter, ...changed } });
  const clear = () => void navigate({ search: {} });
  const storeName = rows.find(({ store_id: id }) => id === filter.store_id)?.store_name ?? filter.store_id;
  return (
    <Page
      title="Review"
      intro="What is held and what waits for a decision, in all stores, the oldest first. The store decides; where it does not, an operator can in its place."
    >
      <Section title="What waits in all stores" bare flush>
        <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
          <SelectFilter label="What waits" value={filter.held} options={kinds} change={(held) => narrow({ held })} />
          {storeName !== undefined && <PickedFilter label="Store" value={storeName} clear={() => narrow({ store_id: undefined })} />}
        </Filters>
        {page.isPending && <Waiting lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <NothingWaits isNarrowed={Object.keys(filter).length > 0} />}
        {rows.length > 0 && <Table caption="What waits in all stores" columns={columnsOf(narrow)} rows={rows} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager
            position={{ cursor, back }}
            next={page.data.next_cursor}
            go={(place) => void navigate({ search: { ...filter, ...place } })}
          />
        )}
      </Section>
    </Page>
  );
}

const NothingWaits = ({ isNarrowed }: { readonly isNarrowed: boolean }) =>
  isNarrowed ? (
    <Empty
      title="Nothing of the kind waits"
      action={
        <ButtonLink variant="default" size="xs" to="/operator/review">
          Show all that waits
        </ButtonLink>
      }
    >
      Other commissions may.
    </Empty>
  ) : (
    <Empty title="Nothing waits">Every commission of every store is decided on, and none is held.</Empty>
  );

const columnsOf = (narrow: (changed: { readonly store_id: string }) => void): ReadonlyArray<Column<WaitingCommission>> => [
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} /> },
  {
    title: 'Order',
    cell: (row) => (
      <>
        <span className={styles.words}>{subjectOf(row)}</span>
        <div className={styles.quiet}>
          <Narrower name={row.store_name} narrow={() => narrow({ store_id: row.store_id })} />
        </div>
      </>
    ),
  },
  { title: 'Creator', kind: 'name', cell: ({ creator_id: id, creator_name: name }) => <CreatorName id={id} name={name} /> },
  { title: 'Amount, USD', kind: 'number', cell: ({ amount_cents: cents }) => <strong>{dollarsOf(cents)}</strong> },
  { title: 'State', cell: ({ state }) => <CommissionChip state={state} /> },
  { title: 'Waits for', cell: (row) => <WaitsFor row={row} /> },
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
  <TextLink to="/operator/creators/$person" params={{ person: id }} fw={600}>
    {name}
  </TextLink>
);

const subjectOf = ({ order_id: order, invoice_id: invoice, id }: WaitingCommission): string => order ?? invoice ?? id;

function WaitsFor({ row: { held, auto_approve_at: autoAt } }: { readonly row: WaitingCommission }) {
  if (held !== null)
    return (
      <>
        <Chip word="Release" tone="bad" meaning={`${holds[held.reason]} Nothing is billed or paid until it is released.`} />
        <div className={styles.quiet}>
          {holds[held.reason]} Since <Time at={held.since} dateOnly />
        </div>
      </>
    );
  const meaning =
    autoAt === null ? 'The store has not decided yet.' : `If nobody decides before, it approves itself on ${localDay(autoAt)}.`;
  return <Chip word="Review" tone="wait" meaning={meaning} />;
}

const holds: Readonly<Record<HoldReason, string>> = {
  dispute: 'A dispute is open.',
  fraud_review: 'It is under review.',
  early_reversal: 'A refund was reported before the order.',
  creator_suspended: 'The creator is suspended.',
  merchant_request: 'The store asked for it.',
};
