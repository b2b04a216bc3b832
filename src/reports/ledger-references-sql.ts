import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { sql, type Sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { formerSubjectLengthMax } from '../tracking/log-sql.ts';

/** The order, invoice, commission, or postback behind a transfer. */
export type LedgerReference = {
  readonly sourceId: Id;
  readonly commissionId: Id<'com'> | null;
  /** The merchant's ID. */
  readonly orderId: string | null;
  readonly subscriptionInvoiceId: string | null;
  readonly leadId: string | null;
  readonly invoiceId: Id<'inv'> | null;
  readonly invoiceNumber: bigint | null;
  readonly postbackId: Id<'post'> | null;
};

type ReferencesQuery = { readonly storeId: Id<'store'>; readonly sourceIds: readonly Id[] };

const commissionColumns = sql`
  c.commission_id, case when c.source_kind = 'order' then c.source_text end as order_id,
  case when c.source_kind = 'invoice' then c.source_text end as subscription_invoice_id,
  case when c.source_kind = 'lead' then c.source_text end as lead_id,
  null::uuid as invoice_id, null::bigint as invoice_number`;

/** The accepted postback of an order, a lead, or a reversal; an ID is recorded once. By the index postback_log_by_subject. */
const postbackOfOrder = (operation: string, storeId: Id<'store'>): Sql => sql`(
  select postback_id from postback_log p
  where p.store_id = ${storeId} and p.subject = c.source_text and p.operation = ${operation} and p.reason = 'recorded'
  limit 1) as postback_id`;

/** The accepted postback of a subscription event. By the indexes subscription_events_by_record and postback_log_by_subject. */
const postbackOfEvent = (operation: string, { storeId, eventId }: { readonly storeId: Id<'store'>; readonly eventId: Sql }): Sql => sql`(
  select p.postback_id from subscription_events e
  join postback_log p on p.store_id = ${storeId} and p.subject in (e.event_id, left(e.event_id, ${formerSubjectLengthMax}))
    and p.operation = e.operation and p.reason = 'recorded'
  where e.store_id = ${storeId} and e.recorded_event_id = ${eventId} and e.operation = ${operation}
  limit 1) as postback_id`;

type CommissionKey = { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> };

/** The accepted postbacks of orders and payments, by commission. The commissions may belong to different stores. */
export const listPostbacksOfCommissions = (
  db: Queryable,
  sold: readonly CommissionKey[],
): Promise<ReadonlyArray<{ readonly commissionId: Id<'com'>; readonly postbackId: Id<'post'> | null }>> =>
  queryByStore(sold, (storeId, ofStore) => {
    const ids = uuids(ofStore.map(({ commissionId }) => commissionId));
    return db.all(sql`
      select c.commission_id, ${postbackOfOrder('conversion', storeId)}
      from commissions c where c.store_id = ${storeId} and c.commission_id = any(${ids}) and c.source_kind = 'order'
      union all
      select i.commission_id, ${postbackOfEvent('billing_event', { storeId, eventId: sql`i.paid_event_id` })}
      from relationship_invoices i where i.store_id = ${storeId} and i.commission_id = any(${ids})
      union all
      select c.commission_id, ${postbackOfOrder('lead', storeId)}
      from commissions c where c.store_id = ${storeId} and c.commission_id = any(${ids}) and c.source_kind = 'lead'`);
  });

/** By orders_of_transaction. */
export const listOrderReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select o.transaction_id as source_id, ${commissionColumns}, ${postbackOfOrder('conversion', storeId)}
    from orders o join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
    where o.store_id = ${storeId} and o.transaction_id = any(${uuids(sourceIds)})`);

/** By leads_by_id. */
export const listLeadReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select l.lead_id as source_id, ${commissionColumns}, ${postbackOfOrder('lead', storeId)}
    from leads l join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
    where l.store_id = ${storeId} and l.lead_id = any(${uuids(sourceIds)})`);

