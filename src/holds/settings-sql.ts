import type { Queryable, Transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
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

/** As the API takes them, which is how they are kept. */
type AskedValues = {
  readonly enforce: boolean | null;
  readonly reserve_days: number | null;
  readonly reserve_until_invoices: number | null;
  readonly large_first_payout_cents: number | null;
  readonly orders_per_hour_min: number | null;
  readonly order_size_min_cents: number | null;
};

/** Looser settings that wait for a second operator, as they were asked for. */
export type AskedRisk = { readonly values: AskedValues; readonly at: Date; readonly byUserId: Id<'user'> | null };
export type KeptRisk = RiskRow & { readonly asked: AskedRisk | null };

type Row = RiskRow & { readonly asked: AskedValues | null; readonly askedAt: Date | null; readonly askedByUserId: Id<'user'> | null };
const columns = sql`
  enforce, reserve_days, reserve_until_invoices, large_first_payout_cents, orders_per_hour_min, order_size_min_cents, asked, asked_at,
  asked_by_user_id`;

const keptOf = ({ asked, askedAt, askedByUserId, ...row }: Row): KeptRisk => ({
  ...row,
  asked: asked === null || askedAt === null ? null : { values: asked, at: askedAt, byUserId: askedByUserId },
});

export async function readKeptRisk(db: Queryable): Promise<KeptRisk | null> {
  const row = await db.find<Row>(sql`select ${columns} from risk_settings`);
  return row === null ? null : keptOf(row);
}

/** Made where they are not there yet. Two people who change them at once do so one after the other. */
export async function lockRiskSettings(tx: Transaction, at: Date): Promise<KeptRisk> {
  await tx.run(sql`insert into risk_settings (singleton, changed_at) values (true, ${at}) on conflict do nothing`);
  return keptOf(await tx.one<Row>(sql`select ${columns} from risk_settings where singleton for update`));
}

/** The caller must hold them. */
export async function writeRiskSettings(tx: Transaction, { asked, ...row }: KeptRisk, at: Date): Promise<void> {
  await tx.run(sql`
    update risk_settings set enforce = ${row.enforce}, reserve_days = ${row.reserveDays},
      reserve_until_invoices = ${row.reserveUntilInvoices}, large_first_payout_cents = ${row.largeFirstPayoutCents},
      orders_per_hour_min = ${row.ordersPerHourMin}, order_size_min_cents = ${row.orderSizeMinCents}, changed_at = ${at},
      asked = ${asked === null ? null : JSON.stringify(asked.values)}::jsonb, asked_at = ${asked?.at ?? null},
      asked_by_user_id = ${asked?.byUserId ?? null}
    where singleton`);
}
