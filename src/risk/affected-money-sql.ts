import { isUncollected } from '../commissions/commission-states-sql.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';

/** The money that a case affects. Totals may exceed the limit of one amount. */
export type Affected = {
  /** Not collected yet. */
  readonly aheadCents: bigint;
  /** Collected and not in a payout. */
  readonly collectedCents: bigint;
  /** In payouts that have not arrived. */
  readonly inPayoutCents: bigint;
  /** Paid to the creator: lost if the charge is reversed. */
  readonly paidCents: bigint;
};

type About = {
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  readonly creatorId: Id<'crt'> | null;
  readonly invoiceId: Id<'inv'> | null;
};

/** Reads an invoice by its lines, a creator by commissions_by_creator, and all commissions of a whole store. */
export const sumAffectedMoney = (db: Queryable, { storeIds, creatorId, invoiceId }: About): Promise<Affected> =>
  db.one(sql`
    select coalesce(sum(c.amount_cents) filter (where ${isUncollected}), 0) as ahead_cents,
      coalesce(sum(c.amount_cents) filter (where state = 'collected' and payout_id is null), 0) as collected_cents,
      coalesce(sum(c.amount_cents) filter (where state = 'collected' and payout_id is not null), 0) as in_payout_cents,
      coalesce(sum(c.amount_cents) filter (where state = 'paid'), 0) as paid_cents
    from ${invoiceId === null ? sql`commissions c` : ofInvoice(invoiceId)}
    where c.store_id = any(${uuids(storeIds)}) ${creatorId === null ? emptySql : sql`and c.creator_id = ${creatorId}`}`);

/** By invoice_lines_of_invoice, since commissions have no index by their invoice. */
const ofInvoice = (invoiceId: Id<'inv'>) => sql`
  invoice_lines l join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id and l.invoice_id = ${invoiceId}`;

export type Exposure = { readonly creatorId: Id<'crt'>; readonly paidCents: bigint; readonly openCents: bigint };

/** The creators that an invoice pays, largest amounts first. */
export const listExposedCreators = (
  db: Queryable,
  { storeId, invoiceId }: { readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> },
  limit: number,
): Promise<Exposure[]> =>
  db.all(sql`
    select c.creator_id, coalesce(sum(c.amount_cents) filter (where state = 'paid'), 0) as paid_cents,
      coalesce(sum(c.amount_cents) filter (where state <> 'paid'), 0) as open_cents
    from ${ofInvoice(invoiceId)} where c.store_id = ${storeId} and l.store_id = ${storeId}
    group by c.creator_id order by sum(c.amount_cents) desc, c.creator_id limit ${limit}`);
