import { keptBack } from '../holds/holds-sql.ts';
import { tellEvents } from '../notify/events-sql.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import type { Stretch } from './review-sql.ts';

// A payout is gathered in a creator's book, of commissions that lie in stores' books. The commission's row is the arbiter: who
// puts a payout's id into it has it; a hold, a credit note or a lost dispute that was there first has it not.

type InStore = { readonly storeId: Id<'store'>; readonly payoutId: Id<'pay'> };

/** Claims those of the named ones that can be paid; what another one has stays there. Locks in the order of their ids. */
export async function claimForPayout(
  tx: Transaction,
  { storeId, payoutId, commissionIds }: InStore & { readonly commissionIds: ReadonlyArray<Id<'com'>> },
): Promise<void> {
  const locked = await tx.all<{ commissionId: Id<'com'>; isFree: boolean }>(sql`
    select c.commission_id, c.state = 'collected' and c.held_reason is null and c.payout_id is null and not ${keptBack} as is_free
    from commissions c where c.store_id = ${storeId} and c.commission_id = any(${commissionIds}::uuid[])
    order by c.commission_id for update of c`);
  const free = locked.filter(({ isFree }) => isFree).map(({ commissionId }) => commissionId);
  await tx.run(sql`
    update commissions set payout_id = ${payoutId} where store_id = ${storeId} and commission_id = any(${free}::uuid[])`);
}

/** Those that the payout has, in the order of their ids. By commissions_of_payout. */
export async function claimedForPayout(
  db: Queryable,
  { storeId, payoutId }: InStore,
  { after, limit }: Stretch,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and payout_id = ${payoutId} ${after === null ? nothing : sql`and commission_id > ${after}`}
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

export type Touched = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
  readonly wasAdvanced: boolean;
  /** When it was paid; null where it was not yet. */
  readonly paidAt: Date | null;
};

type Part = { readonly limit: number; readonly at: Date };

/** The payout arrived: so many of its commissions are paid now. Fewer than the limit: all are. By commissions_of_payout. */
export async function payCommissions(tx: Transaction, { storeId, payoutId }: InStore, { limit, at }: Part): Promise<Touched[]> {
  const paid = await tx.all<Touched>(sql`
    with next as (
      select commission_id from commissions
      where store_id = ${storeId} and payout_id = ${payoutId} and state = 'collected' order by commission_id limit ${limit} for update
    )
    update commissions c set state = 'paid', paid_at = ${at} from next
    where c.store_id = ${storeId} and c.commission_id = next.commission_id
    returning c.commission_id, c.creator_id, c.eligible_cents, c.amount_cents, c.advanced_at is not null as was_advanced, c.paid_at`);
  await tellEvents(tx, { storeId, type: 'commission.paid', at, detail: {}, subjectIds: paid.map(({ commissionId }) => commissionId) });
  return paid;
}

/**
 * The payout failed, was given up or came back: so many of its commissions are free for the next one. What was advanced is
 * owed by the store again, as if it had never been in a payout.
 */
export const releaseFromPayout = (tx: Transaction, { storeId, payoutId }: InStore, limit: number): Promise<Touched[]> =>
  tx.all(sql`
    with next as (
      select commission_id, advanced_at is not null as was_advanced, paid_at from commissions
      where store_id = ${storeId} and payout_id = ${payoutId} order by commission_id limit ${limit} for update
    )
    update commissions c
    set payout_id = null, advanced_at = null, paid_at = null, state = case when next.was_advanced then 'billed' else 'collected' end
    from next
    where c.store_id = ${storeId} and c.commission_id = next.commission_id
    returning c.commission_id, c.creator_id, c.eligible_cents, c.amount_cents, next.was_advanced, next.paid_at`);

/** What a line of a payout says of its commission, besides its amount. */
export type SoldFor = {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  readonly sourceKind: 'order' | 'invoice';
  readonly sourceText: string;
  readonly occurredAt: Date;
};

