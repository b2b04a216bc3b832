import type { SourceKind } from './commission.ts';
import { isOnHoldSql } from '../holds/holds-sql.ts';
import { insertStoreEvents } from '../notify/store-events-sql.ts';
import { queryByStore } from '../db/by-store.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { emptySql, sql, uuids } from '../db/sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { inStates } from '../db/state-sql.ts';
import { uncollectedStates } from './commission-states.ts';
import { allows, isUnbilled, stateAfter } from './commission-states-sql.ts';
import type { IdPage } from './review-sql.ts';

// A payout is drafted in the creator's book, but its commissions are rows of stores. The commission's row decides: a commission belongs
// to the payout whose ID was written into it first, unless it was put on hold, credited, or charged back before.

type PayoutKey = { readonly storeId: Id<'store'>; readonly payoutId: Id<'pay'> };

/**
 * Assigns those of the commissions that can be paid; one that is in another payout stays there. Locks in ID order. A commission whose
 * refund is not in the creator's book yet waits for the next payout. That is read after the lock, because a refund may hold it.
 */
export async function assignToPayout(
  tx: Transaction,
  { storeId, payoutId, commissionIds }: PayoutKey & { readonly commissionIds: ReadonlyArray<Id<'com'>> },
): Promise<void> {
  const locked = await tx.all<{ commissionId: Id<'com'>; isFree: boolean }>(sql`
    select c.commission_id,
      ${allows('pay', sql`c.state`)} and c.held_reason is null and c.payout_id is null and not ${isOnHoldSql(storeId)} as is_free
    from commissions c where c.store_id = ${storeId} and c.commission_id = any(${uuids(commissionIds)})
    order by c.commission_id for update of c`);
  const free = locked.filter(({ isFree }) => isFree).map(({ commissionId }) => commissionId);
  await tx.run(sql`
    update commissions c set payout_id = ${payoutId}
    where c.store_id = ${storeId} and c.commission_id = any(${uuids(free)}) and not exists (
      select 1 from creator_outbox o
      where o.store_id = ${storeId} and o.commission_id = c.commission_id and o.kind = 'refunded' and o.delivered_at is null)`);
}

