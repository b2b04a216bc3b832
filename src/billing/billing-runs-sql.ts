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
  db.all(sql`
    select i.store_id, i.invoice_id, i.total_cents, i.state
    from unnest(${uuids(keys.map(({ storeId }) => storeId))}, ${uuids(keys.map(({ invoiceId }) => invoiceId))})
      as wanted (store_id, invoice_id)
    join invoices i on i.store_id = wanted.store_id and i.invoice_id = wanted.invoice_id
    where i.state <> 'gathering' order by i.store_id, i.number`);
