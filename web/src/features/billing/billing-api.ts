import { apiQuery } from '../../ui/queries.ts';
import type { InvoiceFilter } from '../stores/store-search-params.ts';
import type { NextCharge } from '../../../../sdk/src/api-schema.ts';
import { apiPath } from '../../api/operations.ts';

export const sandboxOutcomes = ['ok', 'declined', 'timeout_then_ok', 'insufficient_then_ok'] as const;

export const billingPath = (store: string) => apiPath('/stores/{store}/billing', { store });
export const invoicesPath = (store: string) => apiPath('/stores/{store}/invoices', { store });
export const creditNotesPath = (store: string) => apiPath('/stores/{store}/credit-notes', { store });
export const paymentMethodPath = (store: string) => apiPath('/stores/{store}/payment-method', { store });
export const backupMethodPath = (store: string) => apiPath('/stores/{store}/backup-payment-method', { store });

/** The amount due reached the limit for an invoice before the month's end. */
export const isInvoicedEarly = ({ is_carried_on: why, total_cents: total, early_cents: early }: NextCharge): boolean =>
  why === null && total >= early;

export const nextChargeQuery = (store: string) => apiQuery(billingPath(store));
export const paymentMethodsQuery = (store: string) => apiQuery(paymentMethodPath(store));
export const invoiceTotalsPath = (store: string, filter: InvoiceFilter) => apiPath('/stores/{store}/invoices/totals', { store }, filter);
export const invoicesQuery = (store: string, filter: InvoiceFilter & { readonly cursor?: string | undefined; readonly limit: number }) =>
  apiQuery(apiPath('/stores/{store}/invoices', { store }, filter));
