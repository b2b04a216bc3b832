import type { Queryable, Transaction } from '../platform/database/database.ts';
import { nothing, sql, type Sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';
import type { PayoutProvider } from '../providers/provider.ts';
import type { Failure } from './decide-payout-end.ts';
import type { Payout, PayoutKey, PayoutState } from './payout.ts';

export const payoutColumns = sql`
  p.creator_id, p.payout_id, p.payout_run_id, p.state, p.started_by, p.started_by_user_id, p.begun_at, p.minimum_cents, p.amount_cents,
  p.payout_method_id, p.provider, p.instrument, p.gathered_at, p.confirmed_by, p.confirmed_at, p.sent_at, p.asked_at, p.provider_id,
  p.failure_code, p.failure_message, p.ended_at, p.returned_at, p.told_at, p.contradicted_at, p.contradiction_decided_at`;

export type NewPayout = Pick<
  Payout,
  'creatorId' | 'payoutId' | 'payoutRunId' | 'startedBy' | 'startedByUserId' | 'begunAt' | 'minimumCents'
> & { readonly storeIds: ReadonlyArray<Id<'store'>> };

/** False where another payout of the creator is not at its end: the index says so, whoever asks at the same time. */
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
    select ${creatorId}::uuid, ${payoutId}::uuid, store_id from unnest(${payout.storeIds}::uuid[]) as store_id`);
  return true;
}

/** Whose it is. An operator and a provider know only the payout's id. */
export async function payoutKeyOf(db: Queryable, payoutId: Id<'pay'>): Promise<PayoutKey | null> {
  return db.find(sql`select creator_id, payout_id from payout_directory where payout_id = ${payoutId}`);
}

export const readPayout = (db: Queryable, key: PayoutKey): Promise<Payout> =>
  db.one(sql`select ${payoutColumns} from payouts p where p.creator_id = ${key.creatorId} and p.payout_id = ${key.payoutId}`);

/** Whatever is decided of it is decided under this lock. */
export const lockPayout = (tx: Transaction, key: PayoutKey): Promise<Payout> =>
  tx.one(sql`select ${payoutColumns} from payouts p where p.creator_id = ${key.creatorId} and p.payout_id = ${key.payoutId} for update`);

/**
 * Those that failed, locked so that no news is kept of any before this transaction ends; the two go past each other only one after
 * the other. By primary key: a creator is paid twice a month, and few fail.
 */
export const lockFailedOf = (
  tx: Transaction,
  creatorId: Id<'crt'>,
): Promise<ReadonlyArray<Pick<Payout, 'contradictedAt' | 'contradictionDecidedAt'>>> =>
  tx.all(sql`
    select contradicted_at, contradiction_decided_at from payouts
    where creator_id = ${creatorId} and state = 'failed' order by payout_id for share`);

/** The one that a provider or a person was told to pay, and that may still be stopped. By payout_unfinished, which allows one. */
export const payoutOnItsWayOf = (db: Queryable, creatorId: Id<'crt'>): Promise<Payout | null> =>
  db.find(sql`select ${payoutColumns} from payouts p where p.creator_id = ${creatorId} and p.state in ('sending', 'unknown')`);

/**
 * One that is not at its end, or failed and was told paid afterwards: until that is decided of, it may have been paid. By
 * payout_unfinished and payout_contradicted, each in a question of its own: joined by `or`, all 2,002 payouts of a creator were read.
 */
export async function unfinishedPayoutOf(db: Queryable, creatorId: Id<'crt'>, except: Id<'pay'> | null = null): Promise<Payout | null> {
  const [found] = await db.all<Payout>(sql`
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.payout_id is distinct from ${except}
      and p.state in ('gathering', 'awaiting_second', 'ready', 'sending', 'unknown')
    union all
    select ${payoutColumns} from payouts p
    where p.creator_id = ${creatorId} and p.payout_id is distinct from ${except}
      and p.state = 'failed' and p.contradicted_at is not null and p.contradiction_decided_at is null
    limit 1`);
  return found ?? null;
}

export async function storesOfPayout(db: Queryable, { creatorId, payoutId }: PayoutKey): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from payout_stores where creator_id = ${creatorId} and payout_id = ${payoutId} order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

/** The amounts that were gathered, by store: what each posting of the payout says. */
export const amountsOfPayout = (
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
): Promise<ReadonlyArray<{ readonly storeId: Id<'store'>; readonly amount: Cents }>> =>
  db.all(sql`
    select store_id, amount_cents as amount from payout_stores
    where creator_id = ${creatorId} and payout_id = ${payoutId} and amount_cents is not null order by store_id`);

export type Gathered = {
  readonly as: 'ready' | 'awaiting_second';
  readonly amount: Cents;
  readonly byStore: ReadonlyArray<{ readonly storeId: Id<'store'>; readonly amount: Cents }>;
  readonly method: { readonly payoutMethodId: Id<'pom'>; readonly provider: PayoutProvider['name']; readonly instrument: string };
  readonly at: Date;
};

export async function keepGathered(tx: Transaction, key: PayoutKey, { as, amount, byStore, method, at }: Gathered): Promise<void> {
  await tx.run(sql`
    update payout_stores set amount_cents = gathered.amount
    from unnest(${byStore.map(({ storeId }) => storeId)}::uuid[], ${byStore.map((one) => one.amount)}::bigint[]) 
      as gathered (store_id, amount)
    where payout_stores.creator_id = ${key.creatorId} and payout_stores.payout_id = ${key.payoutId}
      and payout_stores.store_id = gathered.store_id`);
  await change(
    tx,
    key,
    ['gathering'],
    sql`state = ${as}, amount_cents = ${amount}, gathered_at = ${at}, payout_method_id = ${method.payoutMethodId},
      provider = ${method.provider}, instrument = ${method.instrument}`,
  );
}

export const keepGivenUp = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  change(tx, key, ['gathering'], sql`state = 'given_up', ended_at = ${at}`);

export const keepConfirmed = (tx: Transaction, key: PayoutKey, { by, at }: { readonly by: string; readonly at: Date }): Promise<void> =>
  change(tx, key, ['awaiting_second'], sql`state = 'ready', confirmed_by = ${by}, confirmed_at = ${at}`);

/** Who confirmed it does not count any more: it waits for others. */
export const keepUnconfirmed = (tx: Transaction, key: PayoutKey): Promise<void> =>
  change(tx, key, ['ready'], sql`state = 'awaiting_second', confirmed_by = null, confirmed_at = null`);

/** Committed before the call, each time. What was unknown stays unknown until there is evidence. */
export const keepAsked = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  change(
    tx,
    key,
    ['ready', 'sending', 'unknown'],
    sql`state = case when state = 'ready' then 'sending' else state end, sent_at = coalesce(sent_at, ${at}), asked_at = ${at}`,
  );

export const keepWaiting = (
  tx: Transaction,
  key: PayoutKey,
  { as, providerId }: { readonly as: 'sending' | 'unknown'; readonly providerId: string | null },
): Promise<void> => change(tx, key, ['sending', 'unknown'], sql`state = ${as}, provider_id = coalesce(${providerId}, provider_id)`);

export const keepPaid = (
  tx: Transaction,
  key: PayoutKey,
  { providerId, at }: { readonly providerId: string; readonly at: Date },
): Promise<void> => change(tx, key, ['sending', 'unknown'], sql`state = 'paid', provider_id = ${providerId}, ended_at = ${at}`);

export const keepContradicted = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  change(tx, key, ['paid', 'failed'], sql`contradicted_at = ${at}`);

export const keepContradictionDecided = (tx: Transaction, key: PayoutKey, at: Date): Promise<void> =>
  change(tx, key, ['failed'], sql`contradiction_decided_at = ${at}`);

type Failed = { readonly failure: Failure; readonly at: Date };

export const keepFailed = (tx: Transaction, key: PayoutKey, { failure, at }: Failed): Promise<void> =>
  change(
    tx,
    key,
    ['awaiting_second', 'ready', 'sending', 'unknown'],
    sql`state = 'failed', failure_code = ${failure.code}, failure_message = ${failure.message}, ended_at = ${at}`,
  );

/** The stores have to hear of it once more. */
export const keepReturned = (tx: Transaction, key: PayoutKey, { failure, at }: Failed): Promise<void> =>
  change(
    tx,
    key,
    ['sending', 'unknown', 'paid'],
    sql`state = 'returned', failure_code = ${failure.code}, failure_message = ${failure.message}, returned_at = ${at},
      ended_at = coalesce(ended_at, ${at}), told_at = null`,
  );

async function change(tx: Transaction, { creatorId, payoutId }: PayoutKey, judged: readonly PayoutState[], changes: Sql): Promise<void> {
  const touched = await tx.run(sql`
    update payouts set ${changes}
    where creator_id = ${creatorId} and payout_id = ${payoutId} and state = any(${judged}::text[])`);
  must(touched === 1, 'what was decided under its lock is as it was judged');
}

export type Told = 'paid' | 'released';

/** Told last: a release is the last word, also where a slower one comes with `paid` after it. */
export async function storesToTell(db: Queryable, { creatorId, payoutId }: PayoutKey, told: Told): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select store_id from payout_stores
    where creator_id = ${creatorId} and payout_id = ${payoutId} and told is distinct from ${told} order by store_id`);
  return rows.map(({ storeId }) => storeId);
}

