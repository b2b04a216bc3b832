import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Page as PageOf } from '../api.ts';
import { type Cents, dollarsOf, percentOf } from '../parts/amounts.ts';
import { DayFilter, Filters, SelectFilter } from '../parts/filters.tsx';
import { ButtonLink } from '../parts/links.tsx';
import { Empty, Page, Section } from '../parts/page.tsx';
import { Pager } from '../parts/pager.tsx';
import { ProblemNote } from '../parts/problem-note.tsx';
import { reading } from '../parts/reading.ts';
import { Opener } from '../parts/row-buttons.tsx';
import { withoutPlace, type Position } from '../parts/search.ts';
import { Table, Waiting, type Column } from '../parts/table.tsx';
import { Time } from '../parts/time.tsx';
import { membershipList, useCreatorId } from './creator-api.ts';
import type { SaleFilter } from './creator-search.ts';
import styles from './creator.module.css';
import { payWords } from './pay-words.ts';
import { SaleChips, stateChoices } from './sale-chip.tsx';
import { SaleDrawer } from './sale-drawer.tsx';
import { saleList, saleName, type Sale } from './sales-api.ts';

const rowsPerPage = 50;

type Narrow = (changed: Partial<Record<keyof SaleFilter, string | undefined>>) => void;

/** Every sale through a creator's links: what it earns, where it stands, and the day on which it is paid. */
export function Sales() {
  const creator = useCreatorId();
  const { cursor, back, open, ...filter } = useSearch({ from: '/inside/creator/sales' });
  const navigate = useNavigate({ from: '/creator/sales' });
  const path = saleList(creator, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...reading<PageOf<Sale>>(path), placeholderData: keepPreviousData });
  const rows = page.data?.data ?? [];
  const position: Position = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow: Narrow = (changed) => void navigate({ search: (now) => ({ ...withoutPlace(now), ...changed }) });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  return (
    <Page
      title="Sales"
      intro="What came through your links, with what each earns and the day on which it is paid. Days to come are expected, not promised."
    >
      <Section title="Sales" bare flush>
        <SaleFilters creator={creator} filter={filter} narrow={narrow} clear={() => void navigate({ search: {} })} />
        {page.isPending && <Waiting lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ProblemNote problem={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <NoSales isFiltered={Object.keys(filter).length > 0} />}
        {rows.length > 0 && <Table caption="My sales" columns={columnsOf(show)} rows={rows} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(place) => void navigate({ search: { ...filter, ...place } })} />
        )}
      </Section>
      <SaleDrawer creator={creator} id={open} listed={rows.find(({ id }) => id === open)} close={() => show(undefined)} />
    </Page>
  );
}

const columnsOf = (show: (id: string) => void): ReadonlyArray<Column<Sale>> => [
  {
    title: 'Sale',
    cell: (sale) => (
      <>
        <Opener open={() => show(sale.id)}>{saleName(sale)}</Opener>
        {sale.sub_id !== null && <div className={styles.quiet}>sub: {sale.sub_id}</div>}
      </>
    ),
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  {
    title: 'Shop',
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.quiet}>{program}</div>
      </>
    ),
  },
  { title: 'Rate', kind: 'number', cell: (sale) => rateWords(sale) },
  { title: 'Earns, USD', kind: 'number', cell: (sale) => <Earns sale={sale} /> },
  {
    title: 'State',
    cell: (sale) => (
      <span className={styles.chips}>
        <SaleChips sale={sale} />
      </span>
    ),
  },
  { title: 'Pay day', cell: ({ pay }) => payWords(pay) },
];

/** What came to nothing is not shown as if it were money. */
function Earns({ sale: { amount_cents: cents, pay } }: { readonly sale: Sale }) {
  if (pay.word !== 'nothing' || cents === 0) return <strong>{dollarsOf(cents)}</strong>;
  return (
    <>
      <div>0.00</div>
      <div className={styles.quiet}>was {dollarsOf(cents)}</div>
    </>
  );
}

/** One rate is told; several stand in the story of the sale. */
function rateWords({ rates }: Sale): string {
  const words = new Set(rates.map(({ basis_points: points, flat_cents: flat }) => (points === null ? flatWords(flat) : percentOf(points))));
  return words.size === 1 ? ([...words][0] ?? '') : words.size === 0 ? 'none' : 'several';
}
const flatWords = (cents: Cents | null): string => (cents === null ? 'none' : `${dollarsOf(cents)} USD`);

type SaleFiltersProps = {
  readonly creator: string;
  readonly filter: SaleFilter;
  readonly narrow: Narrow;
  readonly clear: () => void;
};

function SaleFilters({ creator, filter, narrow, clear }: SaleFiltersProps) {
  const memberships = useInfiniteQuery(membershipList(creator));
  const all = memberships.data?.pages.flatMap(({ data }) => data) ?? [];
  const stores = new Map(all.map(({ store_id: id, store_name: name }) => [id, name]));
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SelectFilter label="State" value={filter.state} options={stateChoices} change={(state) => narrow({ state })} />
      <SelectFilter label="Shop" value={filter.store_id} options={[...stores]} change={(store) => narrow({ store_id: store })} />
      <DayFilter label="From" value={filter.from} change={(from) => narrow({ from })} />
      <DayFilter label="To" value={filter.to} isLast change={(to) => narrow({ to })} />
    </Filters>
  );
}

function NoSales({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <Empty
        title="Nothing matches"
        action={
          <ButtonLink variant="default" size="xs" to="/creator/sales">
            Show all sales
          </ButtonLink>
        }
      >
        Widen the filter.
      </Empty>
    );
  return (
    <Empty
      title="No sale yet"
      action={
        <ButtonLink variant="default" to="/creator/links">
          See your links
        </ButtonLink>
      }
    >
      When somebody comes through one of your links and buys, the sale stands here within moments of the shop reporting it.
    </Empty>
  );
}
