import type { OutboxEntry } from '../commissions/outbox-sql.ts';
import type { Transaction } from '../platform/database/database.ts';
import { sql } from '../platform/database/sql.ts';
import type { Id } from '../platform/ids.ts';
import { must } from '../platform/must.ts';

type EntriesOfCreator = { readonly creatorId: Id<'crt'>; readonly entries: readonly OutboxEntry[] };

/** Writes those that do not stand yet, and answers their ids: of two deliveries the second one gets none. */
export async function insertEntries(tx: Transaction, { creatorId, entries }: EntriesOfCreator): Promise<ReadonlySet<Id<'entry'>>> {
  const rows = await tx.all<{ entryId: Id<'entry'> }>(sql`
    insert into creator_entries (creator_id, entry_id, store_id, commission_id, kind, amount_cents, at)
    select ${creatorId}::uuid, * from unnest(
      ${entries.map(({ entryId }) => entryId)}::uuid[], ${entries.map(({ storeId }) => storeId)}::uuid[],
      ${entries.map(({ commissionId }) => commissionId)}::uuid[], ${entries.map(({ kind }) => kind)}::text[],
      ${entries.map(({ amountCents }) => amountCents)}::bigint[], ${entries.map(({ at }) => at)}::timestamptz[]
    ) as fresh (entry_id, store_id, commission_id, kind, amount_cents, at)
    order by entry_id
    on conflict (creator_id, entry_id) do nothing returning entry_id`);
  return new Set(rows.map(({ entryId }) => entryId));
}

/** What an entry adds to the two counts of its earning. */
const counts = {
  collected: { collected: 1, advanced: 0 },
  charged_back: { collected: -1, advanced: 0 },
  credited: { collected: -1, advanced: 0 },
  advanced: { collected: 0, advanced: 1 },
  repaid: { collected: 0, advanced: -1 },
  advance_ended: { collected: -1, advanced: -1 },
} as const satisfies Readonly<Record<OutboxEntry['kind'], { readonly collected: number; readonly advanced: number }>>;

/** Sums, so that the order in which entries come changes nothing. One row per commission: a statement must not meet a row twice. */
export async function addToEarnings(tx: Transaction, { creatorId, entries }: EntriesOfCreator): Promise<void> {
  const touched = await tx.run(sql`
    insert into earnings as sums (creator_id, store_id, commission_id, amount_cents, collected, advanced)
    select ${creatorId}::uuid, store_id, commission_id, max(amount_cents), sum(collected), sum(advanced) from unnest(
      ${entries.map(({ storeId }) => storeId)}::uuid[], ${entries.map(({ commissionId }) => commissionId)}::uuid[],
      ${entries.map(({ amountCents }) => amountCents)}::bigint[], ${entries.map(({ kind }) => counts[kind].collected)}::int[],
      ${entries.map(({ kind }) => counts[kind].advanced)}::int[]
    ) as fresh (store_id, commission_id, amount_cents, collected, advanced)
    group by store_id, commission_id order by store_id, commission_id
    on conflict (creator_id, store_id, commission_id) do update
    set collected = sums.collected + excluded.collected, advanced = sums.advanced + excluded.advanced
    where sums.amount_cents = excluded.amount_cents`);
  const commissions = new Set(entries.map(({ storeId, commissionId }) => `${storeId} ${commissionId}`));
  must(touched === commissions.size, 'a commission never changes its amount');
}
