import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { ProductResults } from '../../../../sdk/src/api-schema.ts';
import type { Cents } from '../../../../sdk/src/exact-json.ts';
import { formats } from '../../messages/messages.ts';
import { formatDollars } from '../../ui/format.ts';
import { QueryView } from '../../ui/query-view.tsx';
import { Table, type Column } from '../../ui/table.tsx';
import { productResultsQuery } from './creator-api.ts';
import type { CreatorHomeSearch } from './creator-search.ts';
import styles from './creator-results.module.css';
import { t } from './messages.ts';

type ProductsProps = { readonly creator: string; readonly search: CreatorHomeSearch };

/** The best products of the period, all others, and orders without line items. Hidden if no store reported products. */
export function CreatorProducts({ creator, search }: ProductsProps) {
  const results = useQuery({ ...productResultsQuery(creator, search), placeholderData: keepPreviousData });
  if (results.data?.products.length === 0) return null;
  return (
    <>
      <h3 className={styles.title}>{t.results.by_product}</h3>
      <QueryView query={results}>
        {(data) => (
          <>
            <Table caption={t.results.by_product} columns={columns} rows={rowsOf(data)} keyOf={({ id }) => id} />
            <p className={styles.compared}>{data.is_complete ? t.results.products_note : t.results.products_incomplete}</p>
          </>
        )}
      </QueryView>
    </>
  );
}

type Row = {
  readonly id: string;
  readonly name: string;
  readonly storeName: string | null;
  readonly orders: number | null;
  readonly units: number | null;
  readonly earned: Cents;
};

function rowsOf({ products, other, without_products: without }: ProductResults): readonly Row[] {
  const rows = products.map((product): Row => {
    const { product_id: name, store_id: store, store_name: storeName, orders, units, earned_cents: earned } = product;
    return { id: `${store} ${name}`, name, storeName, orders, units, earned };
  });
  const rest = { storeName: null, orders: null, units: null };
  if (other.revenue_cents > 0) rows.push({ ...rest, id: 'other', name: t.results.other_products, earned: other.earned_cents });
  if (without.orders > 0 || without.earned_cents > 0)
    rows.push({ ...rest, id: 'without', name: t.results.without_products, orders: without.orders, earned: without.earned_cents });
  return rows;
}

const count = (number: number | null): string => (number === null ? '' : formats.number(number));

const columns: ReadonlyArray<Column<Row>> = [
  { title: t.results.product, cell: ({ name }) => name, priority: true },
  { title: t.results.store, cell: ({ storeName }) => storeName ?? '' },
  { title: t.results.orders, kind: 'number', cell: ({ orders }) => count(orders), priority: true },
  { title: t.results.units, kind: 'number', cell: ({ units }) => count(units) },
  { title: t.results.earnings_usd, kind: 'number', cell: ({ earned }) => formatDollars(earned), priority: true },
];
