import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { basisPoints, cents, type BasisPoints, type Cents } from '../platform/money.ts';

export type BillingSettings = { readonly fee: BasisPoints; readonly minimum: Cents; readonly early: Cents };

/** Where the operator has set none. */
export const usualSettings: BillingSettings = { fee: basisPoints(0), minimum: cents(1_000), early: cents(100_000) };

type Row = { readonly feeBasisPoints: number; readonly minimumCents: Cents; readonly earlyCents: Cents };

export async function readBillingSettings(db: Queryable): Promise<BillingSettings> {
  const row = await db.find<Row>(sql`select fee_basis_points, minimum_cents, early_cents from billing_settings where singleton`);
  return row === null ? usualSettings : settingsOf(row);
}

const settingsOf = ({ feeBasisPoints, minimumCents, earlyCents }: Row): BillingSettings => ({
  fee: basisPoints(feeBasisPoints),
  minimum: minimumCents,
  early: earlyCents,
});

/** Made where they are not there yet. Two people who change them at once do so one after the other. */
export async function lockBillingSettings(tx: Transaction, at: Date): Promise<BillingSettings> {
  const { fee, minimum, early } = usualSettings;
  await tx.run(sql`
    insert into billing_settings (singleton, fee_basis_points, minimum_cents, early_cents, changed_at)
    values (true, ${fee}, ${minimum}, ${early}, ${at}) on conflict do nothing`);
  return settingsOf(
    await tx.one<Row>(sql`select fee_basis_points, minimum_cents, early_cents from billing_settings where singleton for update`),
  );
}

/** Who calls this holds them. */
export async function writeBillingSettings(tx: Transaction, { fee, minimum, early }: BillingSettings, at: Date): Promise<void> {
  await tx.run(sql`
    update billing_settings set fee_basis_points = ${fee}, minimum_cents = ${minimum}, early_cents = ${early}, changed_at = ${at}
    where singleton`);
}

export type StoreBilling = {
  readonly nextInvoiceNumber: bigint;
  readonly nextCreditNoteNumber: bigint;
  readonly archivingBilledAt: Date | null;
};

/** Made where it is not there yet. Its lock is what numbers are counted and credit is used under. */
export async function lockStoreBilling(tx: Transaction, storeId: Id<'store'>): Promise<StoreBilling> {
  await tx.run(sql`
    insert into store_billing (store_id, next_invoice_number, next_credit_note_number) values (${storeId}, 1, 1) on conflict do nothing`);
  return tx.one(sql`
    select next_invoice_number, next_credit_note_number, archiving_billed_at from store_billing where store_id = ${storeId} for update`);
}

export async function countInvoice(tx: Transaction, storeId: Id<'store'>): Promise<void> {
  await tx.run(sql`update store_billing set next_invoice_number = next_invoice_number + 1 where store_id = ${storeId}`);
}

export async function countCreditNote(tx: Transaction, storeId: Id<'store'>): Promise<void> {
  await tx.run(sql`update store_billing set next_credit_note_number = next_credit_note_number + 1 where store_id = ${storeId}`);
}

/** That archiving was billed, or there was nothing to bill when it was looked at. */
export async function markArchivingBilled(tx: Transaction, storeId: Id<'store'>, archivedAt: Date): Promise<void> {
  await tx.run(sql`update store_billing set archiving_billed_at = ${archivedAt} where store_id = ${storeId}`);
}

export async function archivingBilledAt(db: Queryable, storeId: Id<'store'>): Promise<Date | null> {
  const row = await db.find<Pick<StoreBilling, 'archivingBilledAt'>>(sql`
    select archiving_billed_at from store_billing where store_id = ${storeId}`);
  return row?.archivingBilledAt ?? null;
}

/** The stores that are archived and were not billed for it. Crosses all stores; archived ones are few. */
export async function storesWithUnbilledArchiving(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select s.store_id from stores s left join store_billing b on b.store_id = s.store_id
    where s.archived_at is not null and b.archiving_billed_at is distinct from s.archived_at
      ${after === null ? nothing : sql`and s.store_id > ${after}`}
    order by s.store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

/** Begins to tell the creators; who is being told already is not told from the start. */
export async function beginTelling(tx: Transaction, storeId: Id<'store'>, at: Date): Promise<void> {
  await tx.run(sql`
    update store_billing set telling_since = ${at}, telling_after = null where store_id = ${storeId} and telling_since is null`);
}

export type Telling = { readonly storeId: Id<'store'>; readonly tellingAfter: Id<'crt'> | null };

export const lockTelling = (tx: Transaction, storeId: Id<'store'>): Promise<Telling | null> =>
  tx.find(sql`
    select store_id, telling_after from store_billing where store_id = ${storeId} and telling_since is not null for update`);

/** Told up to this creator; null: all are. */
export async function keepTelling(tx: Transaction, storeId: Id<'store'>, toldTo: Id<'crt'> | null): Promise<void> {
  await (toldTo === null
    ? tx.run(sql`update store_billing set telling_since = null, telling_after = null where store_id = ${storeId}`)
    : tx.run(sql`update store_billing set telling_after = ${toldTo} where store_id = ${storeId}`));
}

/** The stores whose creators are being told. Crosses all stores, by an index of nothing else. */
export async function storesTelling(db: Queryable, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from store_billing where telling_since is not null order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
