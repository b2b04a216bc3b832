import { keptBack } from '../holds/holds-sql.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** Where a commission stands on its way to its creator: the bill and the payout that it is in. */
export type OnItsWay = {
  readonly commissionId: Id<'com'>;
  readonly payoutId: Id<'pay'> | null;
  readonly billState: string | null;
  readonly nextChargeAt: Date | null;
  /** Its payout is under review by the platform. */
  readonly isKeptBack: boolean;
};

/** Of one page in one store, by primary keys. */
export const onTheirWay = (
  db: Queryable,
  { storeId, commissionIds }: { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> },
): Promise<OnItsWay[]> =>
  db.all(sql`
    select c.commission_id, c.payout_id, i.state as bill_state, i.next_charge_at, ${keptBack} as is_kept_back
    from commissions c left join invoices i on i.store_id = c.store_id and i.invoice_id = c.invoice_id
    where c.store_id = ${storeId} and c.commission_id = any(${commissionIds}::uuid[])`);

export type PayoutEnd = { readonly payoutId: Id<'pay'>; readonly endedAt: Date | null };

export const payoutEnds = (
  db: Queryable,
  { creatorId, payoutIds }: { readonly creatorId: Id<'crt'>; readonly payoutIds: ReadonlyArray<Id<'pay'>> },
): Promise<PayoutEnd[]> =>
  db.all(sql`
    select payout_id, ended_at from payouts where creator_id = ${creatorId} and payout_id = any(${payoutIds}::uuid[])`);

/** What the creator added to the link: by the click of the order. A click that was dropped since has none. */
export const subIdsOf = (
  db: Queryable,
  { storeId, clickIds }: { readonly storeId: Id<'store'>; readonly clickIds: ReadonlyArray<Id<'click'>> },
): Promise<Array<{ readonly clickId: Id<'click'>; readonly subId: string }>> =>
  db.all(sql`
    select click_id, sub_id from clicks where store_id = ${storeId} and click_id = any(${clickIds}::uuid[]) and sub_id is not null`);

export type PaidYear = { readonly year: number; readonly paidCents: bigint; readonly payouts: bigint };

/** What arrived, by the year (UTC) in which it did; what came back is not there. */
export const paidByYear = (db: Queryable, creatorId: Id<'crt'>): Promise<PaidYear[]> =>
  db.all(sql`
    select extract(year from ended_at at time zone 'utc')::int as year, sum(amount_cents) as paid_cents, count(*) as payouts
    from payouts where creator_id = ${creatorId} and state = 'paid' group by 1 order by 1 desc`);

type OfCreator = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Those that were recorded after all, for the same creator: a merchant may correct an order and send it again. */
export async function recordedLater(
  db: Queryable,
  { storeId, creatorId, orderHashes }: OfCreator & { readonly orderHashes: readonly Buffer[] },
): Promise<ReadonlySet<string>> {
  const rows = await db.all<{ orderHash: Buffer }>(sql`
    select o.order_hash from orders o join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
    where o.store_id = ${storeId} and o.order_hash = any(${orderHashes}::bytea[]) and c.creator_id = ${creatorId}`);
  return new Set(rows.map(({ orderHash }) => orderHash.toString('hex')));
}

/** Of one page in one store, by primary key. */
export const codesOfLinks = (
  db: Queryable,
  { storeId, linkNumbers }: { readonly storeId: Id<'store'>; readonly linkNumbers: readonly bigint[] },
): Promise<Array<{ readonly linkNumber: bigint; readonly code: string }>> =>
  db.all(sql`select link_number, code from links where store_id = ${storeId} and link_number = any(${linkNumbers}::bigint[])`);
