import { apiPath } from '../../api/operations.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Cents } from '../../api/parse-json.ts';
import type { Sale } from '../../api/api-schema.ts';
import { formatDollars, formatPercent } from '../../ui/format.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { ListView, useList } from '../../ui/list.tsx';
import { EmptyState, Page, Section } from '../../ui/page.tsx';
import { OpenButton } from '../../ui/row-buttons.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { membershipsQuery, useCreatorId } from './creator-api.ts';
import type { SaleFilter } from './creator-search.ts';
import styles from './creator.module.css';
import { paymentDateText, SaleStatusChips, saleStateOptions } from './sale-status.tsx';
import { SaleDrawer } from './sale-drawer.tsx';
import { saleName } from './sales-api.ts';

/** Every sale through the creator's links: earnings, status and payment date. */
export function CreatorSales() {
  const creator = useCreatorId();
  const search = useSearch({ from: '/signed-in/creator/sales' });
  const navigate = useNavigate({ from: '/creator/sales' });
  const show = (id: string | undefined) => void navigate({ search: (now) => ({ ...now, open: id }), resetScroll: false });
  const memberships = useInfiniteQuery(membershipsQuery(creator)).data?.pages.flatMap(({ data }) => data) ?? [];
  const list = useList<'/creators/{creator}/commissions', SaleFilter>({
    search,
    navigate,
    path: apiPath('/creators/{creator}/commissions', { creator }),
    fields: [
      { type: 'select', name: 'state', label: 'State', options: saleStateOptions },
      {
        type: 'select',
        name: 'store_id',
        label: 'Shop',
        options: [...new Map(memberships.map(({ store_id: id, store_name: name }) => [id, name]))],
      },
      { type: 'days', from: { name: 'from', label: 'From' }, to: { name: 'to', label: 'To' } },
    ],
  });
  return (
    <Page
      title="Sales"
      intro="What came through your links, with what each earns and the day on which it is paid. Days to come are expected, not promised."
    >
      <Section title="Sales" bare flush>
        <ListView
          list={list}
          caption="My sales"
          columns={columnsOf(show)}
          keyOf={({ id }) => id}
          empty={<EmptySales isFiltered={list.isFiltered} />}
        />
      </Section>
      <SaleDrawer
        creator={creator}
        id={search.open}
        listed={list.rows.find(({ id }) => id === search.open)}
        close={() => show(undefined)}
      />
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
