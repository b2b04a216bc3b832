import { isOnHoldSql } from '../holds/holds-sql.ts';
import type { Queryable } from '../db/database.ts';
import { bigints, byteas, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** The invoice and payout of a commission. */
export type PaymentProgress = {
  readonly commissionId: Id<'com'>;
  readonly payoutId: Id<'pay'> | null;
  readonly invoiceState: string | null;
  readonly nextChargeAt: Date | null;
  /** The platform reviews its payout. */
  readonly isKeptBack: boolean;
  /** Refunds that came after its payout had begun, of which the operator bears the part. */
  readonly lateRefundedCents: bigint;
};

/** For one page of one store, by primary keys. Each subquery names the store: Citus does not infer it for subqueries of a select list. */
export const listPaymentProgress = (
  db: Queryable,
  { storeId, commissionIds }: { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> },
): Promise<PaymentProgress[]> =>
  db.all(sql`
    select c.commission_id, c.payout_id, i.state as invoice_state, i.next_charge_at, ${isOnHoldSql(storeId)} as is_kept_back,
      (select coalesce(sum(late_eligible_cents), 0) from credit_note_lines l
        where l.store_id = ${storeId} and l.commission_id = c.commission_id) as late_refunded_cents
    from commissions c left join invoices i on i.store_id = c.store_id and i.invoice_id = c.invoice_id
    where c.store_id = ${storeId} and c.commission_id = any(${uuids(commissionIds)})`);

export type PayoutEnd = { readonly payoutId: Id<'pay'>; readonly endedAt: Date | null };

export const listPayoutEnds = (
  db: Queryable,
  { creatorId, payoutIds }: { readonly creatorId: Id<'crt'>; readonly payoutIds: ReadonlyArray<Id<'pay'>> },
): Promise<PayoutEnd[]> =>
  db.all(sql`
    select payout_id, ended_at from payouts where creator_id = ${creatorId} and payout_id = any(${uuids(payoutIds)})`);

/** The sub-IDs that the creator added to links, by click. A deleted click has none. */
export const listSubIds = (
  db: Queryable,
  { storeId, clickIds }: { readonly storeId: Id<'store'>; readonly clickIds: ReadonlyArray<Id<'click'>> },
): Promise<Array<{ readonly clickId: Id<'click'>; readonly subId: string }>> =>
  db.all(sql`
    select click_id, sub_id from clicks where store_id = ${storeId} and click_id = any(${uuids(clickIds)}) and sub_id is not null`);

export type PaidYear = { readonly year: number; readonly paidCents: bigint; readonly payouts: bigint };

/** Arrived payouts by UTC year, without returned ones. */
export const listPaidYears = (db: Queryable, creatorId: Id<'crt'>): Promise<PaidYear[]> =>
  db.all(sql`
    select extract(year from ended_at at time zone 'utc')::int as year, sum(amount_cents) as paid_cents, count(*) as payouts
    from payouts where creator_id = ${creatorId} and state = 'paid' group by 1 order by 1 desc`);

type CreatorInStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Refused orders that the merchant corrected and sent again, and that were recorded for the same creator. */
export async function listRecordedLater(
  db: Queryable,
  {
    storeId,
    creatorId,
    operation,
    hashes,
  }: CreatorInStore & { readonly operation: 'conversion' | 'lead'; readonly hashes: readonly Buffer[] },
): Promise<ReadonlySet<string>> {
  if (hashes.length === 0) return new Set();
  const rows = await db.all<{ hash: Buffer }>(
    operation === 'conversion'
      ? sql`
        select o.order_hash as hash from orders o join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
        where o.store_id = ${storeId} and o.order_hash = any(${byteas(hashes)}) and c.creator_id = ${creatorId}`
      : sql`
        select lead_hash as hash from leads
        where store_id = ${storeId} and lead_hash = any(${byteas(hashes)}) and creator_id = ${creatorId}`,
  );
  return new Set(rows.map(({ hash }) => hash.toString('hex')));
}

/** For one page of one store, by primary key. */
export const listLinkCodes = (
  db: Queryable,
  { storeId, linkNumbers }: { readonly storeId: Id<'store'>; readonly linkNumbers: readonly bigint[] },
): Promise<Array<{ readonly linkNumber: bigint; readonly code: string }>> =>
  db.all(sql`select link_number, code from links where store_id = ${storeId} and link_number = any(${bigints(linkNumbers)})`);
