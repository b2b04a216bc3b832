import { keptFromBilling } from '../holds/holds-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Page } from '../platform/http/page.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { CommissionState } from './commission.ts';
import type { Stretch } from './review-sql.ts';

/** What a bill needs of a commission, locked until the transaction ends. */
export type BilledCommission = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly amountCents: Cents;
};

/**
 * Approved by then, not held, its refund hold over, above 0. By commissions_billable. A billing run keeps the time at which it began:
 * what is approved while it runs waits for the next one, so that no invoice is older than an approval it contains.
 */
const billable = (now: Date): Sql => sql`
  state = 'approved' and approved_at <= ${now} and held_reason is null and amount_cents > 0 and hold_until <= ${now}
  and not ${keptFromBilling}`;
const beyond = ({ after }: Stretch): Sql => (after === null ? nothing : sql`and commission_id > ${after}`);

export type Billable = {
  readonly count: bigint;
  readonly cents: Cents;
  /** When the oldest of them became billable: it is not carried on for ever. Null where there is none. */
  readonly since: Date | null;
};

export const billableOf = (db: Queryable, storeId: Id<'store'>, now: Date): Promise<Billable> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as cents, min(greatest(approved_at, hold_until)) as since
    from commissions where store_id = ${storeId} and ${billable(now)}`);

export type BillableLine = BilledCommission & {
  readonly sourceKind: 'order' | 'invoice';
  readonly sourceText: string;
  readonly eligibleCents: Cents;
  readonly occurredAt: Date;
  readonly state: CommissionState;
};

/** What would be on the next bill, a page at a time; one row more than asked for where there are more. */
export const listBillable = (db: Queryable, storeId: Id<'store'>, now: Date, { after, limit }: Page): Promise<BillableLine[]> =>
  db.all(sql`
    select commission_id, creator_id, amount_cents, source_kind, source_text, eligible_cents, occurred_at, state from commissions
    where store_id = ${storeId} and ${billable(now)} ${after === null ? nothing : sql`and commission_id > ${after[0]}`}
    order by commission_id limit ${limit + 1}`);

export type InHold = { readonly count: bigint; readonly cents: Cents; readonly firstUntil: Date | null; readonly lastUntil: Date | null };

/** Approved, and not billable yet: its hold lasts, or somebody holds it. Those whose hold is over by time have no "until". */
export const inHoldOf = (db: Queryable, storeId: Id<'store'>, now: Date): Promise<InHold> =>
  db.one(sql`
    select count(*) as count, coalesce(sum(amount_cents), 0) as cents,
      min(hold_until) filter (where hold_until > ${now}) as first_until, max(hold_until) filter (where hold_until > ${now}) as last_until
    from commissions
    where store_id = ${storeId} and state = 'approved' and amount_cents > 0
      and (held_reason is not null or hold_until > ${now} or approved_at > ${now} or ${keptFromBilling})`);

/** The next ones in the order of their ids; whoever holds one is waited for, and it is judged again as it is then. */
export const lockBillable = (tx: Transaction, storeId: Id<'store'>, now: Date, stretch: Stretch): Promise<BilledCommission[]> =>
  tx.all(sql`
    select commission_id, creator_id, amount_cents from commissions
    where store_id = ${storeId} and ${billable(now)} ${beyond(stretch)}
    order by commission_id limit ${stretch.limit} for update`);

/** The stores with something to bill. Crosses all stores: the index holds nothing else. */
export async function storesWithBillable(
  db: Queryable,
  { now, after, limit }: { readonly now: Date; readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from commissions
    where ${billable(now)} ${after === null ? nothing : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}

type BillableIn = { readonly storeId: Id<'store'>; readonly now: Date; readonly after: Id<'crt'> | null; readonly limit: number };

/** The creators whose commissions of a store would be invoiced. By commissions_billable. */
export async function creatorsWithBillable(db: Queryable, { storeId, now, after, limit }: BillableIn): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select distinct creator_id from commissions
    where store_id = ${storeId} and ${billable(now)} ${after === null ? nothing : sql`and creator_id > ${after}`}
    order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
}

type OnInvoice = { readonly storeId: Id<'store'>; readonly invoiceId: Id<'inv'> };

export type OfInvoice = BilledCommission & { readonly state: CommissionState; readonly isInPayout: boolean; readonly isAdvanced: boolean };

/** Of the named ones those that stand on this invoice, locked in the order of their ids. Its lines name all of them. */
export const lockNamedOfInvoice = (
  tx: Transaction,
  { storeId, invoiceId }: OnInvoice,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<OfInvoice[]> =>
  tx.all(sql`
    select commission_id, creator_id, amount_cents, state, payout_id is not null as is_in_payout, advanced_at is not null as is_advanced
    from commissions
    where store_id = ${storeId} and invoice_id = ${invoiceId} and commission_id = any(${commissionIds}::uuid[])
    order by commission_id for update`);

type Rows = { readonly storeId: Id<'store'>; readonly commissionIds: ReadonlyArray<Id<'com'>> };

/** Who calls these holds the rows and has judged them; the states are named once more, because money hangs on them. */
export const billCommissions = (tx: Transaction, rows: Rows, invoiceId: Id<'inv'>): Promise<void> =>
  change(tx, rows, sql`state = 'billed', invoice_id = ${invoiceId}`, sql`state = 'approved' and held_reason is null and amount_cents > 0`);

export const collectCommissions = (tx: Transaction, rows: Rows): Promise<void> =>
  change(tx, rows, sql`state = 'collected'`, sql`state = 'billed'`);

/** The store's payment was taken back, before these were in a payout. */
export const uncollectCommissions = (tx: Transaction, rows: Rows): Promise<void> =>
  change(tx, rows, sql`state = 'billed'`, sql`state = 'collected' and payout_id is null`);

/** … and these were in one, or paid: the operator bears them until the store pays. */
export const advanceCommissions = (tx: Transaction, rows: Rows, at: Date): Promise<void> =>
  change(tx, rows, sql`advanced_at = ${at}`, sql`state in ('collected', 'paid') and payout_id is not null and advanced_at is null`);

/** The store paid after all. */
export const endAdvanceOfCommissions = (tx: Transaction, rows: Rows): Promise<void> =>
  change(tx, rows, sql`advanced_at = null`, sql`advanced_at is not null`);

type Credited = { readonly at: Date; readonly reason: string };
export type CreditedCommission = {
  readonly storeId: Id<'store'>;
  readonly linkNumber: bigint;
  readonly occurredAt: Date;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
};

/** By an operator's credit note: the late refund, which no postback undoes. */
export async function creditCommissions(
  tx: Transaction,
  { storeId, commissionIds }: Rows,
  { at, reason }: Credited,
): Promise<readonly CreditedCommission[]> {
  if (commissionIds.length === 0) return [];
  const credited = await tx.all<CreditedCommission>(sql`
    update commissions set state = 'reversed', reversed_at = ${at}, reversal_reason = ${reason},
      held_reason = null, held_by = null, held_since = null
    where store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[]) and state in ('billed', 'collected') and payout_id is null
    returning store_id, link_number, occurred_at, eligible_cents, amount_cents`);
  must(credited.length === commissionIds.length, 'what was decided under its lock is as it was judged');
  return credited;
}

async function change(tx: Transaction, { storeId, commissionIds }: Rows, changes: Sql, judged: Sql): Promise<void> {
  if (commissionIds.length === 0) return;
  const touched = await tx.run(sql`
    update commissions set ${changes}
    where store_id = ${storeId} and commission_id = any(${commissionIds}::uuid[]) and ${judged}`);
  must(touched === commissionIds.length, 'what was decided under its lock is as it was judged');
}
