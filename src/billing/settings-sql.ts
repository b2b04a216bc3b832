import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { basisPoints, cents, type BasisPoints, type Cents } from '../platform/money.ts';

export type BillingSettings = { readonly fee: BasisPoints; readonly minimum: Cents; readonly early: Cents };

/** Where the operator has set none. */
export const usualSettings: BillingSettings = { fee: basisPoints(0), minimum: cents(1_000), early: cents(100_000) };

type Row = {
  readonly feeBasisPoints: number;
  readonly minimumCents: Cents;
  readonly earlyCents: Cents;
  readonly nextFeeBasisPoints: number | null;
  readonly nextFeeFrom: Date | null;
  readonly askedFeeBasisPoints: number | null;
  readonly askedAt: Date | null;
  readonly askedBy: string | null;
  readonly askedByName: string | null;
  readonly askedByUserId: Id<'user'> | null;
};
const columns = sql`
  fee_basis_points, minimum_cents, early_cents, next_fee_basis_points, next_fee_from, asked_fee_basis_points, asked_at, asked_by,
  asked_by_name, asked_by_user_id`;

/** With what waits: a higher fee that is announced, and one that waits for a second person. */
export type KeptBillingSettings = BillingSettings & {
  readonly next: { readonly fee: BasisPoints; readonly from: Date } | null;
  readonly asked: {
    readonly fee: BasisPoints;
    readonly at: Date;
    readonly by: string;
    readonly byName: string;
    readonly byUserId: Id<'user'> | null;
  } | null;
};

/** As they are in force at a moment: an announced fee is charged from its day on, without anybody doing anything. */
export async function readKeptBillingSettings(db: Queryable, now: Date): Promise<KeptBillingSettings> {
  const row = await db.find<Row>(sql`select ${columns} from billing_settings where singleton`);
  return row === null ? { ...usualSettings, next: null, asked: null } : settingsOf(row, now);
}

export const readBillingSettings = (db: Queryable, now: Date): Promise<BillingSettings> => readKeptBillingSettings(db, now);

function settingsOf(row: Row, now: Date): KeptBillingSettings {
  const { nextFeeBasisPoints, nextFeeFrom, askedFeeBasisPoints, askedAt, askedBy, askedByName } = row;
  const next = nextFeeBasisPoints === null || nextFeeFrom === null ? null : { fee: basisPoints(nextFeeBasisPoints), from: nextFeeFrom };
  const isNextInForce = next !== null && now >= next.from;
  const asked =
    askedFeeBasisPoints === null || askedAt === null || askedBy === null || askedByName === null
      ? null
      : { fee: basisPoints(askedFeeBasisPoints), at: askedAt, by: askedBy, byName: askedByName, byUserId: row.askedByUserId };
  return {
    fee: isNextInForce ? next.fee : basisPoints(row.feeBasisPoints),
    minimum: row.minimumCents,
    early: row.earlyCents,
    next: isNextInForce ? null : next,
    asked,
  };
}

/** Made where they are not there yet. Two people who change them at once do so one after the other. */
export async function lockBillingSettings(tx: Transaction, at: Date): Promise<KeptBillingSettings> {
  const { fee, minimum, early } = usualSettings;
  await tx.run(sql`
    insert into billing_settings (singleton, fee_basis_points, minimum_cents, early_cents, changed_at)
    values (true, ${fee}, ${minimum}, ${early}, ${at}) on conflict do nothing`);
  return settingsOf(await tx.one<Row>(sql`select ${columns} from billing_settings where singleton for update`), at);
}

/** The caller must hold them. */
export async function writeBillingSettings(tx: Transaction, settings: KeptBillingSettings, at: Date): Promise<void> {
  const { fee, minimum, early, next, asked } = settings;
  await tx.run(sql`
    update billing_settings set fee_basis_points = ${fee}, minimum_cents = ${minimum}, early_cents = ${early}, changed_at = ${at},
      next_fee_basis_points = ${next?.fee ?? null}, next_fee_from = ${next?.from ?? null},
      asked_fee_basis_points = ${asked?.fee ?? null}, asked_at = ${asked?.at ?? null}, asked_by = ${asked?.by ?? null},
      asked_by_name = ${asked?.byName ?? null}, asked_by_user_id = ${asked?.byUserId ?? null}
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
