import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import { basisPoints, cents, type BasisPoints, type Cents } from '../core/money.ts';

export type BillingSettings = { readonly fee: BasisPoints; readonly minimum: Cents; readonly early: Cents };

/** Defaults until an operator saves settings. */
export const defaultBillingSettings: BillingSettings = { fee: basisPoints(0), minimum: cents(1_000), early: cents(100_000) };

type Row = {
  readonly feeBasisPoints: number;
  readonly minimumCents: Cents;
  readonly earlyCents: Cents;
  readonly nextFeeBasisPoints: number | null;
  readonly nextFeeFrom: Date | null;
  readonly requestedFeeBasisPoints: number | null;
  readonly requestedAt: Date | null;
  readonly requestedBy: string | null;
  readonly requestedByName: string | null;
  readonly requestedByUserId: Id<'user'> | null;
};
const columns = sql`
  fee_basis_points, minimum_cents, early_cents, next_fee_basis_points, next_fee_from,
  asked_fee_basis_points as requested_fee_basis_points, asked_at as requested_at, asked_by as requested_by,
  asked_by_name as requested_by_name, asked_by_user_id as requested_by_user_id`;

/** With pending changes: an announced higher fee, and one that awaits a second person. */
export type StoredBillingSettings = BillingSettings & {
  readonly next: { readonly fee: BasisPoints; readonly from: Date } | null;
  readonly requested: {
    readonly fee: BasisPoints;
    readonly at: Date;
    readonly by: string;
    readonly byName: string;
    readonly byUserId: Id<'user'> | null;
  } | null;
};

/** The settings in force at `now`: an announced fee applies from its date without further action. */
export async function readBillingSettings(db: Queryable, now: Date): Promise<StoredBillingSettings> {
  const row = await db.find<Row>(sql`select ${columns} from billing_settings where singleton`);
  return row === null ? { ...defaultBillingSettings, next: null, requested: null } : settingsOf(row, now);
}

function settingsOf(row: Row, now: Date): StoredBillingSettings {
  const { nextFeeBasisPoints, nextFeeFrom, requestedFeeBasisPoints, requestedAt, requestedBy, requestedByName } = row;
  const next = nextFeeBasisPoints === null || nextFeeFrom === null ? null : { fee: basisPoints(nextFeeBasisPoints), from: nextFeeFrom };
  const isNextInForce = next !== null && now >= next.from;
  const requested =
    requestedFeeBasisPoints === null || requestedAt === null || requestedBy === null || requestedByName === null
      ? null
      : {
          fee: basisPoints(requestedFeeBasisPoints),
          at: requestedAt,
          by: requestedBy,
          byName: requestedByName,
          byUserId: row.requestedByUserId,
        };
  return {
    fee: isNextInForce ? next.fee : basisPoints(row.feeBasisPoints),
    minimum: row.minimumCents,
    early: row.earlyCents,
    next: isNextInForce ? null : next,
    requested,
  };
}

/** Inserts the row if it is missing. The lock serializes concurrent changes. */
export async function lockBillingSettings(tx: Transaction, at: Date): Promise<StoredBillingSettings> {
  const { fee, minimum, early } = defaultBillingSettings;
  await tx.run(sql`
    insert into billing_settings (singleton, fee_basis_points, minimum_cents, early_cents, changed_at)
    values (true, ${fee}, ${minimum}, ${early}, ${at}) on conflict do nothing`);
  return settingsOf(await tx.one<Row>(sql`select ${columns} from billing_settings where singleton for update`), at);
}

/** The caller must hold the lock on the settings. */
export async function writeBillingSettings(tx: Transaction, settings: StoredBillingSettings, at: Date): Promise<void> {
  const { fee, minimum, early, next, requested } = settings;
  await tx.run(sql`
    update billing_settings set fee_basis_points = ${fee}, minimum_cents = ${minimum}, early_cents = ${early}, changed_at = ${at},
      next_fee_basis_points = ${next?.fee ?? null}, next_fee_from = ${next?.from ?? null},
      asked_fee_basis_points = ${requested?.fee ?? null}, asked_at = ${requested?.at ?? null}, asked_by = ${requested?.by ?? null},
      asked_by_name = ${requested?.byName ?? null}, asked_by_user_id = ${requested?.byUserId ?? null}
    where singleton`);
}

