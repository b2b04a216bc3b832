import { Type as T } from 'typebox';
import { plusDays } from '../core/time.ts';
import { publicId, type Id } from '../core/ids.ts';
import { codeShape } from '../creators/links.ts';
import { findLinkNumber } from '../creators/creator-links-sql.ts';
import { listStoresOfCreator } from '../creators/members-sql.ts';
import type { Queryable } from '../db/database.ts';
import { centsField, namedObject } from '../http/fields.ts';
import { isRefusal, notFound } from '../http/responses.ts';
import { storesById } from '../merchants/stores-sql.ts';
import { endpoint } from '../people/endpoint.ts';
import { startOfUtcDay, type DayRange } from './day-range.ts';
import { parsePeriod, periodFields } from './period-query.ts';
import { listProducts, type ProductRow } from './product-results-sql.ts';

/** For all stores together. */
const ordersMax = 5_000;
const bytesMax = 4_000_000;
/** Of one store, by commissions; its other products are in `other`. */
const productsMax = 500;
const rowsMax = 100;
const defaultRows = 10;

const amountFields = {
  orders: T.Integer(),
  revenue_cents: centsField(),
  earned_cents: centsField('Without rejected and reversed commissions'),
};

export const productResultsEndpoint = endpoint({
  summary: "Rank the products of a creator's orders by their commissions",
  access: { allow: 'creator', permission: 'creator:read' },
  query: T.Object(
    {
      ...periodFields,
      link: T.Optional(T.String({ pattern: codeShape, description: 'Limits the results to the link with this code' })),
      limit: T.Optional(T.Integer({ minimum: 1, maximum: rowsMax, description: `The number of products; ${defaultRows} by default` })),
    },
    { additionalProperties: false },
  ),
  reply: namedObject('ProductResults', {
    from: T.String(),
    to: T.String(),
    is_complete: T.Boolean({
      description: `False: only the newest orders were read, at most ${ordersMax} with ${bytesMax / 1_000_000} MB of line items; older ones are in other`,
    }),
    products: T.Array(
      T.Object({
        product_id: T.String({ description: "The store's ID of the product" }),
        store_id: T.String(),
        store_name: T.String(),
        units: T.Integer(),
        ...amountFields,
      }),
      { description: 'By commissions. An order with several products counts for each of them' },
    ),
    other: T.Object(
      { revenue_cents: centsField(), earned_cents: centsField() },
      { description: 'All other products, and orders that were not read' },
    ),
    without_products: T.Object(amountFields, {
      description: 'Orders without line items, invoices of subscriptions, and leads, which are not orders',
    }),
    totals: T.Object(amountFields, {
      description: 'The totals of the period. The revenue and commissions of products, other, and without_products add up to them',
    }),
  }),
  async handle({ db, ids: { creator: creatorId }, query, now }) {
    const range = parsePeriod(query, now);
    if (isRefusal(range)) return range;
    const storeIds = await listStoresOfCreator(db, creatorId);
    const code = query.link ?? null;
    if (code !== null && (await findLinkNumber(db, { creatorId, storeIds, code })) === null) return notFound;
    return { ...range, ...(await rankProducts(db, { creatorId, storeIds, code, range, limit: query.limit ?? defaultRows })) };
  },
});

type Ranking = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  readonly code: string | null;
  readonly range: DayRange;
  readonly limit: number;
};
type Amounts = Pick<ProductRow, 'orders' | 'revenueCents' | 'earnedCents'>;
type Product = Amounts & { readonly storeId: Id<'store'>; readonly productId: string; readonly units: bigint };

/** One store at a time, because stores may be on different machines. They share the limits. */
async function rankProducts(db: Queryable, { creatorId, storeIds, code, range, limit }: Ranking) {
  const shares = Math.max(1, storeIds.length);
  const limits = {
    from: startOfUtcDay(range.from),
    to: plusDays(startOfUtcDay(range.to), 1),
    ordersMax: Math.ceil(ordersMax / shares),
    bytesMax: Math.ceil(bytesMax / shares),
    rowsMax: productsMax,
  };
  const read: Array<ProductRow & { readonly storeId: Id<'store'> }> = [];
  for (const storeId of storeIds)
    for (const row of await listProducts(db, { storeId, creatorId, code, range }, limits)) read.push({ ...row, storeId });
  const products = read.flatMap((row): readonly Product[] => (row.productId === null ? [] : [{ ...row, productId: row.productId }]));
  const shown = products.toSorted(mostFirst).slice(0, limit);
  const totals = addUp(read.filter(({ isTotal }) => isTotal));
  const without = addUp(read.filter(({ isTotal, productId }) => !isTotal && productId === null));
  const counted = addUp([...shown, without]);
  const stores = await storesById(
    db,
    shown.map(({ storeId }) => storeId),
  );
  return {
    is_complete: read.every(({ looked, bytes }) => looked < limits.ordersMax && bytes <= limits.bytesMax),
    products: shown.map((product) => ({
      product_id: product.productId,
      store_id: publicId('store', product.storeId),
      store_name: stores.get(product.storeId)?.name ?? '',
      units: Number(product.units),
      ...showAmounts(product),
    })),
    other: { revenue_cents: totals.revenueCents - counted.revenueCents, earned_cents: totals.earnedCents - counted.earnedCents },
    without_products: showAmounts(without),
    totals: showAmounts(totals),
  };
}

const mostFirst = (one: Product, two: Product): number =>
  compare(two.earnedCents, one.earnedCents) || compare(two.revenueCents, one.revenueCents) || (one.productId < two.productId ? -1 : 1);
const compare = (one: bigint, two: bigint): number => (one > two ? 1 : one < two ? -1 : 0);

const addUp = (rows: readonly Amounts[]): Amounts =>
  rows.reduce<Amounts>(
    (sum, row) => ({
      orders: sum.orders + row.orders,
      revenueCents: sum.revenueCents + row.revenueCents,
      earnedCents: sum.earnedCents + row.earnedCents,
    }),
    { orders: 0n, revenueCents: 0n, earnedCents: 0n },
  );

const showAmounts = ({ orders, revenueCents, earnedCents }: Amounts) => ({
  orders: Number(orders),
  revenue_cents: revenueCents,
  earned_cents: earnedCents,
});
