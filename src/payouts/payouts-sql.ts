import type { Queryable, Transaction } from '../db/database.ts';
import { afterKey, orderBy, type ListSorts, type SortColumn } from '../db/list-order.ts';
import { bigints, emptySql, joined, sql, type Sql, texts, uuids } from '../db/sql.ts';
import { inStates, stateAfterSql } from '../db/state-sql.ts';
import type { Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';
import type { PayoutProvider } from '../payments/provider.ts';
import type { Failure } from './decide-payout.ts';
import type { Payout, PayoutKey } from './payout.ts';
import {
  payoutStatesInTransit,
  payoutTransitions,
  unfinishedPayoutStates,
  type PayoutEvent,
  type PayoutState,
  type ShownState,
} from './payout-states.ts';
import type { Page, SortedPage } from '../http/page.ts';

export const payoutColumns = sql`
  p.creator_id, p.payout_id, p.payout_run_id, p.state, p.started_by, p.started_by_user_id, p.begun_at, p.minimum_cents, p.amount_cents,
  p.payout_method_id, p.provider, p.instrument, p.gathered_at as drafted_at, p.confirmed_by, p.confirmed_at, p.sent_at,
  p.asked_at as called_at, p.provider_id, p.failure_code, p.failure_message, p.ended_at, p.returned_at, p.told_at as stores_updated_at,
  p.contradicted_at, p.contradiction_decided_at`;

export type NewPayout = Pick<
  Payout,
  'creatorId' | 'payoutId' | 'payoutRunId' | 'startedBy' | 'startedByUserId' | 'begunAt' | 'minimumCents'
> & { readonly storeIds: ReadonlyArray<Id<'store'>> };

/** False: another payout of the creator is unfinished. The unique index also decides between concurrent inserts. */
export async function insertPayout(tx: Transaction, payout: NewPayout): Promise<boolean> {
  const { creatorId, payoutId } = payout;
  const made = await tx.run(sql`
    insert into payouts (creator_id, payout_id, payout_run_id, state, started_by, started_by_user_id, begun_at, minimum_cents)
    values (${creatorId}, ${payoutId}, ${payout.payoutRunId}, 'gathering', ${payout.startedBy}, ${payout.startedByUserId},
            ${payout.begunAt}, ${payout.minimumCents})
    on conflict do nothing`);
  if (made === 0) return false;
  await tx.run(
    sql`insert into payout_directory (payout_id, creator_id, payout_run_id) values (${payoutId}, ${creatorId}, ${payout.payoutRunId})`,
  );
  await tx.run(sql`
    insert into payout_stores (creator_id, payout_id, store_id)
    select ${creatorId}::uuid, ${payoutId}::uuid, store_id from unnest(${uuids(payout.storeIds)}) as store_id`);
  return true;
}

/** The creator of a payout. An operator and a provider know only the payout's ID. */
export async function findPayoutKey(db: Queryable, payoutId: Id<'pay'>): Promise<PayoutKey | null> {
  return db.find(sql`select creator_id, payout_id from payout_directory where payout_id = ${payoutId}`);
}

export const readPayout = (db: Queryable, key: PayoutKey): Promise<Payout> =>
  db.one(sql`select ${payoutColumns} from payouts p where p.creator_id = ${key.creatorId} and p.payout_id = ${key.payoutId}`);

/** Every decision about a payout is made under this lock. */
export const lockPayout = (tx: Transaction, key: PayoutKey): Promise<Payout> =>
  tx.one(sql`select ${payoutColumns} from payouts p where p.creator_id = ${key.creatorId} and p.payout_id = ${key.payoutId} for update`);

/**
 * Locks the failed payouts, so that no outcome of one is saved before this transaction ends. By primary key: a creator is paid twice a
 * month, and few payouts fail.
 */
export const lockFailedOf = (
  tx: Transaction,
  creatorId: Id<'crt'>,
): Promise<ReadonlyArray<Pick<Payout, 'contradictedAt' | 'contradictionDecidedAt'>>> =>
  tx.all(sql`
    select contradicted_at, contradiction_decided_at from payouts
    where creator_id = ${creatorId} and ${inStates(payoutTransitions.resolveContradiction.from)} order by payout_id for share`);

/** The payout that was sent to a provider or a person, and may still be stopped. By payout_unfinished, which allows one. */
export const findSentPayout = (db: Queryable, creatorId: Id<'crt'>): Promise<Payout | null> =>
  db.find(
    sql`select ${payoutColumns} from payouts p where p.creator_id = ${creatorId} and ${inStates(payoutStatesInTransit, sql`p.state`)}`,
  );

/**
 * A payout that is unfinished, or failed and was later reported as paid: until an operator decides, it may have been paid. Uses
 * payout_unfinished and payout_contradicted in separate subqueries: with `or`, all 2,002 payouts of a creator were read.
 */
export async function findUnfinishedPayout(db: Queryable, creatorId: Id<'crt'>, except: Id<'pay'> | null = null): Promise<Payout | null> {
  const [found] = await db.all<Payout>(sql`
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.payout_id is distinct from ${except}
      and ${inStates(unfinishedPayoutStates, sql`p.state`)}
    union all
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.payout_id is distinct from ${except}
      and p.state = 'failed' and p.contradicted_at is not null and p.contradiction_decided_at is null
    limit 1`);
  return found ?? null;
}

export async function listStoresOfPayout(db: Queryable, { creatorId, payoutId }: PayoutKey): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from payout_stores where creator_id = ${creatorId} and payout_id = ${payoutId} order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

/** The claimed amounts by store, which are also the amounts of the postings. */
export const listAmountsOfPayout = (
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
): Promise<ReadonlyArray<{ readonly storeId: Id<'store'>; readonly amount: Cents }>> =>
  db.all(sql`
    select store_id, amount_cents as amount from payout_stores
    where creator_id = ${creatorId} and payout_id = ${payoutId} and amount_cents is not null order by store_id`);

export type DraftedPayout = {
  readonly as: 'ready' | 'awaiting_second';
  readonly amount: Cents;
  readonly byStore: ReadonlyArray<{ readonly storeId: Id<'store'>; readonly amount: Cents }>;
  readonly method: { readonly payoutMethodId: Id<'pom'>; readonly provider: PayoutProvider['name']; readonly instrument: string };
  readonly at: Date;
};

export async function saveDrafted(tx: Transaction, key: PayoutKey, { as, amount, byStore, method, at }: DraftedPayout): Promise<void> {
  await tx.run(sql`
    update payout_stores set amount_cents = drafted.amount
    from unnest(${uuids(byStore.map(({ storeId }) => storeId))}, ${bigints(byStore.map((one) => one.amount))}) 
      as drafted (store_id, amount)
    where payout_stores.creator_id = ${key.creatorId} and payout_stores.payout_id = ${key.payoutId}
      and payout_stores.store_id = drafted.store_id`);
  await transitionPayout(
    tx,
    key,
    as === 'ready' ? 'draft' : 'draftLarge',
    sql`amount_cents = ${amount}, gathered_at = ${at}, payout_method_id = ${method.payoutMethodId},
      provider = ${method.provider}, instrument = ${method.instrument}`,
  );
}

export const saveGivenUp = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  transitionPayout(tx, key, 'giveUp', sql`ended_at = ${at}`);

export const saveConfirmed = (tx: Transaction, key: PayoutKey, { by, at }: { readonly by: string; readonly at: Date }): Promise<void> =>
  transitionPayout(tx, key, 'confirm', sql`confirmed_by = ${by}, confirmed_at = ${at}`);

/** The confirmations no longer count; the payout awaits others. */
export const saveUnconfirmed = (tx: Transaction, key: PayoutKey): Promise<void> =>
  transitionPayout(tx, key, 'unconfirm', sql`confirmed_by = null, confirmed_at = null`);

/** Committed before the first call. */
export const saveSending = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  transitionPayout(tx, key, 'send', sql`sent_at = ${at}, asked_at = ${at}`);

/** Committed before each further call. */
export const saveSendingAgain = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  transitionPayout(tx, key, 'sendAgain', sql`asked_at = ${at}`);

export const saveWaiting = (
  tx: Transaction,
  key: PayoutKey,
  { as, providerId }: { readonly as: 'sending' | 'unknown'; readonly providerId: string | null },
): Promise<void> =>
  transitionPayout(tx, key, as === 'sending' ? 'accept' : 'loseAnswer', sql`provider_id = coalesce(${providerId}, provider_id)`);

export const savePaid = (
  tx: Transaction,
  key: PayoutKey,
  { providerId, at }: { readonly providerId: string; readonly at: Date },
): Promise<void> => transitionPayout(tx, key, 'pay', sql`provider_id = ${providerId}, ended_at = ${at}`);

export const saveContradicted = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  transitionPayout(tx, key, 'contradict', sql`contradicted_at = ${at}`);

export const saveContradictionDecided = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  transitionPayout(tx, key, 'resolveContradiction', sql`contradiction_decided_at = ${at}`);

type Failed = { readonly failure: Failure; readonly at: Date };

export const saveFailed = (tx: Transaction, key: PayoutKey, { failure, at }: Failed): Promise<void> =>
  transitionPayout(tx, key, 'fail', sql`failure_code = ${failure.code}, failure_message = ${failure.message}, ended_at = ${at}`);

/** The stores' commissions must be updated again. */
export const saveReturned = (tx: Transaction, key: PayoutKey, { failure, at }: Failed): Promise<void> =>
  transitionPayout(
    tx,
    key,
    'return',
    sql`failure_code = ${failure.code}, failure_message = ${failure.message}, returned_at = ${at},
      ended_at = coalesce(ended_at, ${at}), told_at = null`,
  );

/**
 * The only statement that changes the state of a payout. The caller must hold the payout lock and have decided: a row in another state is
 * our own bug and ends the transaction.
 */
async function transitionPayout(tx: Transaction, { creatorId, payoutId }: PayoutKey, event: PayoutEvent, set: Sql): Promise<void> {
  const transition = payoutTransitions[event];
  const changes = joined([sql`state = ${stateAfterSql(transition)}`, set], sql`, `);
  const touched = await tx.run(sql`
    update payouts set ${changes}
    where creator_id = ${creatorId} and payout_id = ${payoutId} and ${inStates(transition.from)}`);
  invariant(touched === 1, 'a locked payout is still in the state that the decision was based on');
}

export type StoreOutcome = 'paid' | 'released';

/** A release is final, also if a slower process applies `paid` after it. */
export async function listStoresToUpdate(
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
  outcome: StoreOutcome,
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from payout_stores
    where creator_id = ${creatorId} and payout_id = ${payoutId} and told is distinct from ${outcome} order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

export async function markStoreUpdated(
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
  { storeId, outcome }: { readonly storeId: Id<'store'>; readonly outcome: StoreOutcome },
): Promise<void> {
  await db.run(sql`
    update payout_stores set told = ${outcome}
    where creator_id = ${creatorId} and payout_id = ${payoutId} and store_id = ${storeId}
      ${outcome === 'paid' ? sql`and told is null` : emptySql}`);
}

/** Only for the end that was applied: the payout may have been returned meanwhile. */
export async function markStoresUpdated(
  db: Queryable,
  { creatorId, payoutId, state }: PayoutKey & Pick<Payout, 'state'>,
  at: Date,
): Promise<void> {
  await db.run(sql`
    update payouts set told_at = ${at} where creator_id = ${creatorId} and payout_id = ${payoutId} and state = ${state}`);
}

/** Payouts to resume, in key order. Crosses all creators, by a partial index. */
export const listOpenPayouts = (
  db: Queryable,
  { after, limit }: { readonly after: PayoutKey | null; readonly limit: number },
): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payouts p
    where p.told_at is null ${after === null ? emptySql : sql`and (p.creator_id, p.payout_id) > (${after.creatorId}, ${after.payoutId})`}
    order by p.creator_id, p.payout_id limit ${limit}`);

type StoreClaims = { readonly storeId: Id<'store'>; readonly payoutId: Id<'pay'> };

/** Inserts the row if it is missing, and locks it. Uses two statements so that the read sees the state under the lock. */
export async function lockOpenClaims(tx: Transaction, { storeId, payoutId }: StoreClaims): Promise<boolean> {
  await tx.run(sql`
    insert into payout_gates (store_id, payout_id, is_closed) values (${storeId}, ${payoutId}, false) on conflict do nothing`);
  const { isClosed } = await tx.one<{ isClosed: boolean }>(sql`
    select is_closed from payout_gates where store_id = ${storeId} and payout_id = ${payoutId} for update`);
  return !isClosed;
}

export async function closeClaims(tx: Transaction, { storeId, payoutId }: StoreClaims): Promise<void> {
  await tx.run(sql`update payout_gates set is_closed = true where store_id = ${storeId} and payout_id = ${payoutId}`);
}

export type Confirmation = { readonly payoutId: Id<'pay'>; readonly userId: Id<'user'>; readonly at: Date };

/** The caller must hold the payout lock: of two concurrent confirmations both are kept, and the second sees the first. */
export async function insertConfirmation(
  tx: Transaction,
  { creatorId, payoutId }: PayoutKey,
  by: Omit<Confirmation, 'payoutId'>,
): Promise<void> {
  await tx.run(sql`
    insert into payout_confirmations (creator_id, payout_id, user_id, at) values (${creatorId}, ${payoutId}, ${by.userId}, ${by.at})
    on conflict do nothing`);
}

/** Confirmations of the payouts of one page, oldest first. */
export const listConfirmations = (db: Queryable, keys: readonly PayoutKey[]): Promise<Confirmation[]> =>
  db.all<Confirmation>(sql`
    select payout_id, user_id, at from payout_confirmations
    where (creator_id, payout_id) in (
      select * from unnest(${uuids(keys.map(({ creatorId }) => creatorId))}, ${uuids(keys.map(({ payoutId }) => payoutId))}))
    order by payout_id, at, user_id`);

const payoutIdColumn: SortColumn<Payout> = { expression: sql`p.payout_id`, type: 'uuid', value: ({ payoutId }) => payoutId };

/** IDs grow with time. */
export const payoutSorts: ListSorts<Payout> = {
  columns: { made_at: payoutIdColumn, amount_cents: { expression: sql`p.amount_cents`, type: 'bigint', value: amountOf } },
  unique: payoutIdColumn,
  defaultSort: '-made_at',
};

function amountOf({ amountCents }: Payout): bigint {
  invariant(amountCents !== null, 'the lists contain no drafts');
  return BigInt(amountCents);
}

/** Without drafts and without payouts that were given up as drafts. A creator has few a month, so that a sort may read all. */
export const findPayoutsOfCreator = (db: Queryable, creatorId: Id<'crt'>, { after, limit, order }: SortedPage<Payout>): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.amount_cents is not null ${afterKey(order, after)}
    ${orderBy(order)} limit ${limit + 1}`);

export async function findPayout(db: Queryable, { creatorId, payoutId }: PayoutKey): Promise<Payout | null> {
  return db.find(sql`
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.payout_id = ${payoutId} and p.amount_cents is not null`);
}

export type PayoutFilter = { readonly state: ShownState | null; readonly provider: PayoutProvider['name'] | null };

/** `ready` is shown as `sending`. */
const statesShownAs = (shown: ShownState): readonly PayoutState[] => (shown === 'sending' ? ['ready', 'sending'] : [shown]);

/**
 * Payouts of all creators, for operators, by the indexes payouts_in_time_order and payouts_by_amount. Not by the directory, because the
 * planner expects one row from a join on two columns, and reads all payouts.
 */
export const listPayouts = (
  db: Queryable,
  { state, provider }: PayoutFilter,
  { after, limit, order }: SortedPage<Payout>,
): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payouts p
    where p.amount_cents is not null ${afterKey(order, after)}
      ${state === null ? emptySql : sql`and p.state = any(${texts(statesShownAs(state))})`}
      ${provider === null ? emptySql : sql`and p.provider = ${provider}`}
    ${orderBy(order)} limit ${limit + 1}`);

export type PayoutLine = { readonly storeId: Id<'store'>; readonly commissionId: Id<'com'>; readonly amountCents: Cents };

export const listPayoutLines = (db: Queryable, { creatorId, payoutId }: PayoutKey, { after, limit }: Page): Promise<PayoutLine[]> =>
  db.all(sql`
    select store_id, commission_id, amount_cents from payout_lines
    where creator_id = ${creatorId} and payout_id = ${payoutId}
      ${after === null ? emptySql : sql`and (store_id, commission_id) > (${after[0]}::uuid, ${after[1]}::uuid)`}
    order by store_id, commission_id limit ${limit + 1}`);
