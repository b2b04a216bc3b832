import { apiPath } from '../../api/operations.ts';
import { useInfiniteQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import type { Sale } from '../../../../sdk/src/api-schema.ts';
import { formatDollars, formatPercent, formatUsd } from '../../ui/format.ts';
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
import { t } from './messages.ts';

const searchLengthMax = 100;

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
    defaultSort: '-occurred_at',
    fields: [
      { type: 'search', name: 'q', label: t.creator_sales.order, lengthMax: searchLengthMax },
      { type: 'select', name: 'state', label: t.creator_sales.status, options: saleStateOptions },
      {
        type: 'select',
        name: 'store_id',
        label: t.creator_sales.store,
        options: [...new Map(memberships.map(({ store_id: id, store_name: name }) => [id, name]))],
      },
      { type: 'days', from: { name: 'from', label: t.creator_sales.from }, to: { name: 'to', label: t.creator_sales.to } },
    ],
  });
  return (
    <Page title={t.creator_sales.sales} intro={t.creator_sales.sales_from_your_links_with}>
      <Section title={t.creator_sales.sales} bare flush>
        <ListView
          list={list}
          caption={t.creator_sales.your_sales}
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
    title: t.creator_sales.sale,
    priority: true,
    cell: (sale) => (
      <>
        <OpenButton open={() => show(sale.id)}>{saleName(sale)}</OpenButton>
        {sale.sub_id !== null && <div className={styles.muted}>{t.creator_sales.sub_id({ subId: sale.sub_id })}</div>}
      </>
    ),
  },
  { title: t.creator_sales.date, sort: 'occurred_at', priority: true, cell: ({ occurred_at: at }) => <Time at={at} dateOnly /> },
  {
    title: t.creator_sales.store,
    cell: ({ store_name: store, program_name: program }) => (
      <>
        <div>{store}</div>
        <div className={styles.muted}>{program}</div>
      </>
    ),
  },
  { title: t.creator_sales.rate, kind: 'number', cell: (sale) => rateText(sale) },
  { title: t.creator_sales.commission_usd, kind: 'number', priority: true, cell: (sale) => <EarnedAmount sale={sale} /> },
  {
    title: t.creator_sales.status,
    priority: true,
    cell: (sale) => (
      <span className={styles.chips}>
        <SaleStatusChips sale={sale} />
      </span>
    ),
  },
  { title: t.creator_sales.payout_date, cell: ({ pay }) => paymentDateText(pay) },
];

/** A sale that earns nothing shows 0 and its former amount in secondary text. */
function EarnedAmount({ sale: { amount_cents: cents, pay } }: { readonly sale: Sale }) {
  if (pay.word !== 'nothing' || cents === 0) return <strong>{formatDollars(cents)}</strong>;
  return (
    <>
      <div>{formatDollars(0)}</div>
      <div className={styles.muted}>{t.creator_sales.was({ cents: formatDollars(cents) })}</div>
    </>
  );
}

/** A single rate is shown; several are listed in the sale's details. */
function rateText({ rates }: Sale): string {
  const words = new Set(
    rates.map(({ basis_points: points, flat_cents: flat }) => (points === null ? flatRateText(flat) : formatPercent(points))),
  );
  return words.size === 1 ? ([...words][0] ?? '') : words.size === 0 ? t.creator_sales.none : t.creator_sales.multiple;
}
const flatRateText = (cents: Cents | null): string => (cents === null ? t.creator_sales.none : formatUsd(cents));

function EmptySales({ isFiltered }: { readonly isFiltered: boolean }) {
  if (isFiltered)
    return (
      <EmptyState
        title={t.creator_sales.no_matching_sales}
        action={
          <ButtonLink variant="default" size="xs" to="/creator/sales">
            {t.creator_sales.clear_filters}
          </ButtonLink>
        }
      >
        {t.creator_sales.change_or_clear_the_filters}
      </EmptyState>
    );
  return (
    <EmptyState
      title={t.creator_sales.no_sales_yet}
      action={
        <ButtonLink variant="default" to="/creator/links">
          {t.creator_sales.view_links}
        </ButtonLink>
      }
    >
      {t.creator_sales.when_a_customer_buys_through}
    </EmptyState>
  );
}
