import { Superseded } from '../batch/attempts.ts';
import { hasBorneLine } from '../billing/credit-notes-sql.ts';
import type { Invoice as BilledInvoice } from '../billing/invoice.ts';
import { lockInvoice } from '../billing/invoices-sql.ts';
import { readBreakdown } from '../commissions/commission.ts';
import type { CommissionKey } from '../commissions/commissions-sql.ts';
import {
  invoiceOfCommission,
  lockRefundable,
  sumRefunds,
  type RefundableCommission,
  type RefundKey,
  type StoredRefund,
} from '../commissions/refunds-sql.ts';
import { isSameContent } from '../contract/content-hash.ts';
import type { Postback } from '../contract/postback-endpoint.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import type { Transaction } from '../db/database.ts';
import type { Integration } from '../merchants/integration-sql.ts';
import { ordersByHash, reversalsByHash, testOrders, type OrderKey } from '../orders/orders-sql.ts';
import { orderRefundLists, type OrderRefundReport } from '../orders/refund-report.ts';
import { invoicesByHash } from '../subscriptions/invoices-sql.ts';
import { invoiceRefundLists, type InvoiceRefundReport } from '../subscriptions/refund-report.ts';
import type { Invoice, InvoiceKey } from '../subscriptions/relationship.ts';
import { lockRelationships, relationshipsByHash } from '../subscriptions/relationships-sql.ts';
import type { EarlierRefund, RefundedCommission, RefundTarget } from './decide-refund.ts';

type Common = RefundKey & { readonly postback: Postback<Integration> };
export type OrderRefundItem = Common & { readonly is: 'order_refund'; readonly report: OrderRefundReport; readonly orderHash: Buffer };
export type InvoiceRefundItem = Common & {
  readonly is: 'invoice_refund';
  readonly report: InvoiceRefundReport;
  readonly relationshipHash: Buffer;
  readonly invoiceHash: Buffer;
};
/** A report in the batch. */
export type Item = OrderRefundItem | InvoiceRefundItem;

/** What was refunded, with the rows that are locked until the transaction ends. */
export type LoadedTarget = {
  readonly facts: RefundTarget;
  readonly isTest: boolean;
  /** The key of an order or invoice that was not reported yet. */
  readonly early?: { readonly is: 'order'; readonly key: OrderKey } | { readonly is: 'invoice'; readonly key: InvoiceKey };
  /** The order's transaction, or the subscription's invoice. */
  readonly sourceId?: Id;
  readonly invoice?: Invoice;
  readonly commission?: RefundableCommission;
  /** Our invoice that contains the commission. */
  readonly billed?: BilledInvoice;
};

/** Null: another transaction has locked the subscription. A lock that takes too long ends the transaction. */
export const loadTarget = (tx: Transaction, item: Item, lockWaitMs: number): Promise<LoadedTarget | null> =>
  item.is === 'order_refund' ? loadOrder(tx, item) : loadInvoice(tx, item, lockWaitMs);

async function loadOrder(tx: Transaction, { storeId, orderHash }: OrderRefundItem): Promise<LoadedTarget> {
  const key = { storeId, orderHash };
  const [order] = await ordersByHash(tx, [key]);
  if (order === undefined) {
    const [test] = await testOrders(tx, [key]);
    if (test) return { facts: { is: 'test order', transactionId: test.transactionId }, isTest: true };
    return { facts: { is: 'unknown', reason: 'unknown_order' }, isTest: false, early: { is: 'order', key } };
  }
  const { transactionId, commissionId } = order;
  const locked = await lockCommission(tx, { storeId, commissionId });
  const { cents: refunded, hasReversed } = await sumRefunds(tx, { storeId, sourceId: transactionId });
  const facts: RefundTarget = {
    is: 'sale',
    transactionId,
    eligible: locked.commission.eligibleCents,
    refunded,
    isReversed: (await reversalsByHash(tx, [key])).length > 0,
    commission: commissionFacts(locked, hasReversed),
  };
  return { facts, isTest: false, sourceId: transactionId, ...locked };
}

