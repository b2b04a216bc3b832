import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { sql, uuids } from '../db/sql.ts';
import type { Cents } from '../core/money.ts';
import type { InvoiceKey } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';
import type { RunTable } from '../money-movement/manual-runs-sql.ts';

export const billingRunTable: RunTable = {
  table: sql`billing_runs`,
  runId: sql`billing_run_id`,
  scopeId: sql`asked_store_id`,
  startedBy: sql`asked_by`,
  startedByName: sql`asked_by_name`,
  startedByUserId: null,
  results: sql`result`,
};

/** An invoice at the end of a run, with the names of the API. In a dry run, an invoice that would be issued has no ID. */
export type RunInvoice = {
  readonly id: string | null;
  readonly store_id: string;
  readonly total_cents: bigint;
  readonly state: ShownInvoiceState;
};

export type InvoiceStatus = InvoiceKey & { readonly totalCents: Cents; readonly state: ShownInvoiceState };

/** Invoice states at the end of a run. By primary keys. */
export const listInvoiceStatuses = (db: Queryable, keys: readonly InvoiceKey[]): Promise<InvoiceStatus[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<InvoiceStatus>(sql`
      select store_id, invoice_id, total_cents, state from invoices
      where store_id = ${storeId} and invoice_id = any(${uuids(ofStore.map(({ invoiceId }) => invoiceId))}) and state <> 'gathering'
      order by number`),
  );
