import { Type as T } from 'typebox';
import { centsField } from '../http/fields.ts';

/** Results of a period, as in rollups/sales-totals-sql.ts. */
export type SalesTotals = {
  readonly clicks: bigint;
  readonly orders: bigint;
  readonly revenueCents: bigint;
  readonly earnedCents: bigint;
};

export const salesTotalsFields = {
  clicks: T.Integer({ description: 'Clicks by people, which can lead to an order' }),
  orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
  revenue_cents: centsField(),
  earned_cents: centsField('The commissions of these orders, without rejected and reversed ones'),
};

export const addSales = (rows: readonly SalesTotals[]): SalesTotals =>
  rows.reduce<SalesTotals>(
    (sum, row) => ({
      clicks: sum.clicks + row.clicks,
      orders: sum.orders + row.orders,
      revenueCents: sum.revenueCents + row.revenueCents,
      earnedCents: sum.earnedCents + row.earnedCents,
    }),
    { clicks: 0n, orders: 0n, revenueCents: 0n, earnedCents: 0n },
  );

export const showSales = ({ clicks, orders, revenueCents, earnedCents }: SalesTotals) => ({
  clicks: Number(clicks),
  orders: Number(orders),
  revenue_cents: revenueCents,
  earned_cents: earnedCents,
});