export const soldFor = (
  db: Queryable,
  keys: ReadonlyArray<{ readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> }>,
): Promise<SoldFor[]> =>
  db.all(sql`
    select store_id, commission_id, source_kind, source_text, occurred_at from commissions
    where (store_id, commission_id) in (
      select * from unnest(${keys.map(({ storeId }) => storeId)}::uuid[], ${keys.map(({ commissionId }) => commissionId)}::uuid[]))`);

/** Whether a payout contains something that is kept back by now. By commissions_of_payout. */
export async function containsKeptBack(db: Queryable, { storeId, payoutId }: InStore): Promise<boolean> {
  return (
    (await db.find(sql`
      select 1 as one from commissions c
      where c.store_id = ${storeId} and c.payout_id = ${payoutId} and (c.held_reason is not null or ${keptBack}) limit 1`)) !== null
  );
}

/** Of some commissions those that are kept back: their payout waits for the platform. */
export async function keptBackOf(
  db: Queryable,
  storeId: Id<'store'>,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<ReadonlySet<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select c.commission_id from commissions c
    where c.store_id = ${storeId} and c.commission_id = any(${commissionIds}::uuid[]) and c.state <> 'paid' and ${keptBack}`);
  return new Set(rows.map(({ commissionId }) => commissionId));
}

/** What a creator has in some stores that is not theirs yet, and why not. */
export type OnTheWay = {
  /** Held by somebody. */
  readonly heldCents: Cents;
  /** Likewise, and collected: it stands in the creator's book, and is in no payout until it is released. */
  readonly heldCollectedCents: Cents;
  /** Collected, in a store whose reserve period is not over. */
  readonly reservedCents: Cents;
  /** Within its refund hold. */
  readonly inHoldCents: Cents;
  /** Waits for the merchant: to approve it, to be billed, to pay the bill. */
  readonly waitingCents: Cents;
};

type Asked = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  /** Those of the stores whose reserve period is not over. */
  readonly reservedStoreIds: ReadonlyArray<Id<'store'>>;
  readonly now: Date;
};

/** By commissions_of_creator. What is held and in its reserve period counts as held. */
export const onTheWayTo = (db: Queryable, { creatorId, storeIds, reservedStoreIds, now }: Asked): Promise<OnTheWay> =>
  db.one(sql`
    with mine as (
      select c.store_id, c.state, c.amount_cents, c.hold_until, c.held_reason is not null or ${keptBack} as is_held
      from commissions c
      where c.store_id = any(${storeIds}::uuid[]) and c.creator_id = ${creatorId} and c.payout_id is null
        and (c.state in ('pending', 'approved', 'billed')
          or (c.state = 'collected' and (c.held_reason is not null or c.store_id = any(${reservedStoreIds}::uuid[]) or ${keptBack})))
    )
    select coalesce(sum(amount_cents) filter (where is_held and state <> 'collected'), 0) as held_cents,
      coalesce(sum(amount_cents) filter (where is_held and state = 'collected'), 0) as held_collected_cents,
      coalesce(sum(amount_cents) filter (where not is_held and state = 'collected'), 0) as reserved_cents,
      coalesce(sum(amount_cents) filter (where not is_held and state in ('pending', 'approved') and hold_until > ${now}), 0)
        as in_hold_cents,
      coalesce(sum(amount_cents) filter (where not is_held
        and (state = 'billed' or (state in ('pending', 'approved') and hold_until <= ${now}))), 0) as waiting_cents
    from mine`);

/** Whether a creator ever earned anything in these stores, whatever became of it. By commissions_of_creator. */
export const hasEverEarned = async (
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<boolean> =>
  (await db.find(sql`
    select 1 as one from commissions
    where store_id = any(${storeIds}::uuid[]) and creator_id = ${creatorId} and amount_cents > 0 limit 1`)) !== null;