export async function keepStoreTold(
  db: Queryable,
  { creatorId, payoutId }: PayoutKey,
  { storeId, told }: { readonly storeId: Id<'store'>; readonly told: Told },
): Promise<void> {
  await db.run(sql`
    update payout_stores set told = ${told}
    where creator_id = ${creatorId} and payout_id = ${payoutId} and store_id = ${storeId}
      ${told === 'paid' ? sql`and told is null` : nothing}`);
}

/** Only of the end that was told: it may have come back meanwhile. */
export async function keepTold(db: Queryable, { creatorId, payoutId, state }: PayoutKey & Pick<Payout, 'state'>, at: Date): Promise<void> {
  await db.run(sql`
    update payouts set told_at = ${at} where creator_id = ${creatorId} and payout_id = ${payoutId} and state = ${state}`);
}

/** Those somebody has to go on with, in the order of their keys. Crosses all creators: the index holds nothing else. */
export const openPayouts = (
  db: Queryable,
  { after, limit }: { readonly after: PayoutKey | null; readonly limit: number },
): Promise<Payout[]> =>
  db.all(sql`
    select ${payoutColumns} from payouts p
    where p.told_at is null ${after === null ? nothing : sql`and (p.creator_id, p.payout_id) > (${after.creatorId}, ${after.payoutId})`}
    order by p.creator_id, p.payout_id limit ${limit}`);
