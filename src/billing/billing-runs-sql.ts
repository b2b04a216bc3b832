import type { Queryable } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import type { InvoiceKey } from './invoice.ts';
import type { ShownInvoiceState } from './invoice-states.ts';
import { jsonText } from '../core/json.ts';

export type NewRun = {
  readonly billingRunId: Id<'brun'>;
  readonly askedStoreId: Id<'store'> | null;
  readonly minimumCents: Cents | null;
  readonly isDry: boolean;
  readonly askedBy: string;
  readonly askedByName: string;
  readonly at: Date;
};

/** An invoice at the end of a run, with the names of the API. In a dry run, an invoice that would be issued has no ID. */
export type RunInvoice = {
  readonly id: string | null;
  readonly store_id: string;
  readonly total_cents: bigint;
  readonly state: ShownInvoiceState;
};
export type Run = NewRun & { readonly endedAt: Date | null; readonly result: readonly RunInvoice[] | null };

export async function insertRun(db: Queryable, run: NewRun): Promise<void> {
  await db.run(sql`
    insert into billing_runs (billing_run_id, asked_store_id, minimum_cents, is_dry, asked_by, asked_by_name, at)
    values (${run.billingRunId}, ${run.askedStoreId}, ${run.minimumCents}, ${run.isDry}, ${run.askedBy}, ${run.askedByName}, ${run.at})
    on conflict do nothing`);
}

/** True: no other process executes the run, and the caller executes it. */
export async function claimRun(
  db: Queryable,
  billingRunId: Id<'brun'>,
  { now, until }: { readonly now: Date; readonly until: Date },
): Promise<boolean> {
  const claimed = await db.run(sql`
    update billing_runs set claimed_until = ${until}
    where billing_run_id = ${billingRunId} and ended_at is null and (claimed_until is null or claimed_until < ${now})`);
  return claimed === 1;
}

export async function endRun(db: Queryable, billingRunId: Id<'brun'>, result: readonly RunInvoice[], at: Date): Promise<void> {
  await db.run(sql`
    update billing_runs set ended_at = ${at}, result = ${jsonText(result)}::jsonb
    where billing_run_id = ${billingRunId} and ended_at is null`);
}

export const findRun = (db: Queryable, billingRunId: Id<'brun'>): Promise<Run | null> =>
  db.find(sql`
    select billing_run_id, asked_store_id, minimum_cents, is_dry, asked_by, asked_by_name, at, ended_at, result
    from billing_runs where billing_run_id = ${billingRunId}`);

export type InvoiceStatus = InvoiceKey & { readonly totalCents: Cents; readonly state: ShownInvoiceState };

/** Invoice states at the end of a run. By primary keys. */
export const listInvoiceStatuses = (db: Queryable, keys: readonly InvoiceKey[]): Promise<InvoiceStatus[]> =>
  db.all(sql`
    select i.store_id, i.invoice_id, i.total_cents, i.state
    from unnest(${uuids(keys.map(({ storeId }) => storeId))}, ${uuids(keys.map(({ invoiceId }) => invoiceId))})
      as wanted (store_id, invoice_id)
    join invoices i on i.store_id = wanted.store_id and i.invoice_id = wanted.invoice_id
    where i.state <> 'gathering' order by i.store_id, i.number`);

export type ListedRun = Omit<Run, 'result'> & { readonly count: number | null };

/** Without results, which may be thousands of rows. By primary key, newest first. */
export const listRuns = (db: Queryable, { after, limit }: Page): Promise<ListedRun[]> =>
  db.all(sql`
    select billing_run_id, asked_store_id, minimum_cents, is_dry, asked_by, asked_by_name, at, ended_at,
      jsonb_array_length(result) as count
    from billing_runs ${after === null ? emptySql : sql`where billing_run_id < ${after[0]}`}
    order by billing_run_id desc limit ${limit + 1}`);
