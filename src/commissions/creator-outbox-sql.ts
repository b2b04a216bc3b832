import type { EntryKind } from '../ledger/creator-postings.ts';
import type { Queryable, Transaction } from '../db/database.ts';
import { enqueue } from '../queue/enqueue-sql.ts';
import { bigints, emptySql, sql, uuids } from '../db/sql.ts';
import { newId, type Id } from '../core/ids.ts';
import type { Cents } from '../core/money.ts';
import { invariant } from '../core/invariant.ts';

/** One commission's entry from a store's book for the creator's book. */
export type OutboxEntry = {
  readonly storeId: Id<'store'>;
  readonly entryId: Id<'entry'>;
  readonly creatorId: Id<'crt'>;
  readonly commissionId: Id<'com'>;
  readonly kind: EntryKind;
  readonly amountCents: Cents;
  readonly at: Date;
};

type NewEntry = Pick<OutboxEntry, 'creatorId' | 'commissionId' | 'amountCents'>;

/** The queued task that delivers new entries, so that creators see money soon after it was collected. */
export const deliverToCreatorsTask = 'deliver_to_creators';

/**
 * Written in the transaction of the change and delivered afterwards by payouts. Each call enqueues its own task key: with one shared
 * key, every transaction would wait for the commit of the previous one.
 */
export async function insertOutboxEntries(
  tx: Transaction,
  { storeId, kind, at }: Pick<OutboxEntry, 'storeId' | 'kind' | 'at'>,
  entries: readonly NewEntry[],
): Promise<void> {
  if (entries.length === 0) return;
  const written = await tx.run(sql`
    insert into creator_outbox (store_id, entry_id, creator_id, commission_id, kind, amount_cents, at)
    select ${storeId}::uuid, entry_id, creator_id, commission_id, ${kind}, amount_cents, ${at}::timestamptz from unnest(
      ${uuids(entries.map(() => newId<'entry'>(at)))}, ${uuids(entries.map(({ creatorId }) => creatorId))},
      ${uuids(entries.map(({ commissionId }) => commissionId))}, ${bigints(entries.map(({ amountCents }) => amountCents))}
    ) as fresh (entry_id, creator_id, commission_id, amount_cents)`);
  invariant(written === entries.length, 'every entry is written once');
  await enqueue(tx, deliverToCreatorsTask, {}, { key: `${deliverToCreatorsTask} ${newId(at)}` });
}

/**
 * The oldest `limit` entries, by the index creator_outbox_waiting, and all others of their commissions, by creator_outbox_of_commission:
 * an entry of a refund can have a lower ID than that of the collection that it reduces, if the clocks of two processes differ. The second
 * step does not mention delivered_at, because PostgreSQL would then read all waiting entries of the store for each page of a backlog.
 */
export const listUndeliveredEntries = (db: Queryable, storeId: Id<'store'>, limit: number): Promise<OutboxEntry[]> =>
  db.all(sql`
    with oldest as materialized (
      select commission_id from creator_outbox where store_id = ${storeId} and delivered_at is null order by entry_id limit ${limit}
    ), of_commissions as materialized (
      select store_id, entry_id, creator_id, commission_id, kind, amount_cents, at, delivered_at from creator_outbox
      where store_id = ${storeId} and commission_id = any(array(select commission_id from oldest))
    )
    select store_id, entry_id, creator_id, commission_id, kind, amount_cents, at from of_commissions
    where delivered_at is null order by entry_id`);

/** Call after the entries are in the creators' books. A crash in between delivers them again, which changes nothing there. */
export const markDelivered = (db: Queryable, storeId: Id<'store'>, entryIds: ReadonlyArray<Id<'entry'>>, at: Date): Promise<number> =>
  db.run(sql`
    update creator_outbox set delivered_at = ${at}
    where store_id = ${storeId} and entry_id = any(${uuids(entryIds)}) and delivered_at is null`);

/** Reads across all stores; the index contains undelivered entries only. */
export async function listStoresWithUndeliveredEntries(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from creator_outbox
    where delivered_at is null ${after === null ? emptySql : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
