import type { EntryKind } from '../ledger/creator-posting.ts';
import type { Queryable, Transaction } from '../platform/database/database.ts';
import { enqueue } from '../platform/database/enqueue.ts';
import { nothing, sql } from '../platform/database/sql.ts';
import { newId, type Id } from '../platform/ids.ts';
import type { Cents } from '../platform/money.ts';
import { must } from '../platform/must.ts';

/** What a store's book tells a creator's book of one commission. */
export type OutboxEntry = {
  readonly storeId: Id<'store'>;
  readonly entryId: Id<'entry'>;
  readonly creatorId: Id<'crt'>;
  readonly commissionId: Id<'com'>;
  readonly kind: EntryKind;
  readonly amountCents: Cents;
  readonly at: Date;
};

type Told = Pick<OutboxEntry, 'creatorId' | 'commissionId' | 'amountCents'>;

/** The queue's name for delivering what waits, so that a creator sees money soon after it was collected. */
export const deliverTask = 'deliver_to_creators';

/**
 * Written in the transaction in which it happens; delivered after it, by payouts. A key for each call: with one for all, whoever
 * tells something would wait for the commit of all who did before.
 */
export async function tellCreators(
  tx: Transaction,
  { storeId, kind, at }: Pick<OutboxEntry, 'storeId' | 'kind' | 'at'>,
  told: readonly Told[],
): Promise<void> {
  if (told.length === 0) return;
  const written = await tx.run(sql`
    insert into creator_outbox (store_id, entry_id, creator_id, commission_id, kind, amount_cents, at)
    select ${storeId}::uuid, entry_id, creator_id, commission_id, ${kind}, amount_cents, ${at}::timestamptz from unnest(
      ${told.map(() => newId<'entry'>(at))}::uuid[], ${told.map(({ creatorId }) => creatorId)}::uuid[],
      ${told.map(({ commissionId }) => commissionId)}::uuid[], ${told.map(({ amountCents }) => amountCents)}::bigint[]
    ) as fresh (entry_id, creator_id, commission_id, amount_cents)`);
  must(written === told.length, 'every entry is written once');
  await enqueue(tx, deliverTask, {}, { key: `${deliverTask} ${newId(at)}` });
}

/** The next ones of a store that wait, oldest first. By creator_outbox_waiting. */
export const waitingEntries = (db: Queryable, storeId: Id<'store'>, limit: number): Promise<OutboxEntry[]> =>
  db.all(sql`
    select store_id, entry_id, creator_id, commission_id, kind, amount_cents, at from creator_outbox
    where store_id = ${storeId} and delivered_at is null order by entry_id limit ${limit}`);

/** After they stand in the creators' books. A death before this delivers them once more, which changes nothing there. */
export const markDelivered = (db: Queryable, storeId: Id<'store'>, entryIds: ReadonlyArray<Id<'entry'>>, at: Date): Promise<number> =>
  db.run(sql`
    update creator_outbox set delivered_at = ${at}
    where store_id = ${storeId} and entry_id = any(${entryIds}::uuid[]) and delivered_at is null`);

/** The stores with something to deliver. Crosses all stores: the index holds only what waits. */
export async function storesWithWaitingEntries(
  db: Queryable,
  { after, limit }: { readonly after: Id<'store'> | null; readonly limit: number },
): Promise<ReadonlyArray<Id<'store'>>> {
  const rows = await db.all<{ storeId: Id<'store'> }>(sql`
    select distinct store_id from creator_outbox
    where delivered_at is null ${after === null ? nothing : sql`and store_id > ${after}`}
    order by store_id limit ${limit}`);
  return rows.map(({ storeId }) => storeId);
}
