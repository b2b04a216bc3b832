import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Cents } from '../platform/money.ts';

/** Null in a field: the default of the mode. */
export type RiskRow = {
  readonly enforce: boolean | null;
  readonly reserveDays: number | null;
  readonly reserveUntilInvoices: number | null;
  readonly largeFirstPayoutCents: Cents | null;
  readonly ordersPerHourMin: number | null;
  readonly orderSizeMinCents: Cents | null;
};

export const readRiskRow = (db: Queryable): Promise<RiskRow | null> =>
  db.find(sql`
    select enforce, reserve_days, reserve_until_invoices, large_first_payout_cents, orders_per_hour_min, order_size_min_cents
    from risk_settings`);

export async function writeRiskRow(db: Queryable, row: RiskRow, at: Date): Promise<void> {
  await db.run(sql`
    insert into risk_settings (singleton, enforce, reserve_days, reserve_until_invoices, large_first_payout_cents, orders_per_hour_min,
      order_size_min_cents, changed_at)
    values (true, ${row.enforce}, ${row.reserveDays}, ${row.reserveUntilInvoices}, ${row.largeFirstPayoutCents}, ${row.ordersPerHourMin},
      ${row.orderSizeMinCents}, ${at})
    on conflict (singleton) do update set enforce = excluded.enforce, reserve_days = excluded.reserve_days,
      reserve_until_invoices = excluded.reserve_until_invoices, large_first_payout_cents = excluded.large_first_payout_cents,
      orders_per_hour_min = excluded.orders_per_hour_min, order_size_min_cents = excluded.order_size_min_cents,
      changed_at = excluded.changed_at`);
}
