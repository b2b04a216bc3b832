import type { Page } from '../../api/client.ts';
import { apiQuery } from '../../ui/queries.ts';
import { queryString } from '../../ui/search-params.ts';
import type { InvoiceFilter } from '../stores/store-search-params.ts';
import type { Cents } from '../../api/parse-json.ts';

export type NextCharge = {
  readonly next_cut_at: string;
  readonly next_charge_at: string;
  readonly lines_count: number;
  readonly lines_cents: Cents;
  readonly fee_cents: Cents;
  readonly credit_cents: Cents;
  readonly total_cents: Cents;
  readonly is_carried_on: string | null;
  readonly credit_left_cents: Cents;
  readonly minimum_cents: Cents;
  readonly early_cents: Cents;
  readonly fee_basis_points: number;
  readonly in_hold: {
    readonly count: number;
    readonly cents: Cents;
    readonly first_until: string | null;
    readonly last_until: string | null;
  };
};

export type InvoiceState = 'issued' | 'charging' | 'unknown' | 'paid' | 'retrying' | 'past_due' | 'void' | 'charged_back';
export type ChargeState = 'ready' | 'sending' | 'pending' | 'unknown' | 'succeeded' | 'declined' | 'absent';

export type Invoice = {
  readonly id: string;
  readonly number: string;
  readonly state: InvoiceState;
  readonly issued_at: string;
  readonly lines_count: number;
  readonly lines_cents: Cents;
  readonly fee_basis_points: number;
  readonly fee_cents: Cents;
  readonly credit_cents: Cents;
  readonly total_cents: Cents;
  readonly next_charge_at: string | null;
  readonly failures: number;
  readonly paid_at: string | null;
  readonly charged_back_at: string | null;
};

export type Charge = {
  readonly id: string;
  readonly state: ChargeState;
  readonly amount_cents: Cents;
  readonly provider: string;
  readonly is_backup: boolean;
  readonly message: string | null;
  readonly made_at: string;
  readonly ended_at: string | null;
};

export type InvoiceLine = {
  readonly commission_id: string;
  readonly order_id: string | null;
  readonly invoice_id: string | null;
  readonly occurred_at: string;
  readonly creator_name: string;
  readonly eligible_cents: Cents;
  readonly amount_cents: Cents;
  readonly state: string;
  readonly credit_note: string | null;
};

export type InvoiceDetails = Invoice & {
  readonly due_cents: Cents;
  readonly credited_cents: Cents;
  readonly written_off_cents: Cents;
  readonly charges: readonly Charge[];
  readonly lines: readonly InvoiceLine[];
  readonly next_cursor: string | null;
};

export type CreditNote = {
  readonly id: string;
  readonly number: string;
  readonly invoice_id: string;
  readonly kind: 'before' | 'after';
  readonly reason: string;
  readonly lines_cents: Cents;
  readonly fee_cents: Cents;
  readonly by_name: string;
  readonly at: string;
};

export const sandboxOutcomes = ['ok', 'declined', 'timeout_then_ok', 'insufficient_then_ok'] as const;

export type PaymentMethod = { readonly provider: string; readonly sandbox: string | null; readonly since: string };
export type PaymentMethods = {
  readonly payment_method: PaymentMethod | null;
  readonly backup_payment_method: PaymentMethod | null;
  /** Stripe is configured, so cards can be saved on its page. */
  readonly takes_cards: boolean;
};

const storeSubpath = (name: string) => (store: string) => `/stores/${store}/${name}`;
export const billingPath = storeSubpath('billing');
export const invoicesPath = storeSubpath('invoices');
export const creditNotesPath = storeSubpath('credit-notes');
export const paymentMethodPath = storeSubpath('payment-method');
export const backupMethodPath = storeSubpath('backup-payment-method');

/** The amount due reached the limit for an invoice before the month's end. */
export const isInvoicedEarly = ({ is_carried_on: why, total_cents: total, early_cents: early }: NextCharge): boolean =>
  why === null && total >= early;

export const nextChargeQuery = (store: string) => apiQuery<NextCharge>(billingPath(store));
export const paymentMethodsQuery = (store: string) => apiQuery<PaymentMethods>(paymentMethodPath(store));
export type InvoiceTotals = {
  readonly count: number;
  readonly lines_cents: Cents;
  readonly fee_cents: Cents;
  readonly credit_cents: Cents;
  readonly total_cents: Cents;
};

export const invoiceExportPath = (store: string, filter: InvoiceFilter) => `${invoicesPath(store)}${queryString(filter)}`;
export const invoiceTotalsPath = (store: string, filter: InvoiceFilter) => `${invoicesPath(store)}/totals${queryString(filter)}`;
export const invoicesQuery = (store: string, filter: InvoiceFilter & { readonly cursor?: string | undefined; readonly limit: number }) =>
  apiQuery<Page<Invoice>>(`${invoicesPath(store)}${queryString(filter)}`);
