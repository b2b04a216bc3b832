import { expect } from 'vitest';
import { reasons } from '../../src/contract/reasons.ts';
import { sql } from '../../src/db/sql.ts';
import { publicId, type Id } from '../../src/core/ids.ts';
import { hashOf, type ApiResponse, type Json, type Merchant } from './merchant.ts';

type Fields = Readonly<Record<string, unknown>>;
export type Sent = Fields & { readonly event_id: string; readonly relationship_id: string };
export type InvoiceReport = Sent & { readonly invoice_id: string };

/** A subscription of a store as its server reports it: valid reports unless changed, each with a unique event ID. */
export type Subscriber = {
  /** The default relationship of the reports. */
  readonly relationshipId: string;
  readonly bindBody: (fields?: Fields) => Promise<Sent>;
  readonly paidInvoiceBody: (fields?: Fields) => InvoiceReport;
  readonly refundBody: (fields?: Fields) => InvoiceReport;
  readonly endBody: (fields?: Fields) => Sent;
  readonly bind: (fields?: Fields) => Promise<ApiResponse>;
  readonly reportInvoice: (fields?: Fields) => Promise<ApiResponse>;
  readonly refund: (fields?: Fields) => Promise<ApiResponse>;
  readonly end: (fields?: Fields) => Promise<ApiResponse>;
  readonly relationship: () => Promise<Json>;
  readonly invoice: (invoiceId: string) => Promise<Json>;
  /** The commission that an invoice opened, or null. */
  readonly commission: (invoiceId: string) => Promise<Json>;
  readonly event: (eventId: string) => Promise<Json>;
  /** The amount that the store is expected to owe creators: all accruals less reversals. */
  readonly expected: () => Promise<bigint>;
};

export const paths = {
  bind: 'v2/recurring/relationships',
  reportInvoice: 'v2/recurring/billing-events',
  refund: 'v2/recurring/reversals',
  end: 'v2/recurring/relationships/end',
} as const;

let counted = 0;
export const uniqueId = (word: string): string => `${word}-${(counted += 1)}`;

export function subscriberOf(merchant: Merchant, relationshipId: string = uniqueId('sub')): Subscriber {
  const { database, storeId, post, world } = merchant;
  const { product_id, price_id } = world.subscription;
  const ids = (): Sent => ({ event_id: uniqueId('evt'), relationship_id: relationshipId });
  const common = { environment: 'live' };
  const bindBody = async (fields: Fields = {}): Promise<Sent> => ({
    ...ids(),
    ...common,
    click_id: 'click_id' in fields ? undefined : await merchant.click(),
    product_id,
    price_id,
    currency: 'USD',
    ...fields,
  });
  const paidInvoiceBody = (fields: Fields = {}): InvoiceReport => ({
    ...ids(),
    ...common,
    invoice_id: uniqueId('inv'),
    payment_state: 'paid',
    amount_paid_minor_units: 4_900,
    product_id,
    price_id,
    currency: 'USD',
    occurred_at: merchant.at(),
    ...fields,
  });
  const refundBody = (fields: Fields = {}): InvoiceReport => ({ ...ids(), ...common, invoice_id: uniqueId('inv'), ...fields });
  const endBody = (fields: Fields = {}): Sent => ({ ...ids(), ...common, ...fields });
  return {
    relationshipId,
    bindBody,
    paidInvoiceBody,
    refundBody,
    endBody,
    bind: async (fields) => post(paths.bind, await bindBody(fields)),
    reportInvoice: (fields) => post(paths.reportInvoice, paidInvoiceBody(fields)),
    refund: (fields) => post(paths.refund, refundBody(fields)),
    end: (fields) => post(paths.end, endBody(fields)),
    relationship: () =>
      database.find(sql`select * from relationships where store_id = ${storeId} and relationship_hash = ${hashOf(relationshipId)}`),
    invoice: (invoiceId) =>
      database.find(sql`
        select i.* from relationship_invoices i join relationships r using (store_id, binding_id)
        where store_id = ${storeId} and relationship_hash = ${hashOf(relationshipId)} and invoice_hash = ${hashOf(invoiceId)}`),
    commission: (invoiceId) =>
      database.find(sql`
        select c.* from relationship_invoices i
        join relationships r using (store_id, binding_id) join commissions c using (store_id, commission_id)
        where store_id = ${storeId} and relationship_hash = ${hashOf(relationshipId)} and invoice_hash = ${hashOf(invoiceId)}`),
    event: (eventId) =>
      database.find(sql`select * from subscription_events where store_id = ${storeId} and event_hash = ${hashOf(eventId)}`),
    async expected() {
      const { sum } = await database.one<{ sum: bigint | null }>(sql`
        select sum(case when debit = 'expected' then amount_cents else -amount_cents end) as sum from transfers
        where store_id = ${storeId} and 'expected' in (debit, credit)`);
      return sum ?? 0n;
    },
  };
}

type Bound = { readonly bindingId: Id<'bind'> };

/** The whole response of a bind without a rule: a refusal that names its binding, because the bind is stored anyway. */
export function expectBoundWithoutRule({ status, text, headers }: ApiResponse, { bindingId }: Bound, { isReplay = false } = {}): void {
  const reason = 'no_matching_subscription_rule';
  const body = { ok: false, reason, binding_id: publicId('bind', bindingId), message: reasons[reason].means, retry: 'never' };
  expect([status, text, headers.get('idempotent-replayed')]).toEqual([422, JSON.stringify(body), isReplay ? 'true' : null]);
}