async function loadInvoice(tx: Transaction, item: InvoiceRefundItem, lockWaitMs: number): Promise<LoadedTarget | null> {
  const { storeId, relationshipHash, invoiceHash, report } = item;
  const isTest = report.environment === 'test';
  const relationshipKey = { storeId, relationshipHash };
  const locks = await lockRelationships(tx, [relationshipKey], lockWaitMs);
  const [relationship] = await relationshipsByHash(tx, [relationshipKey]);
  if (relationship === undefined) return { facts: { is: 'refused', reason: 'unknown_relationship', why: {} }, isTest };
  if (locks.length === 0) return null;
  const { environment } = relationship.attribution;
  if (environment !== report.environment) return { facts: { is: 'refused', reason: 'environment_mismatch', why: { environment } }, isTest };
  const key = { storeId, bindingId: relationship.bindingId, invoiceHash };
  const [invoice] = await invoicesByHash(tx, [key]);
  if (invoice?.payment.state !== 'paid')
    return { facts: { is: 'unknown', reason: 'unknown_invoice' }, isTest, early: { is: 'invoice', key } };
  const { earns, eligible } = invoice.payment;
  if (earns.is === 'waits') {
    const why = relationship.hold ? { relationship_held: relationship.hold.reason } : {};
    return { facts: { is: 'refused', reason: 'active_hold', why }, isTest };
  }
  const locked = earns.is === 'commission' ? await lockCommission(tx, { storeId, commissionId: earns.commissionId }) : null;
  const sourceId = invoice.relationshipInvoiceId;
  const { cents: refunded, hasReversed } = await sumRefunds(tx, { storeId, sourceId });
  const facts: RefundTarget = {
    is: 'sale',
    transactionId: null,
    eligible,
    refunded,
    isReversed: invoice.reversal !== null,
    commission: locked && commissionFacts(locked, hasReversed),
  };
  return { facts, isTest, sourceId, invoice, ...locked };
}

type LockedCommission = { readonly commission: RefundableCommission; readonly billed?: BilledInvoice; readonly isBorne: boolean };

/** Locks our invoice before its commission, as billing does. If the commission was invoiced in between, everything is decided again. */
async function lockCommission(tx: Transaction, key: CommissionKey): Promise<LockedCommission> {
  const before = await invoiceOfCommission(tx, key);
  const billed = before?.invoiceId ? await lockInvoice(tx, { storeId: key.storeId, invoiceId: before.invoiceId }) : null;
  const commission = await lockRefundable(tx, key);
  if (before === null || before.invoiceId !== commission.invoiceId) throw new Superseded('the commission was invoiced meanwhile');
  return billed === null ? { commission, isBorne: false } : { commission, billed, isBorne: await hasBorneLine(tx, key) };
}

function commissionFacts({ commission, billed, isBorne }: LockedCommission, isReversedByRefund: boolean): RefundedCommission {
  const { commissionId, creatorId, state, heldReason: held, amountCents: amount, isInPayout, invoiceId } = commission;
  return {
    commissionId,
    creatorId,
    state,
    held,
    amount,
    parts: readBreakdown(commission.earned),
    isInPayout,
    isBorne,
    isReversedByRefund,
    invoice: invoiceId === null ? null : { state: billed?.state ?? 'draft' },
  };
}

const fieldLists = { order_refund: orderRefundLists, invoice_refund: invoiceRefundLists } as const;

/** The newest list, with which a refund is stored. */
export function newestFieldList({ is: operation }: Item) {
  const newest = fieldLists[operation].at(-1);
  invariant(newest, 'every operation has a list of its fields');
  return newest;
}

/** Both operations share one space of refund IDs, so a refund of the other one has other content. */
export function earlierRefund(item: Item, stored: StoredRefund): EarlierRefund {
  const { refundId, commissionId, receivedAt, remainingCents, operation, sourceId, contentHash } = stored;
  return {
    receivedAt,
    isSame: operation === item.is && isSameContent(contentHash, fieldLists[item.is], item.report.content),
    // The source of an order's refund is its transaction.
    ids: { transactionId: operation === 'order_refund' ? (sourceId as Id<'ord'>) : null, commissionId, refundId },
    remaining: remainingCents,
  };
}