/** In ID order, by the index commissions_of_payout. */
export async function listCommissionsOfPayout(
  db: Queryable,
  { storeId, payoutId }: PayoutKey,
  { after, limit }: IdPage,
): Promise<ReadonlyArray<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select commission_id from commissions
    where store_id = ${storeId} and payout_id = ${payoutId} ${after === null ? emptySql : sql`and commission_id > ${after}`}
    order by commission_id limit ${limit}`);
  return rows.map(({ commissionId }) => commissionId);
}

export type PayoutCommission = {
  readonly commissionId: Id<'com'>;
  readonly creatorId: Id<'crt'>;
  readonly eligibleCents: Cents;
  readonly amountCents: Cents;
  readonly wasAdvanced: boolean;
  /** Null if it was not paid yet. */
  readonly paidAt: Date | null;
};

type PayChunk = { readonly limit: number; readonly at: Date };

/** Marks up to `limit` commissions of a payout that arrived; fewer rows mean that all are paid. Uses the index commissions_of_payout. */
export async function payCommissions(
  tx: Transaction,
  { storeId, payoutId }: PayoutKey,
  { limit, at }: PayChunk,
): Promise<PayoutCommission[]> {
  const paid = await tx.all<PayoutCommission>(sql`
    with next as (
      select commission_id from commissions
      where store_id = ${storeId} and payout_id = ${payoutId} and ${allows('pay')} order by commission_id limit ${limit} for update
    )
    update commissions c set state = ${stateAfter('pay')}, paid_at = ${at} from next
    where c.store_id = ${storeId} and c.commission_id = next.commission_id
    returning c.commission_id, c.creator_id, c.eligible_cents, c.amount_cents, c.advanced_at is not null as was_advanced, c.paid_at`);
  await insertStoreEvents(tx, {
    storeId,
    type: 'commission.paid',
    at,
    detail: {},
    subjectIds: paid.map(({ commissionId }) => commissionId),
  });
  return paid;
}

/**
 * The payout failed, was canceled, or was returned: frees up to `limit` of its commissions for the next payout. The store owes the
 * commissions again whose payment was taken back meanwhile.
 */
export const releaseFromPayout = (tx: Transaction, { storeId, payoutId }: PayoutKey, limit: number): Promise<PayoutCommission[]> =>
  tx.all(sql`
    with next as (
      select commission_id, advanced_at is not null as was_advanced, paid_at from commissions
      where store_id = ${storeId} and payout_id = ${payoutId} order by commission_id limit ${limit} for update
    )
    update commissions c
    set payout_id = null, advanced_at = null, paid_at = null,
      state = case when next.was_advanced then ${stateAfter('leavePayoutUncollected')} else ${stateAfter('leavePayout')} end
    from next
    where c.store_id = ${storeId} and c.commission_id = next.commission_id
    returning c.commission_id, c.creator_id, c.eligible_cents, c.amount_cents, next.was_advanced, next.paid_at`);

/** The order or subscription invoice behind a line of a payout. */
export type PayoutLineSource = {
  readonly storeId: Id<'store'>;
  readonly commissionId: Id<'com'>;
  readonly sourceKind: SourceKind;
  readonly sourceText: string;
  readonly occurredAt: Date;
};

export const payoutLineSources = (
  db: Queryable,
  keys: ReadonlyArray<{ readonly storeId: Id<'store'>; readonly commissionId: Id<'com'> }>,
): Promise<PayoutLineSource[]> =>
  queryByStore(keys, (storeId, ofStore) =>
    db.all<PayoutLineSource>(sql`
      select store_id, commission_id, source_kind, source_text, occurred_at from commissions
      where store_id = ${storeId} and commission_id = any(${uuids(ofStore.map(({ commissionId }) => commissionId))})`),
  );

/** Whether a commission of the payout was withheld since. Uses the index commissions_of_payout. */
export async function containsWithheld(db: Queryable, { storeId, payoutId }: PayoutKey): Promise<boolean> {
  return (
    (await db.find(sql`
      select 1 as one from commissions c
      where c.store_id = ${storeId} and c.payout_id = ${payoutId} and (c.held_reason is not null or ${isOnHoldSql(storeId)}) limit 1`)) !==
    null
  );
}

/** Those of the commissions whose payout the platform reviews. */
export async function listWithheld(
  db: Queryable,
  storeId: Id<'store'>,
  commissionIds: ReadonlyArray<Id<'com'>>,
): Promise<ReadonlySet<Id<'com'>>> {
  const rows = await db.all<{ commissionId: Id<'com'> }>(sql`
    select c.commission_id from commissions c
    where c.store_id = ${storeId} and c.commission_id = any(${uuids(commissionIds)}) and c.state <> 'paid' and ${isOnHoldSql(storeId)}`);
  return new Set(rows.map(({ commissionId }) => commissionId));
}

/** What a creator earned in some stores and cannot be paid yet, by reason. */
export type UnpaidEarnings = {
  /** On hold. */
  readonly heldCents: Cents;
  /** On hold and collected: it is in the creator's book, but in no payout until it is released. */
  readonly heldCollectedCents: Cents;
  /** Collected, and the store's reserve period is not over. */
  readonly reservedCents: Cents;
  /** Within the refund hold. */
  readonly inHoldCents: Cents;
  /** Waiting for the merchant's approval, the next invoice, or its payment. */
  readonly waitingCents: Cents;
};

type UnpaidEarningsQuery = {
  readonly creatorId: Id<'crt'>;
  readonly storeIds: ReadonlyArray<Id<'store'>>;
  /** The stores whose reserve period is not over. */
  readonly reservedStoreIds: ReadonlyArray<Id<'store'>>;
  readonly now: Date;
};

/** Uses the index commissions_by_creator. A commission that is on hold and in the reserve period counts as on hold. */
export const unpaidEarnings = (
  db: Queryable,
  { creatorId, storeIds, reservedStoreIds, now }: UnpaidEarningsQuery,
): Promise<UnpaidEarnings> =>
  db.one(sql`
    with mine as (
      select c.store_id, c.state, c.amount_cents, c.hold_until, c.held_reason is not null or ${isOnHoldSql(sql`c.store_id`)} as is_held
      from commissions c
      where c.store_id = any(${uuids(storeIds)}) and c.creator_id = ${creatorId} and c.payout_id is null
        and (${inStates(uncollectedStates, sql`c.state`)}
          or (c.state = 'collected'
            and (c.held_reason is not null or c.store_id = any(${uuids(reservedStoreIds)}) or ${isOnHoldSql(sql`c.store_id`)})))
    )
    select coalesce(sum(amount_cents) filter (where is_held and state <> 'collected'), 0) as held_cents,
      coalesce(sum(amount_cents) filter (where is_held and state = 'collected'), 0) as held_collected_cents,
      coalesce(sum(amount_cents) filter (where not is_held and state = 'collected'), 0) as reserved_cents,
      coalesce(sum(amount_cents) filter (where not is_held and ${isUnbilled} and hold_until > ${now}), 0)
        as in_hold_cents,
      coalesce(sum(amount_cents) filter (where not is_held
        and (state = 'billed' or (${isUnbilled} and hold_until <= ${now}))), 0) as waiting_cents
    from mine`);

/** Counts rejected and reversed commissions too. Uses the index commissions_by_creator. */
export const hasEverEarned = async (
  db: Queryable,
  { creatorId, storeIds }: { readonly creatorId: Id<'crt'>; readonly storeIds: ReadonlyArray<Id<'store'>> },
): Promise<boolean> =>
  (await db.find(sql`
    select 1 as one from commissions
    where store_id = any(${uuids(storeIds)}) and creator_id = ${creatorId} and amount_cents > 0 limit 1`)) !== null;
