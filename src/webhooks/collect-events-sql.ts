import type { SourceKind } from '../commissions/commission.ts';
import type { IssuedAmounts } from '../billing/invoice.ts';
import type { AttributionWhy } from '../contract/why.ts';
import type { Queryable } from '../db/database.ts';
import { sql, texts, timestamps, uuids } from '../db/sql.ts';
import { firstIdAt, type Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';

// The postback path writes no events, to stay fast. New commissions are found here, afterwards.

export type FoundEvent = { readonly type: string; readonly subjectId: Id; readonly at: Date };
export type Since = { readonly storeId: Id<'store'>; readonly since: Date; readonly limit: number };
/** A subscribed event type, and the time from which on the first endpoint subscribes to it. */
export type Wanted = { readonly type: string; readonly since: Date };
export type EventQuery = Since & { readonly readFrom: Date; readonly wanted: readonly Wanted[] };
type InvoiceEventQuery = Since & Pick<EventQuery, 'wanted'>;

/** By primary key: a commission's ID contains its creation time. */
export const listNewCommissions = (db: Queryable, { storeId, readFrom, since, limit }: EventQuery): Promise<FoundEvent[]> =>
  db.all(sql`
    select 'commission.recorded' as type, commission_id as subject_id, recorded_at as at from commissions c
    where store_id = ${storeId} and commission_id >= ${firstIdAt(readFrom)} and recorded_at >= ${since} and not exists (
      select 1 from webhook_events e
      where e.store_id = c.store_id and e.subject_id = c.commission_id and e.type = 'commission.recorded' and e.at = c.recorded_at)
    order by commission_id limit ${limit}`);

/** By commissions_reversed. */
export const listNewReversals = (db: Queryable, { storeId, readFrom, since, limit }: EventQuery): Promise<FoundEvent[]> =>
  db.all(sql`
    select 'commission.reversed' as type, commission_id as subject_id, reversed_at as at from commissions c
    where store_id = ${storeId} and state = 'reversed' and reversed_at >= ${readFrom} and reversed_at >= ${since} and not exists (
      select 1 from webhook_events e
      where e.store_id = c.store_id and e.subject_id = c.commission_id and e.type = 'commission.reversed' and e.at = c.reversed_at)
    order by reversed_at limit ${limit}`);

/**
 * State changes of a store's invoices since then. A store has few invoices a year, so all are read. Finds only subscribed types, since
 * others would be found again by every poll and fill the page. An `invoice.failed` event is about a declined charge.
 */
export const listInvoiceChanges = (db: Queryable, { storeId, since, wanted, limit }: InvoiceEventQuery): Promise<FoundEvent[]> =>
  db.all(sql`
    with wanted as (
      select * from unnest(
        ${texts(wanted.map(({ type }) => type))}, ${timestamps(wanted.map((one) => one.since))}) as each (type, since)
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

export const listTrackingTurnedOn = (db: Queryable, { storeId, since }: Since): Promise<FoundEvent[]> =>
  db.all(sql`
    select 'tracking.on' as type, store_id as subject_id, tracking_on_at as at from stores s
    where store_id = ${storeId} and tracking_on_at >= ${since} and not exists (
      select 1 from webhook_events e
      where e.store_id = s.store_id and e.subject_id = s.store_id and e.type = 'tracking.on' and e.at = s.tracking_on_at)`);

export type CommissionOfEvent = {
  readonly commissionId: Id<'com'>;
  readonly programId: Id<'prog'>;
  readonly creatorId: Id<'crt'>;
  readonly sourceKind: SourceKind;
  readonly sourceText: string;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
  readonly occurredAt: Date;
  readonly recordedAt: Date;
  readonly holdUntil: Date;
  readonly reversalReason: string | null;
  readonly attribution: AttributionWhy | null;
  readonly leadKind: string | null;
  /** Only of a bonus. */
  readonly bonusReason: string | null;
  readonly bonusOrderId: string | null;
};

export const listCommissionsOfEvents = (db: Queryable, storeId: Id<'store'>, ids: readonly Id[]): Promise<CommissionOfEvent[]> =>
  db.all(sql`
    select c.commission_id, c.program_id, c.creator_id, c.source_kind, c.source_text, c.eligible_cents, c.amount_cents, c.occurred_at,
      c.recorded_at, c.hold_until, c.reversal_reason, coalesce(o.attribution, l.attribution) as attribution, l.kind as lead_kind,
      b.reason as bonus_reason, b.order_id as bonus_order_id
    from commissions c
    left join bonuses b on c.source_kind = 'bonus' and b.store_id = c.store_id and b.commission_id = c.commission_id
    left join orders o on c.source_kind = 'order' and o.store_id = c.store_id
      and o.order_hash = coalesce(c.source_hash, sha256(convert_to(c.source_text, 'UTF8')))
    left join leads l on c.source_kind = 'lead' and l.store_id = c.store_id and l.lead_id = c.source_id
    where c.store_id = ${storeId} and c.commission_id = any(${uuids(ids)})`);

/** Includes the failed charge if the event is about one. */
export type InvoiceOfEvent = IssuedAmounts & {
  readonly subjectId: Id;
  readonly invoiceId: Id<'inv'>;
  readonly chargeId: Id<'chg'> | null;
  readonly chargedCents: Cents | null;
  readonly message: string | null;
};

export const listInvoicesOfEvents = (db: Queryable, storeId: Id<'store'>, ids: readonly Id[]): Promise<InvoiceOfEvent[]> =>
  db.all(sql`
    select coalesce(c.charge_id, i.invoice_id) as subject_id, i.invoice_id, i.number, i.issued_at, i.lines_count, i.lines_cents,
      i.fee_basis_points, i.fee_cents, i.credit_cents, i.total_cents, c.charge_id, c.amount_cents as charged_cents, c.message
    from invoices i
    left join charges c on c.store_id = i.store_id and c.invoice_id = i.invoice_id and c.charge_id = any(${uuids(ids)})
    where i.store_id = ${storeId} and (i.invoice_id = any(${uuids(ids)}) or c.charge_id is not null)`);
