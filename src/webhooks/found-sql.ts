import type { Bill } from '../billing/invoice.ts';
import type { Queryable } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import { firstIdAt, type Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';

// What happened without being told: nothing is written on the way of an order, so its commission is found here, after it.

export type Found = { readonly type: string; readonly subjectId: Id; readonly at: Date };
export type Since = { readonly storeId: Id<'store'>; readonly since: Date; readonly limit: number };
/** What somebody wants to be told, and the moment from which on the first of them does. */
export type Wanted = { readonly type: string; readonly since: Date };
export type Looking = Since & { readonly readFrom: Date; readonly wanted: readonly Wanted[] };
type LookingForInvoices = Since & Pick<Looking, 'wanted'>;

/** By primary key: a commission's id is when it was opened. */
export const newCommissions = (db: Queryable, { storeId, readFrom, since, limit }: Looking): Promise<Found[]> =>
  db.all(sql`
    select 'commission.recorded' as type, commission_id as subject_id, recorded_at as at from commissions c
    where store_id = ${storeId} and commission_id >= ${firstIdAt(readFrom)} and recorded_at >= ${since} and not exists (
      select 1 from webhook_events e
      where e.store_id = c.store_id and e.subject_id = c.commission_id and e.type = 'commission.recorded' and e.at = c.recorded_at)
    order by commission_id limit ${limit}`);

/** By commissions_reversed. */
export const newReversals = (db: Queryable, { storeId, readFrom, since, limit }: Looking): Promise<Found[]> =>
  db.all(sql`
    select 'commission.reversed' as type, commission_id as subject_id, reversed_at as at from commissions c
    where store_id = ${storeId} and state = 'reversed' and reversed_at >= ${readFrom} and reversed_at >= ${since} and not exists (
      select 1 from webhook_events e
      where e.store_id = c.store_id and e.subject_id = c.commission_id and e.type = 'commission.reversed' and e.at = c.reversed_at)
    order by reversed_at limit ${limit}`);

/**
 * What became of a store's invoices since then. They say it themselves, each with its time, and a store has a handful a
 * year: all are looked through. Only what is wanted is found: all else would be found at each look, and in the end nothing
 * but that. A charge that was declined is what an `invoice.failed` is about.
 */
export const newsOfInvoices = (db: Queryable, { storeId, since, wanted, limit }: LookingForInvoices): Promise<Found[]> =>
  db.all(sql`
    with wanted as (
      select * from unnest(
        ${wanted.map(({ type }) => type)}::text[], ${wanted.map((one) => one.since)}::timestamptz[]) as each (type, since)
    ), life as (
      select l.type, i.invoice_id as subject_id, l.at from invoices i cross join lateral (values
        ('invoice.issued', i.issued_at), ('invoice.paid', i.paid_at), ('invoice.past_due', i.past_due_at),
        ('invoice.voided', i.voided_at), ('invoice.charged_back', i.charged_back_at)) as l (type, at)
      where i.store_id = ${storeId} and l.at >= ${since}
      union all
      select 'invoice.failed', c.charge_id, c.ended_at from charges c
      where c.store_id = ${storeId} and c.state = 'declined' and c.ended_at >= ${since}
    )
    select life.type, life.subject_id, life.at from life join wanted on wanted.type = life.type and life.at >= wanted.since
    where not exists (
      select 1 from webhook_events e
      where e.store_id = ${storeId} and e.subject_id = life.subject_id and e.type = life.type and e.at = life.at)
    order by life.at limit ${limit}`);

export const trackingTurnedOn = (db: Queryable, { storeId, since }: Since): Promise<Found[]> =>
  db.all(sql`
    select 'tracking.on' as type, store_id as subject_id, tracking_on_at as at from stores s
    where store_id = ${storeId} and tracking_on_at >= ${since} and not exists (
      select 1 from webhook_events e
      where e.store_id = s.store_id and e.subject_id = s.store_id and e.type = 'tracking.on' and e.at = s.tracking_on_at)`);

export type ToldCommission = {
  readonly commissionId: Id<'com'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly sourceKind: 'order' | 'invoice';
  readonly sourceText: string;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly holdUntil: Date;
  readonly reversalReason: string | null;
};

export const toldCommissions = (db: Queryable, storeId: Id<'store'>, ids: readonly Id[]): Promise<ToldCommission[]> =>
  db.all(sql`
    select commission_id, program_id, creator_id, source_kind, source_text, eligible_cents, amount_cents, occurred_at, recorded_at,
      hold_until, reversal_reason
    from commissions where store_id = ${storeId} and commission_id = any(${ids}::uuid[])`);

/** With the charge that failed, where the event is about one. */
export type ToldInvoice = Bill & {
  readonly subjectId: Id;
  readonly invoiceId: Id<'inv'>;
  readonly chargeId: Id<'chg'> | null;
  readonly chargedCents: Cents | null;
  readonly message: string | null;
};

export const toldInvoices = (db: Queryable, storeId: Id<'store'>, ids: readonly Id[]): Promise<ToldInvoice[]> =>
  db.all(sql`
    select coalesce(c.charge_id, i.invoice_id) as subject_id, i.invoice_id, i.number, i.issued_at, i.lines_count, i.lines_cents,
      i.fee_basis_points, i.fee_cents, i.credit_cents, i.total_cents, c.charge_id, c.amount_cents as charged_cents, c.message
    from invoices i
    left join charges c on c.store_id = i.store_id and c.invoice_id = i.invoice_id and c.charge_id = any(${ids}::uuid[])
    where i.store_id = ${storeId} and (i.invoice_id = any(${ids}::uuid[]) or c.charge_id is not null)`);
