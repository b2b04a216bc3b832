import type { SourceKind } from './commission.ts';
import { isBlockedFromBillingSql } from '../holds/holds-sql.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, type Sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import { allows, stateAfter, transitionCommissions, updateCommissions, type CommissionKeys } from './commission-states-sql.ts';
import type { CommissionState } from './commission-states.ts';
import type { IdPage } from './review-sql.ts';

export type CommissionAmount = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
};

/**
 * Approved by `now`, not on hold, past its refund hold, and above 0. Uses the index commissions_billable. A billing run passes the time
 * at which it started, so that no invoice is older than an approval it contains.
 */
const isBillable = (now: Date, storeId: Id<'store'> | Sql = sql`commissions.store_id`): Sql => sql`
  state = 'approved' and approved_at <= ${now} and held_reason is null and amount_cents > 0 and hold_until <= ${now}
  and not ${isBlockedFromBillingSql(storeId)}`;
const afterCursor = ({ after }: IdPage): Sql => (after === null ? emptySql : sql`and commission_id > ${after}`);

export type BillableTotals = {
  readonly count: bigint;
  readonly cents: Cents;
  /** When the oldest one became billable; null if there is none. Small totals are not carried over forever. */
  readonly since: Date | null;
};

export const billableTotals = (db: Queryable, storeId: Id<'store'>, now: Date): Promise<BillableTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as cents, min(greatest(approved_at, hold_until)) as since
    from commissions where store_id = ${storeId} and ${isBillable(now, storeId)}`);

export type BillableCommission = CommissionAmount & {
  readonly sourceKind: SourceKind;
  readonly sourceText: string;
  readonly eligibleCents: Cents;
  readonly occurredAt: Date;
  readonly state: CommissionState;
};

/** What the next invoice would contain. Returns one row more than the limit if there is another page. */
export const listBillableCommissions = (
  db: Queryable,
  storeId: Id<'store'>,
  now: Date,
  { after, limit }: Page,
): Promise<BillableCommission[]> =>
  db.all(sql`
    select commission_id, creator_id, amount_cents, source_kind, source_text, eligible_cents, occurred_at, state from commissions
    where store_id = ${storeId} and ${isBillable(now, storeId)} ${after === null ? emptySql : sql`and commission_id > ${after[0]}`}
    order by commission_id limit ${limit + 1}`);

export type RefundHoldTotals = {
  readonly count: bigint;
  readonly cents: Cents;
  readonly firstUntil: Date | null;
  readonly lastUntil: Date | null;
};

/** Approved but not billable yet: within the refund hold, or on hold. `firstUntil` and `lastUntil` cover refund holds only. */
export const refundHoldTotals = (db: Queryable, storeId: Id<'store'>, now: Date): Promise<RefundHoldTotals> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as cents,
      min(hold_until) filter (where hold_until > ${now}) as first_until, max(hold_until) filter (where hold_until > ${now}) as last_until
    from commissions
    where store_id = ${storeId} and state = 'approved' and amount_cents > 0
      and (held_reason is not null or hold_until > ${now} or approved_at > ${now} or ${isBlockedFromBillingSql(storeId)})`);

/** Locks in ID order. Waits for rows that another transaction has locked, and checks them again afterwards. */
export const lockBillableCommissions = (tx: Transaction, storeId: Id<'store'>, now: Date, page: IdPage): Promise<CommissionAmount[]> =>
  tx.all(sql`
    select commission_id, creator_id, amount_cents from commissions
    where store_id = ${storeId} and ${isBillable(now, storeId)} ${afterCursor(page)}
    order by commission_id limit ${page.limit} for update`);

