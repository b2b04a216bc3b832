import type { Queryable } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';

/** What a case is about, in money: totals, since they may be larger than one amount. */
export type Affected = {
  /** Not collected yet. */
  readonly aheadCents: bigint;
  /** Collected, and in no payout. */
  readonly collectedCents: bigint;
  /** In payouts that have not arrived. */
  readonly inPayoutCents: bigint;
  /** Paid to the creator: what is lost if the money goes back. */
  readonly paidCents: bigint;
};

type About = {
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  readonly creatorId: Id<'crt'> | null;
  readonly invoiceId: Id<'inv'> | null;
};

/** By commissions_of_invoice or commissions_of_creator. */
export const affectedBy = (db: Queryable, { storeIds, creatorId, invoiceId }: About): Promise<Affected> =>
  db.one(sql`
    select coalesce(sum(amount_cents) filter (where state in ('pending', 'approved', 'billed')), 0) as ahead_cents,
      coalesce(sum(amount_cents) filter (where state = 'collected' and payout_id is null), 0) as collected_cents,
      coalesce(sum(amount_cents) filter (where state = 'collected' and payout_id is not null), 0) as in_payout_cents,
      coalesce(sum(amount_cents) filter (where state = 'paid'), 0) as paid_cents
    from commissions
    where store_id = any(${storeIds}::uuid[]) ${creatorId === null ? nothing : sql`and creator_id = ${creatorId}`}
      ${invoiceId === null ? nothing : sql`and invoice_id = ${invoiceId}`}`);

export type Exposure = { readonly creatorId: Id<'crt'>; readonly paidCents: bigint; readonly openCents: bigint };

/** Whom an invoice paid, the largest amounts first. */
export const creatorsOfInvoice = (
  db: Queryable,
  { storeId, invoiceId }: { readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> },
  limit: number,
): Promise<Exposure[]> =>
  db.all(sql`
    select creator_id, coalesce(sum(amount_cents) filter (where state = 'paid'), 0) as paid_cents,
      coalesce(sum(amount_cents) filter (where state <> 'paid'), 0) as open_cents
    from commissions where store_id = ${storeId} and invoice_id = ${invoiceId}
    group by creator_id order by sum(amount_cents) desc, creator_id limit ${limit}`);
