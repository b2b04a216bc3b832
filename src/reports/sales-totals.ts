import { Type as T } from 'typebox';
import { centsField } from '../http/fields.ts';

/** Results of a period, as in rollups/sales-totals-sql.ts. */
export type SalesTotals = {
  readonly clicks: bigint;
  readonly leads: bigint;
  readonly orders: bigint;
  readonly revenueCents: bigint;
  readonly earnedCents: bigint;
};

export const salesTotalsFields = {
  clicks: T.Integer({ description: 'Clicks by people, which can lead to an order' }),
  leads: T.Integer({ description: 'Reported leads, such as sign-ups, trials, and booked calls' }),
  orders: T.Integer({ description: 'One-time orders and paid invoices of subscriptions' }),
  revenue_cents: centsField(),
  earned_cents: centsField('The commissions of these orders and leads, without rejected and reversed ones'),
};

export const addSales = (rows: readonly SalesTotals[]): SalesTotals =>
  rows.reduce<SalesTotals>(
    (sum, row) => ({
      clicks: sum.clicks + row.clicks,
      leads: sum.leads + row.leads,
      orders: sum.orders + row.orders,
      revenueCents: sum.revenueCents + row.revenueCents,
      earnedCents: sum.earnedCents + row.earnedCents,
    }),
    { clicks: 0n, leads: 0n, orders: 0n, revenueCents: 0n, earnedCents: 0n },
  );

export const showSales = ({ clicks, leads, orders, revenueCents, earnedCents }: SalesTotals) => ({
  clicks: Number(clicks),
  leads: Number(leads),
  orders: Number(orders),
  revenue_cents: revenueCents,
  earned_cents: earnedCents,
});