/** By invoices_by_payment. */
export const listPaymentReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select i.paid_event_id as source_id, ${commissionColumns},
      ${postbackOfEvent('billing_event', { storeId, eventId: sql`i.paid_event_id` })}
    from relationship_invoices i join commissions c on c.store_id = i.store_id and c.commission_id = i.commission_id
    where i.store_id = ${storeId} and i.paid_event_id = any(${uuids(sourceIds)})`);

/** By primary key. */
export const listBonusReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select b.bonus_id as source_id, ${commissionColumns}, null::uuid as postback_id
    from bonuses b join commissions c on c.store_id = b.store_id and c.commission_id = b.commission_id
    where b.store_id = ${storeId} and b.bonus_id = any(${uuids(sourceIds)})`);

/** Of orders by order_reversals_by_id, of subscriptions' invoices by invoices_by_reversal, of leads by lead_reversals_by_id. */
export const listReversalReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select r.reversal_id as source_id, ${commissionColumns}, ${postbackOfOrder('reversal', storeId)}
    from order_reversals r join orders o on o.store_id = r.store_id and o.order_hash = r.order_hash
      join commissions c on c.store_id = o.store_id and c.commission_id = o.commission_id
    where r.store_id = ${storeId} and r.reversal_id = any(${uuids(sourceIds)})
    union all
    select i.reversal_event_id, ${commissionColumns},
      ${postbackOfEvent('invoice_reversal', { storeId, eventId: sql`i.reversal_event_id` })}
    from relationship_invoices i join commissions c on c.store_id = i.store_id and c.commission_id = i.commission_id
    where i.store_id = ${storeId} and i.reversal_event_id = any(${uuids(sourceIds)})
    union all
    select r.reversal_id, ${commissionColumns}, ${postbackOfOrder('lead_reversal', storeId)}
    from lead_reversals r join leads l on l.store_id = r.store_id and l.lead_hash = r.lead_hash
      join commissions c on c.store_id = l.store_id and c.commission_id = l.commission_id
    where r.store_id = ${storeId} and r.reversal_id = any(${uuids(sourceIds)})`);

/** By refunds_by_id; the postback by postback_log_by_subject. */
export const listRefundReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select r.refund_id as source_id, ${commissionColumns}, (
      select p.postback_id from postback_log p
      where p.store_id = ${storeId} and p.subject in (r.merchant_refund_id, left(r.merchant_refund_id, ${formerSubjectLengthMax}))
        and p.operation = r.operation and p.reason = 'recorded' limit 1) as postback_id
    from refunds r join commissions c on c.store_id = r.store_id and c.commission_id = r.commission_id
    where r.store_id = ${storeId} and r.refund_id = any(${uuids(sourceIds)})`);

export const listDecisionReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    select d.decision_id as source_id, ${commissionColumns}, null::uuid as postback_id
    from decisions d join commissions c on c.store_id = d.store_id and c.commission_id = d.commission_id
    where d.store_id = ${storeId} and d.decision_id = any(${uuids(sourceIds)})`);

/** The source may be an invoice, its part, a charge, a dispute, a loss, or a credit note; each belongs to an invoice. */
export const listInvoiceReferences = (db: Queryable, { storeId, sourceIds }: ReferencesQuery): Promise<LedgerReference[]> =>
  db.all(sql`
    with named as (
      select invoice_id as source_id, invoice_id from invoices where store_id = ${storeId} and invoice_id = any(${uuids(sourceIds)})
      union all
      select part_id, invoice_id from invoice_parts where store_id = ${storeId} and part_id = any(${uuids(sourceIds)})
      union all
      select charge_id, invoice_id from charges where store_id = ${storeId} and charge_id = any(${uuids(sourceIds)})
      union all
      select dispute_id, invoice_id from disputes where store_id = ${storeId} and dispute_id = any(${uuids(sourceIds)})
      union all
      select loss_id, invoice_id from charge_losses where store_id = ${storeId} and loss_id = any(${uuids(sourceIds)})
      union all
      select credit_note_id, invoice_id from credit_notes where store_id = ${storeId} and credit_note_id = any(${uuids(sourceIds)})
    )
    select named.source_id, null::uuid as commission_id, null as order_id, null as subscription_invoice_id, null as lead_id,
      i.invoice_id, i.number as invoice_number, null::uuid as postback_id
    from named join invoices i on i.store_id = ${storeId} and i.invoice_id = named.invoice_id`);
