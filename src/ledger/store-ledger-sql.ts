import type { Queryable, Transaction } from '../db/database.ts';
import { insertRows, sortedByKey } from '../db/insert-rows.ts';
import { bigints, inserting, smallints, sql, texts, timestamps, uuids } from '../db/sql.ts';
import { cents, noCents, sum, type Cents } from '../core/money.ts';
import type { Id } from '../core/ids.ts';
import { invariant } from '../core/invariant.ts';
import { nextWriterSlot } from '../core/writer-slot.ts';
import { type Difference } from '../db/check.ts';
import { findDifferences, rowsOf } from '../db/differences.ts';
import type { Posting, StoreAccount } from './store-postings.ts';

/** Writes transfers and adds them to the balances. A duplicate transfer violates the primary key: its source was recorded twice. */
export async function postStoreTransfers(tx: Transaction, postings: readonly Posting[]): Promise<void> {
  if (postings.length === 0) return;
  const of = <Value>(value: (posting: Posting) => Value) => postings.map(value);
  const transfers = inserting`
    insert into transfers (store_id, source_kind, source_id, debit, credit, amount_cents, creator_id, at)
    ${[
      uuids(of(({ storeId }) => storeId)),
      texts(of(({ source }) => source.kind)),
      uuids(of(({ source }) => source.id)),
      texts(of(({ debit }) => debit)),
      texts(of(({ credit }) => credit)),
      bigints(of(({ amount }) => amount)),
      uuids(of(({ creatorId }) => creatorId)),
      timestamps(of(({ at }) => at)),
    ]}`;
  const [written] = await Promise.all([insertRows(tx, transfers), addToBalances(tx, balanceChanges(postings))]);
  invariant(written === postings.length, 'every posting is written once');
}

type BalanceChange = {
  readonly storeId: Id<'store'>;
  readonly account: StoreAccount;
  readonly creatorId: Id<'crt'>;
  readonly debit: Cents;
  readonly credit: Cents;
};

/** One row for each account, because an upsert cannot affect the same row twice. */
function balanceChanges(postings: readonly Posting[]): readonly BalanceChange[] {
  const changes = new Map<string, BalanceChange[]>();
  const add = (change: BalanceChange) => {
    const key = `${change.storeId} ${change.account} ${change.creatorId}`;
    const same = changes.get(key);
    if (same === undefined) changes.set(key, [change]);
    else same.push(change);
  };
  for (const { storeId, creatorId, debit, credit, amount } of postings) {
    add({ storeId, creatorId, account: debit, debit: amount, credit: noCents });
    add({ storeId, creatorId, account: credit, debit: noCents, credit: amount });
  }
  return [...changes.values()].flatMap((same) =>
    same
      .slice(0, 1)
      .map((first) => ({ ...first, debit: sum(same.map(({ debit }) => debit)), credit: sum(same.map(({ credit }) => credit)) })),
  );
}

/** Sorted by key, so that two writers cannot deadlock. */
async function addToBalances(tx: Transaction, changes: readonly BalanceChange[]): Promise<void> {
  const rows = sortedByKey(changes, ({ storeId, account, creatorId }) => `${storeId} ${account} ${creatorId}`);
  const slot = nextWriterSlot();
  await insertRows(
    tx,
    inserting`
      insert into balances as sums (store_id, account, creator_id, slot, debit_cents, credit_cents)
      ${[
        uuids(rows.map(({ storeId }) => storeId)),
        texts(rows.map(({ account }) => account)),
        uuids(rows.map(({ creatorId }) => creatorId)),
        smallints(rows.map(() => slot)),
        bigints(rows.map(({ debit }) => debit)),
        bigints(rows.map(({ credit }) => credit)),
      ]}
      on conflict (store_id, account, creator_id, slot) do update
      set debit_cents = sums.debit_cents + excluded.debit_cents, credit_cents = sums.credit_cents + excluded.credit_cents`,
  );
}

/** The credit that the store can use on its next invoices. A caller that spends it must hold a lock that every other spender takes. */
export async function findStoreCredit(db: Queryable, storeId: Id<'store'>): Promise<Cents> {
  const { credit } = await db.one<{ credit: Cents }>(sql`
    select coalesce(sum(credit_cents - debit_cents), 0) as credit from balances
    where store_id = ${storeId} and account = 'credit'`);
  return cents(credit);
}

export const countTransfers = rowsOf(sql`transfers`);

/** Balances that are not the sum of their transfers. Reads all stores; for verification only. */
export function storeBalanceDifferences(db: Queryable): Promise<readonly Difference[]> {
  return findDifferences(
    db,
    sql`
    with entries as (
      select store_id, debit as account, creator_id, amount_cents as debit_cents, 0::bigint as credit_cents from transfers
      union all
      select store_id, credit, creator_id, 0, amount_cents from transfers
    ), recomputed as (
      select store_id, account, creator_id, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents
      from entries group by store_id, account, creator_id
    ), kept as (
      select store_id, account, creator_id, sum(debit_cents) as debit_cents, sum(credit_cents) as credit_cents
      from balances group by store_id, account, creator_id
    )
    select coalesce(recomputed.store_id, kept.store_id)::text as store_id,
           format('%s of creator %s: stored %s/%s, transfers sum up to %s/%s', coalesce(recomputed.account, kept.account),
             coalesce(recomputed.creator_id, kept.creator_id), kept.debit_cents, kept.credit_cents,
             recomputed.debit_cents, recomputed.credit_cents) as detail
    from recomputed full join kept using (store_id, account, creator_id)
    where recomputed.debit_cents is distinct from kept.debit_cents or recomputed.credit_cents is distinct from kept.credit_cents`,
  );
}