export type StoreBilling = {
  readonly nextInvoiceNumber: bigint;
  readonly nextCreditNoteNumber: bigint;
  readonly archivingBilledAt: Date | null;
};

/** Inserts the row if it is missing. Its lock protects invoice numbers and the use of credit. */
export async function lockStoreBilling(tx: Transaction, storeId: Id<'store'>): Promise<StoreBilling> {
  await tx.run(sql`
    insert into store_billing (store_id, next_invoice_number, next_credit_note_number) values (${storeId}, 1, 1) on conflict do nothing`);
  return tx.one(sql`
    select next_invoice_number, next_credit_note_number, archiving_billed_at from store_billing where store_id = ${storeId} for update`);
}

export async function incrementInvoiceNumber(tx: Transaction, storeId: Id<'store'>): Promise<void> {
  await tx.run(sql`update store_billing set next_invoice_number = next_invoice_number + 1 where store_id = ${storeId}`);
}

export async function incrementCreditNoteNumber(tx: Transaction, storeId: Id<'store'>): Promise<void> {
  await tx.run(sql`update store_billing set next_credit_note_number = next_credit_note_number + 1 where store_id = ${storeId}`);
}

/** Records that the archived store was invoiced, or had nothing to invoice. */
export async function markArchivingBilled(tx: Transaction, storeId: Id<'store'>, archivedAt: Date): Promise<void> {
  await tx.run(sql`update store_billing set archiving_billed_at = ${archivedAt} where store_id = ${storeId}`);
}

export async function archivingBilledAt(db: Queryable, storeId: Id<'store'>): Promise<Date | null> {
  const row = await db.find<Pick<StoreBilling, 'archivingBilledAt'>>(sql`
    select archiving_billed_at from store_billing where store_id = ${storeId}`);
  return row?.archivingBilledAt ?? null;
}

/** Archived stores that were not invoiced since. Crosses all stores; few are archived. */
export async function listStoresWithUnbilledArchiving(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select s.store_id from stores s left join store_billing b on b.store_id = s.store_id
    where s.archived_at is not null and b.archiving_billed_at is distinct from s.archived_at
      ${after === null ? emptySql : sql`and s.store_id > ${after}`}
    order by s.store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

/** Starts notifying the creators of a store. Notices that are in progress are not restarted. */
export async function startPastDueNotices(tx: Transaction, storeId: Id<'store'>, at: Date): Promise<void> {
  await tx.run(sql`
    update store_billing set telling_since = ${at}, telling_after = null where store_id = ${storeId} and telling_since is null`);
}

export type PastDueNotices = { readonly storeId: Id<'store'>; readonly tellingAfter: Id<'crt'> | null };

export const lockPastDueNotices = (tx: Transaction, storeId: Id<'store'>): Promise<PastDueNotices | null> =>
  tx.find(sql`
    select store_id, telling_after from store_billing where store_id = ${storeId} and telling_since is not null for update`);

/** Saves the last creator who was notified; null: all were. */
export async function savePastDueNoticesSent(tx: Transaction, storeId: Id<'store'>, notifiedUpTo: Id<'crt'> | null): Promise<void> {
  await (notifiedUpTo === null
    ? tx.run(sql`update store_billing set telling_since = null, telling_after = null where store_id = ${storeId}`)
    : tx.run(sql`update store_billing set telling_after = ${notifiedUpTo} where store_id = ${storeId}`));
}

/** Stores whose creators are being notified. Crosses all stores, by a partial index. */
export async function listStoresWithPastDueNotices(db: Queryable, limit: number): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from store_billing where telling_since is not null order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
