import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Cents } from '../../api/parse-json.ts';
import type { Sale } from '../../api/api-schema.ts';
import { formatDollars, formatPercent } from '../../ui/format.ts';
import { DayFilter, Filters, SelectFilter } from '../../ui/filters.tsx';
import { ButtonLink } from '../../ui/links.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { Pager } from '../../ui/pager.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { apiQuery } from '../../ui/queries.ts';
import { OpenButton } from '../../ui/row-buttons.tsx';
import { withoutPosition, type PagePosition } from '../../ui/search-params.ts';
import { Table, LoadingSkeleton, type Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { membershipsQuery, useCreatorId } from './creator-api.ts';
import type { SaleFilter } from './creator-search.ts';
import styles from './creator.module.css';
import { paymentDateText, SaleStatusChips, saleStateOptions } from './sale-status.tsx';
import { SaleDrawer } from './sale-drawer.tsx';
import { salesPath, saleName } from './sales-api.ts';

const rowsPerPage = 50;

type FilterSales = (changed: Partial<Record<keyof SaleFilter, string | undefined>>) => void;

/** Every sale through the creator's links: earnings, status and payment date. */
export function CreatorSales() {
  const creator = useCreatorId();
  const { cursor, back, open, ...filter } = useSearch({ from: '/signed-in/creator/sales' });
  const navigate = useNavigate({ from: '/creator/sales' });
  const path = salesPath(creator, filter, { limit: rowsPerPage, ...(cursor !== undefined && { cursor }) });
  const page = useQuery({ ...apiQuery(path), placeholderData: keepPreviousData });
  const rows = page.data?.data ?? [];
  const position: PagePosition = { ...(cursor !== undefined && { cursor }), ...(back !== undefined && { back }) };
  const narrow: FilterSales = (changed) => void navigate({ search: (now) => ({ ...withoutPosition(now), ...changed }) });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  return (
    <Page
      title="Sales"
      intro="What came through your links, with what each earns and the day on which it is paid. Days to come are expected, not promised."
    >
      <Section title="Sales" bare flush>
        <SaleFilters creator={creator} filter={filter} narrow={narrow} clear={() => void navigate({ search: {} })} />
        {page.isPending && <LoadingSkeleton lines={6} />}
        {page.isError && (
          <div className={styles.padded}>
            <ErrorAlert error={page.error} onRetry={() => void page.refetch()} />
          </div>
        )}
        {page.isSuccess && rows.length === 0 && <EmptySales isFiltered={Object.keys(filter).length > 0} />}
        {rows.length > 0 && <Table caption="My sales" columns={columnsOf(show)} rows={rows} keyOf={({ id }) => id} />}
        {page.isSuccess && (
          <Pager position={position} next={page.data.next_cursor} go={(target) => void navigate({ search: { ...filter, ...target } })} />
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
        <OpenButton open={() => show(sale.id)}>{saleName(sale)}</OpenButton>
        {sale.sub_id !== null && <div className={styles.muted}>sub: {sale.sub_id}</div>}
      </>
    ),
  },
  { title: 'Date', cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  {
    title: 'Shop',
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  { title: 'Rate', kind: 'number', cell: (sale) => rateText(sale) },
  { title: 'Earns, USD', kind: 'number', cell: (sale) => <EarnedAmount sale={sale} /> },
  {
    title: 'State',
    cell: (sale) => (
      <span className={styles.chips}>
        <SaleStatusChips sale={sale} />
      </span>
    ),
  },
  { title: 'Pay day', cell: ({ pay }) => paymentDateText(pay) },
];

/** A sale that earns nothing shows 0 and its former amount in secondary text. */
function EarnedAmount({ sale: { amount_cents: cents, pay } }: { readonly sale: Sale }) {
  if (pay.word !== 'nothing' || cents === 0) return <strong>{formatDollars(cents)}</strong>;
  return (
    <>
      <div>0.00</div>
      <div className={styles.muted}>was {formatDollars(cents)}</div>
    </>
  );
}

/** A single rate is shown; several are listed in the sale's details. */
function rateText({ rates }: Sale): string {
  const words = new Set(
    rates.map(({ basis_points: points, flat_cents: flat }) => (points === null ? flatRateText(flat) : formatPercent(points))),
  );
  return words.size === 1 ? ([...words][0] ?? '') : words.size === 0 ? 'none' : 'several';
}
const flatRateText = (cents: Cents | null): string => (cents === null ? 'none' : `${formatDollars(cents)} USD`);

type SaleFiltersProps = {
  readonly creator: string;
  readonly filter: SaleFilter;
  readonly narrow: FilterSales;
  readonly clear: () => void;
};

function SaleFilters({ creator, filter, narrow, clear }: SaleFiltersProps) {
  const memberships = useInfiniteQuery(membershipsQuery(creator));
  const all = memberships.data?.pages.flatMap(({ data }) => data) ?? [];
  const stores = new Map(all.map(({ store_id: id, store_name: name }) => [id, name]));
  return (
    <Filters onClear={Object.keys(filter).length === 0 ? null : clear}>
      <SelectFilter label="State" value={filter.state} options={saleStateOptions} change={(state) => narrow({ state })} />
      <SelectFilter label="Shop" value={filter.store_id} options={[...stores]} change={(store) => narrow({ store_id: store })} />
      <DayFilter label="From" value={filter.from} change={(from) => narrow({ from })} />
      <DayFilter label="To" value={filter.to} isEnd change={(to) => narrow({ to })} />
    </Filters>
  );
}

function EmptySales({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title="Nothing matches"
        action={
          <ButtonLink variant="default" size="xs" to="/creator/sales">
            Show all sales
          </ButtonLink>
        }
      >
        Widen the filter.
      </EmptyState>
    );
  return (
    <EmptyState
      title="No sale yet"
      action={
        <ButtonLink variant="default" to="/creator/links">
          See your links
        </ButtonLink>
      }
    >
      When somebody comes through one of your links and buys, the sale stands here within moments of the shop reporting it.
    </EmptyState>
  );
}