/** Reads across all stores; the index commissions_billable contains only billable commissions. */
export async function listStoresWithBillable(
  db: Queryable,
  { now, after, limit }: { readonly now: Date; readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from commissions
    where ${isBillable(now)} ${after === null ? emptySql : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

/**
 * When the next commission becomes billable, or the oldest one that is became so; null where none is approved. Crosses all stores by
 * commissions_billable; asked only in a backlog.
 */
export async function findNextBillable(db: Queryable): Promise<Date | null> {
  const { earliest } = await db.one<{ earliest: Date | null }>(sql`
    select min(greatest(approved_at, hold_until)) as earliest from commissions
    where state = 'approved' and held_reason is null and amount_cents > 0 and not ${isBlockedFromBillingSql(sql`commissions.store_id`)}`);
  return earliest;
}

type CreatorsQuery = { readonly storeId: Id<'store'>; readonly now: Date; readonly after: Id<'crt'> | null; readonly limit: number };

/**
 * The creators whose commissions of a store would be invoiced. By commissions_billable: materialized, because for their order the planner
 * read all of a store by commissions_by_creator (of 500,000 commissions 71,000 were billable).
 */
export async function listCreatorsWithBillable(
  db: Queryable,
  { storeId, now, after, limit }: CreatorsQuery,
): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    with due as materialized (
      select creator_id from commissions
      where store_id = ${storeId} and ${isBillable(now, storeId)} ${after === null ? emptySql : sql`and creator_id > ${after}`}
    )
    select distinct creator_id from due order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
}

type InvoiceKey = { readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> };

export type InvoicedCommission = CommissionAmount & {
  readonly state: CommissionState;
  readonly isInPayout: boolean;
  readonly isAdvanced: boolean;
};

/** Locks, in ID order, those of the given commissions that are on this invoice. */
export const lockInvoicedCommissions = (
  tx: Transaction,
  { storeId, invoiceId }: InvoiceKey,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<InvoicedCommission[]> =>
  tx.all(sql`
    select commission_id, creator_id, amount_cents, state, payout_id is not null as is_in_payout, advanced_at is not null as is_advanced
    from commissions
    where store_id = ${storeId} and invoice_id = ${invoiceId} and commission_id = any(${uuids(commissionIds)})
    order by commission_id for update`);

export const invoiceCommissions = (tx: Transaction, keys: CommissionKeys, invoiceId: Id<'inv'>): Promise<void> =>
  transitionCommissions(tx, keys, 'invoice', {
    set: sql`invoice_id = ${invoiceId}`,
    where: sql`held_reason is null and amount_cents > 0`,
  });

export const collectCommissions = (tx: Transaction, keys: CommissionKeys): Promise<void> => transitionCommissions(tx, keys, 'collect');

/** The store's payment was taken back, and these are in no payout yet. */
export const chargeBackCommissions = (tx: Transaction, keys: CommissionKeys): Promise<void> =>
  transitionCommissions(tx, keys, 'chargeBack', { where: sql`payout_id is null` });

/** The store's payment was taken back, and these are in a payout or paid: the operator bears them until the store pays. */
export const advanceCommissions = (tx: Transaction, keys: CommissionKeys, at: Date): Promise<void> =>
  updateCommissions(tx, keys, {
    set: sql`advanced_at = ${at}`,
    where: sql`state in ('collected', 'paid') and payout_id is not null and advanced_at is null`,
  });

/** The store paid after its first payment was taken back. */
export const endAdvances = (tx: Transaction, keys: CommissionKeys): Promise<void> =>
  updateCommissions(tx, keys, { set: sql`advanced_at = null`, where: sql`advanced_at is not null` });

type CreditNote = { readonly at: Date; readonly reason: string };
export type CreditedCommission = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly occurredAt: Date;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
};

/** Applies an operator's credit note: a refund that came too late for a reversal postback. */
export async function creditCommissions(
  tx: Transaction,
  { storeId, commissionIds }: CommissionKeys,
  { at, reason }: CreditNote,
): Promise<readonly CreditedCommission[]> {
  if (commissionIds.length === 0) return [];
  const credited = await tx.all<CreditedCommission>(sql`
    update commissions set state = ${stateAfter('credit')}, reversed_at = ${at}, reversal_reason = ${reason},
      held_reason = null, held_by = null, held_since = null
    where store_id = ${storeId} and commission_id = any(${uuids(commissionIds)}) and ${allows('credit')} and payout_id is null
    returning store_id, link_number, occurred_at, eligible_cents, amount_cents`);
  invariant(credited.length === commissionIds.length, 'a locked commission is still in the state that the decision was based on');
  return credited;
}
