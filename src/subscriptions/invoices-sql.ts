import type { Why } from '../contract/why.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { jsonText } from '../core/json.ts';
import type { Cents } from '../core/money.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { queryByStore } from '../db/by-store.ts';
import { bigints, booleans, byteas, emptySql, ints, jsonbs, sql, texts, timestamps, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import { earnedCentsExpression } from '../rollups/sales-totals-sql.ts';
import type { Earns, Invoice, InvoiceKey, NoCommissionReason, Paid, PaymentState, Unpaid } from './relationship.ts';

type InvoiceRow = InvoiceKey & {
  readonly relationshipInvoiceId: Id<'rinv'>;
  readonly invoiceId: string;
  readonly firstRecordedAt: Date;
  readonly reportedAfterEnd: boolean;
  readonly state: PaymentState;
  readonly paidNumber: number | null;
  readonly paidEventId: Id<'evt'> | null;
  readonly paidAt: Date | null;
  readonly paidRecordedAt: Date | null;
  readonly amountPaidCents: Cents | null;
  readonly eligibleCents: Cents | null;
  readonly productId: string | null;
  readonly priceId: string | null;
  readonly earns: Earns['is'] | null;
  readonly commissionId: Id<'com'> | null;
  readonly nothingBecause: NoCommissionReason | null;
  readonly why: Why | null;
  readonly reversedAt: Date | null;
  readonly reversalEventId: Id<'evt' | 'rfd'> | null;
  readonly reversalReason: string | null;
};

const columns = sql`store_id, binding_id, invoice_hash, relationship_invoice_id, invoice_id, first_recorded_at, reported_after_end, state,
  paid_number, paid_event_id, paid_at, paid_recorded_at, amount_paid_cents, eligible_cents, product_id, price_id, earns, commission_id,
  nothing_because, why, reversed_at, reversal_event_id, reversal_reason`;

const storesOf = (keys: readonly InvoiceKey[]) => keys.map(({ storeId }) => storeId);
const bindingsOf = (keys: readonly InvoiceKey[]) => keys.map(({ bindingId }) => bindingId);
const hashesOf = (keys: readonly InvoiceKey[]) => keys.map(({ invoiceHash }) => invoiceHash);

/** Uses the primary key. A caller that decides by them must hold the locks of their relationships. */
export async function invoicesByHash(db: Queryable, keys: readonly InvoiceKey[]): Promise<Invoice[]> {
  const rows = await queryByStore(keys, (storeId, ofStore) =>
    db.all<InvoiceRow>(sql`
      select ${columns} from relationship_invoices
      where store_id = ${storeId}
        and (binding_id, invoice_hash) in (select * from unnest(${uuids(bindingsOf(ofStore))}, ${byteas(hashesOf(ofStore))}))`),
  );
  return rows.map(invoiceOf);
}

type Binding = { readonly storeId: Id<'store'>; readonly bindingId: Id<'bind'> };

/** In the order recorded. A caller that decides by them must hold the lock of their relationship. */
export async function waitingInvoices(db: Queryable, { storeId, bindingId }: Binding, countMax: number): Promise<Invoice[]> {
  const rows = await db.all<InvoiceRow>(sql`
    select ${columns} from relationship_invoices
    where store_id = ${storeId} and binding_id = ${bindingId} and earns = 'waits' order by paid_number limit ${countMax}`);
  return rows.map(invoiceOf);
}

/** Newest first. */
export async function listInvoices(db: Queryable, { storeId, bindingId }: Binding, { after, limit }: Page): Promise<Invoice[]> {
  const rows = await db.all<InvoiceRow>(sql`
    select ${columns} from relationship_invoices
    where store_id = ${storeId} and binding_id = ${bindingId}
      ${after === null ? emptySql : sql`and relationship_invoice_id < ${after[0]}::uuid`}
    order by relationship_invoice_id desc limit ${limit + 1}`);
  return rows.map(invoiceOf);
}

/** Inserts new invoices and updates changed ones. The caller must hold the locks of their relationships. */
export async function saveInvoices(tx: Transaction, invoices: readonly Invoice[]): Promise<void> {
  if (invoices.length === 0) return;
  const rows = invoices.map(rowOf);
  const of = <Value>(value: (row: InvoiceRow) => Value) => rows.map(value);
  await tx.run(sql`
    insert into relationship_invoices (store_id, binding_id, invoice_hash, relationship_invoice_id, invoice_id, first_recorded_at,
      reported_after_end, state, paid_number, paid_event_id, paid_at, paid_recorded_at, amount_paid_cents, eligible_cents, product_id,
      price_id, earns, commission_id, nothing_because, why, reversed_at, reversal_event_id, reversal_reason)
    select * from unnest(
      ${uuids(storesOf(rows))}, ${uuids(bindingsOf(rows))}, ${byteas(hashesOf(rows))},
      ${uuids(of(({ relationshipInvoiceId }) => relationshipInvoiceId))}, ${texts(of(({ invoiceId }) => invoiceId))},
      ${timestamps(of(({ firstRecordedAt }) => firstRecordedAt))}, ${booleans(of(({ reportedAfterEnd }) => reportedAfterEnd))},
      ${texts(of(({ state }) => state))}, ${ints(of(({ paidNumber }) => paidNumber))},
      ${uuids(of(({ paidEventId }) => paidEventId))}, ${timestamps(of(({ paidAt }) => paidAt))},
      ${timestamps(of(({ paidRecordedAt }) => paidRecordedAt))}, ${bigints(of(({ amountPaidCents }) => amountPaidCents))},
      ${bigints(of(({ eligibleCents }) => eligibleCents))}, ${texts(of(({ productId }) => productId))},
      ${texts(of(({ priceId }) => priceId))}, ${texts(of(({ earns }) => earns))},
      ${uuids(of(({ commissionId }) => commissionId))}, ${texts(of(({ nothingBecause }) => nothingBecause))},
      ${jsonbs(of(({ why }) => why && jsonText(why)))}, ${timestamps(of(({ reversedAt }) => reversedAt))},
      ${uuids(of(({ reversalEventId }) => reversalEventId))}, ${texts(of(({ reversalReason }) => reversalReason))}
    ) as told (store_id, binding_id, invoice_hash)
    order by store_id, binding_id, invoice_hash
    on conflict (store_id, binding_id, invoice_hash) do update set state = excluded.state, paid_number = excluded.paid_number,
      paid_event_id = excluded.paid_event_id, paid_at = excluded.paid_at, paid_recorded_at = excluded.paid_recorded_at,
      amount_paid_cents = excluded.amount_paid_cents, eligible_cents = excluded.eligible_cents, product_id = excluded.product_id,
      price_id = excluded.price_id, earns = excluded.earns, commission_id = excluded.commission_id,
      nothing_because = excluded.nothing_because, why = excluded.why, reversed_at = excluded.reversed_at,
      reversal_event_id = excluded.reversal_event_id, reversal_reason = excluded.reversal_reason`);
}

export const earlyInvoiceReversals = (db: Queryable, keys: readonly InvoiceKey[]): Promise<InvoiceKey[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<InvoiceKey>(sql`
      select store_id, binding_id, invoice_hash from early_invoice_reversals
      where store_id = ${storeId}
        and (binding_id, invoice_hash) in (select * from unnest(${uuids(bindingsOf(ofStore))}, ${byteas(hashesOf(ofStore))}))`),
  );

/** Keeps the first row of each invoice. */
export const insertEarlyInvoiceReversals = (tx: Transaction, keys: readonly InvoiceKey[], at: Date): Promise<number> =>
  tx.run(sql`
    insert into early_invoice_reversals (store_id, binding_id, invoice_hash, first_seen_at)
    select store_id, binding_id, invoice_hash, ${at}
    from unnest(${uuids(storesOf(keys))}, ${uuids(bindingsOf(keys))}, ${byteas(hashesOf(keys))})
      as early (store_id, binding_id, invoice_hash)
    order by store_id, binding_id, invoice_hash
    on conflict do nothing`);

function invoiceOf(row: InvoiceRow): Invoice {
  const { reversedAt, reversalEventId, reversalReason } = row;
  return {
    storeId: row.storeId,
    bindingId: row.bindingId,
    invoiceHash: row.invoiceHash,
    relationshipInvoiceId: row.relationshipInvoiceId,
    invoiceId: row.invoiceId,
    firstRecordedAt: row.firstRecordedAt,
    isReportedAfterEnd: row.reportedAfterEnd,
    payment: paymentOf(row),
    reversal: reversedAt && reversalEventId && { at: reversedAt, eventId: reversalEventId, reason: reversalReason },
  };
}

function paymentOf({ state, ...row }: InvoiceRow): Unpaid | Paid {
  if (state !== 'paid') return { state };
  const { paidNumber, paidEventId, paidAt, paidRecordedAt, amountPaidCents, eligibleCents, productId, why } = row;
  invariant(paidNumber !== null && paidEventId !== null && paidAt !== null && paidRecordedAt !== null, 'a paid invoice has its times');
  invariant(
    amountPaidCents !== null && eligibleCents !== null && productId !== null && why !== null,
    'a paid invoice has its amounts and product',
  );
  return {
    state,
    number: paidNumber,
    eventId: paidEventId,
    occurredAt: paidAt,
    recordedAt: paidRecordedAt,
    amount: amountPaidCents,
    eligible: eligibleCents,
    product: { productId, priceId: row.priceId },
    earns: earnsOf(row),
    why,
  };
}

function earnsOf({ earns, commissionId, nothingBecause }: Pick<InvoiceRow, 'earns' | 'commissionId' | 'nothingBecause'>): Earns {
  if (earns === 'waits') return { is: 'waits' };
  if (commissionId !== null) return { is: 'commission', commissionId };
  invariant(nothingBecause !== null, 'a paid invoice without a commission has a reason');
  return { is: 'nothing', because: nothingBecause };
}

function rowOf({ payment, reversal, isReportedAfterEnd, ...same }: Invoice): InvoiceRow {
  const paid = payment.state === 'paid' ? payment : null;
  return {
    ...same,
    reportedAfterEnd: isReportedAfterEnd,
    state: payment.state,
    paidNumber: paid?.number ?? null,
    paidEventId: paid?.eventId ?? null,
    paidAt: paid?.occurredAt ?? null,
    paidRecordedAt: paid?.recordedAt ?? null,
    amountPaidCents: paid?.amount ?? null,
    eligibleCents: paid?.eligible ?? null,
    productId: paid?.product.productId ?? null,
    priceId: paid?.product.priceId ?? null,
    earns: paid?.earns.is ?? null,
    commissionId: paid?.earns.is === 'commission' ? paid.earns.commissionId : null,
    nothingBecause: paid?.earns.is === 'nothing' ? paid.earns.because : null,
    why: paid?.why ?? null,
    reversedAt: reversal?.at ?? null,
    reversalEventId: reversal?.eventId ?? null,
    reversalReason: reversal?.reason ?? null,
  };
}

/**
 * What the invoices of a page of subscriptions earned so far, without rejected and reversed commissions. Uses invoices_by_time and the
 * primary key of commissions; a subscription has about one invoice a month.
 */
export async function earnedByRelationship(
  db: Queryable,
  storeId: Id<'store'>,
  bindingIds: ReadonlyArray<Id<'bind'>>,
): Promise<ReadonlyMap<Id<'bind'>, bigint>> {
  const rows = await db.all<{ bindingId: Id<'bind'>; earnedCents: bigint }>(sql`
    select i.binding_id, sum(c.earned_cents) as earned_cents
    from relationship_invoices i
    cross join lateral (
      select ${earnedCentsExpression} as earned_cents from commissions
      where store_id = i.store_id and commission_id = i.commission_id) as c
    where i.store_id = ${storeId} and i.binding_id = any(${uuids(bindingIds)})
    group by i.binding_id`);
  return new Map(rows.map((row) => [row.bindingId, row.earnedCents]));
}
