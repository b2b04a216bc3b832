import { queryByStore } from '../db/by-store.ts';
import type { Queryable } from '../db/database.ts';
import { emptySql, prepared, sql, uuids } from '../db/sql.ts';
import type { Page } from '../http/page.ts';
import type { Id } from '../core/ids.ts';

type CreatorInStore = { readonly storeId: Id<'store'>; readonly creatorId: Id<'crt'> };

/** Reads each store's own copy, by primary key, so that no transaction of a store waits for the node of its creators. */
export async function listSuspendedCreators(db: Queryable, creators: readonly CreatorInStore[]): Promise<ReadonlySet<Id<'crt'>>> {
  const rows = await queryByStore(creators, (storeId, ofStore) =>
    db.all<{ creatorId: Id<'crt'> }>(prepared`
      select creator_id from suspended_creators
      where store_id = ${storeId} and creator_id = any(${uuids([...new Set(ofStore.map(({ creatorId }) => creatorId))])})`),
  );
  return new Set(rows.map(({ creatorId }) => creatorId));
}

/** Idempotent. The caller holds the lock of the creator, so that an older value cannot replace a newer one. */
export async function setSuspendedInStore(db: Queryable, { storeId, creatorId }: CreatorInStore, suspendedAt: Date | null): Promise<void> {
  if (suspendedAt === null) {
    await db.run(sql`delete from suspended_creators where store_id = ${storeId} and creator_id = ${creatorId}`);
    return;
  }
  await db.run(sql`
    insert into suspended_creators (store_id, creator_id, suspended_at) values (${storeId}, ${creatorId}, ${suspendedAt})
    on conflict (store_id, creator_id) do update set suspended_at = excluded.suspended_at`);
}

/** Creators whose stores do not know the last change yet, by a partial index of nothing else. */
export async function listUncopiedSuspensions(db: Queryable, { after, limit }: Page): Promise<ReadonlyArray<Id<'crt'>>> {
  const rows = await db.all<{ creatorId: Id<'crt'> }>(sql`
    select creator_id from creators
    where suspended_at is distinct from suspension_copied_at ${after === null ? emptySql : sql`and creator_id > ${after[0]}::uuid`}
    order by creator_id limit ${limit}`);
  return rows.map(({ creatorId }) => creatorId);
}

/** The caller holds the lock of the creator. */
export async function markSuspensionCopied(db: Queryable, creatorId: Id<'crt'>, suspendedAt: Date | null): Promise<void> {
  await db.run(sql`update creators set suspension_copied_at = ${suspendedAt} where creator_id = ${creatorId}`);
}

/** Waits for a concurrent suspension, so that a new store learns of it either here or by the copy that follows it. */
export async function findSuspendedAt(db: Queryable, creatorId: Id<'crt'>): Promise<Date | null> {
  const creator = await db.find<{ suspendedAt: Date | null }>(sql`
    select suspended_at from creators where creator_id = ${creatorId} for share`);
  return creator?.suspendedAt ?? null;
}
