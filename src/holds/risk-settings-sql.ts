import type { Queryable, Transaction } from '../db/database.ts';
import { sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

/** Null for the default of the mode. */
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

/** In the form of the API. */
type RequestedValues = {
  readonly enforce: boolean | null;
  readonly reserve_days: number | null;
  readonly reserve_until_invoices: number | null;
  readonly large_first_payout_cents: number | null;
  readonly orders_per_hour_min: number | null;
  readonly order_size_min_cents: number | null;
};

/** Requested looser settings that await a second operator. */
export type RequestedRiskSettings = { readonly values: RequestedValues; readonly at: Date; readonly byUserId: Id<'user'> | null };
export type StoredRiskSettings = RiskRow & { readonly requested: RequestedRiskSettings | null };

type Row = RiskRow & {
  readonly requested: RequestedValues | null;
  readonly requestedAt: Date | null;
  readonly requestedByUserId: Id<'user'> | null;
};
const columns = sql`
  enforce, reserve_days, reserve_until_invoices, large_first_payout_cents, orders_per_hour_min, order_size_min_cents,
  asked as requested, asked_at as requested_at, asked_by_user_id as requested_by_user_id`;

const settingsOfRow = ({ requested, requestedAt, requestedByUserId, ...row }: Row): StoredRiskSettings => ({
  ...row,
  requested: requested === null || requestedAt === null ? null : { values: requested, at: requestedAt, byUserId: requestedByUserId },
});

export async function readStoredRiskSettings(db: Queryable): Promise<StoredRiskSettings | null> {
  const row = await db.find<Row>(sql`select ${columns} from risk_settings`);
  return row === null ? null : settingsOfRow(row);
}

/** Inserts the row if it is missing. The lock serializes concurrent changes. */
export async function lockRiskSettings(tx: Transaction, at: Date): Promise<StoredRiskSettings> {
  await tx.run(sql`insert into risk_settings (singleton, changed_at) values (true, ${at}) on conflict do nothing`);
  return settingsOfRow(await tx.one<Row>(sql`select ${columns} from risk_settings where singleton for update`));
}

/** The caller must hold the lock on the settings. */
export async function writeRiskSettings(tx: Transaction, { requested, ...row }: StoredRiskSettings, at: Date): Promise<void> {
  await tx.run(sql`
    update risk_settings set enforce = ${row.enforce}, reserve_days = ${row.reserveDays},
      reserve_until_invoices = ${row.reserveUntilInvoices}, large_first_payout_cents = ${row.largeFirstPayoutCents},
      orders_per_hour_min = ${row.ordersPerHourMin}, order_size_min_cents = ${row.orderSizeMinCents}, changed_at = ${at},
      asked = ${requested === null ? null : JSON.stringify(requested.values)}::jsonb, asked_at = ${requested?.at ?? null},
      asked_by_user_id = ${requested?.byUserId ?? null}
    where singleton`);
}
